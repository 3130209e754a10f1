// Adjustments: score transforms that commute with thresholding, so one sort serves every threshold.

import type { Truth } from "../../truth";
import { movingMax } from "./windows";

/** What islands mark; "printed" is "spill" with the longer islands of the paper's formula. */
export type Reading = "normal" | "spill" | "printed" | "all";

export interface Settings {
  /** Share of an event that must be hit (K%-PA). */
  k: number;
  /** Points of an island (BA). */
  width: number;
  islands: Reading;
  margin: number;
}

/** PA: every point of an event gets the event's highest score. */
export function pointAdjusted(scores: Float64Array, truth: Truth): Float64Array {
  const adjusted = scores.slice();
  truth.starts.forEach((start, e) => {
    const stop = truth.stops[e];
    adjusted.fill(highest(scores, start, stop), start, stop);
  });
  return adjusted;
}

/** K%-PA: the event's m-th highest score, or the own one if that is higher. */
export function covered(scores: Float64Array, truth: Truth, k: number): Float64Array {
  const adjusted = scores.slice();
  truth.starts.forEach((start, e) => {
    const stop = truth.stops[e];
    const width = stop - start;
    const reached = scores.slice(start, stop).sort()[width - hitsNeeded(width, k)];
    for (let i = start; i < stop; i++) adjusted[i] = Math.max(scores[i], reached);
  });
  return adjusted;
}

/** The fewest hits whose share of the event is at least k: compared as a ratio, not as a product. */
export function hitsNeeded(width: number, k: number): number {
  let hits = Math.floor(k * width) - 1;
  for (let turn = 0; turn < 3; turn++) if (!(hits / width >= k)) hits++;
  return Math.max(hits, 1);
}

/** BA: a hit is credited to its event, a false alarm to the `width` points around it. */
export function balanced(scores: Float64Array, truth: Truth, settings: Settings): Float64Array {
  const { islands, margin } = settings;
  const [left, right] = islandReach(settings);
  const raises = mayRaise(truth, settings);
  const sources = scores.map((score, i) => (raises[i] ? score : -Infinity));
  const island = movingMax(sources, right, left, truth.bounds);
  for (let i = 0; i < truth.n; i++) {
    if (!(islands === "normal" ? truth.normal[i] : truth.normal[i] || truth.label[i])) island[i] = -Infinity;
    if (margin) island[i] = Math.max(island[i], scores[i]); // the near ones still count as themselves
  }
  truth.starts.forEach((start, e) => {
    const hit = highest(scores, start, truth.stops[e]);
    for (let i = start; i < truth.stops[e]; i++) island[i] = Math.max(island[i], hit);
  });
  return island;
}

/** How far an island reaches to the left of its alarm, and to the right. */
export function islandReach({ width, islands }: Settings): [number, number] {
  return [islands === "printed" ? (width >> 1) + 1 : (width - 1) >> 1, width >> 1];
}

/** Which points raise an island when they are flagged. */
export function mayRaise(truth: Truth, { islands, margin }: Settings): Uint8Array {
  const raises = truth.normal.slice();
  if (margin) {
    const near = movingMax(Float64Array.from(truth.label), margin, margin, truth.bounds);
    near.forEach((close, i) => close && (raises[i] = 0));
  }
  if (islands === "all") truth.label.forEach((event, i) => event && (raises[i] = 1));
  return raises;
}

function highest(scores: Float64Array, start: number, stop: number): number {
  let found = -Infinity;
  for (let i = start; i < stop; i++) if (scores[i] > found) found = scores[i];
  return found;
}
