// What each of the four F1 scores makes of a scene.

import { adjust, type Name, NAMES } from "../sweep/families";
import { masses, type Rates } from "../sweep/masses";
import { type Truth, truth } from "../sweep/truth";
import type { Scene } from "./state";

export interface Outcome {
  name: Name;
  rates: Rates;
  /** What is counted as flagged. */
  counted: boolean[];
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
  return NAMES.map((name) => {
    const adjusted = adjust(name, scores, all, scene.settings);
    return { name, rates: masses(adjusted, all).at(level), counted: Array.from(adjusted, (score) => score > level) };
  });
}
