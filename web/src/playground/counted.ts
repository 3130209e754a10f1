// What each of the four F1 scores makes of a scene.

import { alarmsOf } from "../alarms";
import { type Chance, Ring } from "./arithmetic/chance";
import { adjust, type Name, NAMES } from "./arithmetic/families";
import { masses, type Rates, rates } from "./arithmetic/masses";
import { type Truth, truth } from "../truth";
import type { Scene } from "./state";

export interface Outcome {
  name: Name;
  rates: Rates;
  /** What is counted as flagged. */
  counted: boolean[];
  /** What the same alarms score at other places; NaN: nothing to move, or islands that are not moved here. */
  chance: number;
}

export function truthOf(scene: Scene): Truth {
  const starts = Int32Array.from(scene.events, ([start]) => start);
  const stops = Int32Array.from(scene.events, ([, stop]) => stop);
  return truth(scene.n, starts, stops, Int32Array.of(0, scene.n), null);
}

/** The scores; alarms placed by hand are scores of 0 and 1. */
export function scoresOf(scene: Scene): Float64Array {
  if (scene.scores) return Float64Array.from(scene.scores);
  const flags = new Float64Array(scene.n);
  for (const [start, stop] of scene.alarms) flags.fill(1, start, stop);
  return flags;
}

export const levelOf = (scene: Scene): number => (scene.scores ? scene.threshold : 0.5);

export function outcomes(scene: Scene): Outcome[] {
  const all = truthOf(scene);
  const scores = scoresOf(scene);
  const level = levelOf(scene);
  const chance = chanceOf(scene);
  return NAMES.map((name) => {
    const adjusted = adjust(name, scores, all, scene.settings);
    const by = !chance ? NaN : name === "f1_kpa" ? coveredElsewhere(scene) : chance.level[name];
    return { name, rates: masses(adjusted, all).at(level), counted: Array.from(adjusted, (score) => score > level), chance: by };
  });
}

/** The same alarms at every other place. */
export function chanceOf(scene: Scene): Chance | null {
  const all = truthOf(scene);
  const alarms = alarmsOf(scoresOf(scene), all, levelOf(scene));
  const { width, islands, margin } = scene.settings;
  if (!alarms.starts.length || !scene.events.length || islands !== "normal" || margin) return null;
  return new Ring(all, width).turned(alarms, Infinity);
}

/** K%-PA of the mean sums over all places: each is counted by itself. */
function coveredElsewhere(scene: Scene): number {
  const all = truthOf(scene);
  const scores = scoresOf(scene);
  let [found, wrong] = [0, 0];
  for (let by = 0; by < scene.n; by++) {
    const turned = scores.map((_, i) => scores[(i - by + scene.n) % scene.n]);
    const counts = masses(adjust("f1_kpa", turned, all, scene.settings), all).counts(levelOf(scene));
    found += counts.found / scene.n;
    wrong += counts.wrong / scene.n;
  }
  return rates(found, wrong, all.label.reduce((sum, one) => sum + one, 0)).f;
}
