// Scenes worth seeing, each with what to look at.

import type { Interval, Scene } from "./state";

export interface Preset {
  name: string;
  words: string;
  scene: () => Scene;
}

const EVENTS: Interval[] = [[20, 40], [75, 95], [130, 150], [170, 190]];

function scene(alarms: Interval[], more: Partial<Scene> = {}): Scene {
  const settings = { k: 0.2, width: 21, islands: "normal" as const, margin: 0 };
  return { n: 200, events: EVENTS.map(([a, b]) => [a, b]), alarms, scores: null, threshold: 0.5, settings, ...more };
}

/** The same noise for everyone: a linear congruence. */
function noise(count: number): number[] {
  let seed = 20240913;
  return Array.from({ length: count }, () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed / 2147483648;
  });
}

const points = (places: number[]): Interval[] => places.map((place) => [place, place + 1]);

export const PRESETS: Preset[] = [
  {
    name: "the paper's figure 1",
    words: "Two events, both hit in part, and one false run between them. PA forgives everything but the false run; BA charges that run with its neighbourhood too.",
    scene: () => ({
      n: 80,
      events: [[18, 32], [50, 60]],
      alarms: [[21, 25], [40, 44], [54, 58]],
      scores: null,
      threshold: 0.5,
      settings: { k: 0.4, width: 5, islands: "normal", margin: 0 },
    }),
  },
  {
    name: "a coin flip",
    words: "Every tenth point or so is flagged by a coin. PA calls that good, for long events are nearly always hit; with islands as wide as the events BA leaves it where an always-on alarm would be.",
    scene: () => scene(points(noise(200).flatMap((value, i) => (value < 0.1 ? [i] : [])))),
  },
  {
    name: "one point per event",
    words: "One right alarm in each event and no false one: perfect for PA and BA, nearly nothing for F1 and K%-PA. Neither is wrong: they ask different questions.",
    scene: () => scene(points([27, 80, 149, 170])),
  },
  {
    name: "one point too wide",
    words: "Every event is covered, and one point before and after it. F1 hardly minds. Under BA each of those points raises an island; margin = 1 takes that back.",
    scene: () => scene(EVENTS.map(([start, stop]) => [start - 1, stop + 1])),
  },
  {
    name: "periodic alarms",
    words: "An alarm every twenty points, whatever happens. Each event is hit, so PA is high; every normal stretch is charged under BA.",
    scene: () => scene(points(Array.from({ length: 10 }, (_, i) => 10 + 20 * i))),
  },
  {
    name: "a late detector",
    words: "Each event is noticed only in its last quarter, and the alarm goes on after its end. PA and BA do not ask when; look at the delay in a report, or at delay_f1.",
    scene: () => scene(EVENTS.map(([, stop]) => [stop - 5, stop + 4])),
  },
  {
    name: "scores to draw",
    words: "Scores instead of alarms: draw over them and move the threshold. What lies above it is flagged.",
    scene: () => {
      const scores = noise(200).map((value) => 0.45 * value);
      EVENTS.forEach(([start, stop], e) => {
        for (let i = start; i < stop; i++) scores[i] = Math.min(1, scores[i] + 0.6 - 0.13 * e);
      });
      scores[112] = 0.8;
      return scene([], { scores: scores.map((score) => Math.round(score * 35) / 35) });
    },
  },
];
