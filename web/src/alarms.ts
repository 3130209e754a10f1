// Alarms: maximal runs of flagged points, each within one series, and the events that they touch.

import type { Truth } from "./truth";

export interface Alarms {
  readonly starts: Int32Array;
  readonly stops: Int32Array;
  /** The first event that an alarm touches; -1: it is false. */
  readonly touched: Int32Array;
  /** The first flagged point of each event; -1: it was missed. */
  readonly first: Int32Array;
  /** How many points of each event are flagged. */
  readonly covered: Int32Array;
  readonly found: number;
  readonly wrong: number;
}

export function alarmsOf(scores: Float64Array, truth: Truth, threshold: number): Alarms {
  const starts: number[] = [];
  const stops: number[] = [];
  for (let s = 0; s + 1 < truth.bounds.length; s++) {
    const stop = truth.bounds[s + 1];
    for (let i = truth.bounds[s]; i < stop; i++) {
      if (!(scores[i] > threshold)) continue;
      starts.push(i);
      while (i < stop && scores[i] > threshold) i++;
      stops.push(i);
    }
  }
  return matched(Int32Array.from(starts), Int32Array.from(stops), truth);
}

function matched(starts: Int32Array, stops: Int32Array, truth: Truth): Alarms {
  const events = truth.starts.length;
  const first = new Int32Array(events).fill(-1);
  const covered = new Int32Array(events);
  const touched = new Int32Array(starts.length).fill(-1);
  let [e, wrong, found] = [0, 0, 0];
  for (let a = 0; a < starts.length; a++) {
    while (e < events && truth.stops[e] <= starts[a]) e++;
    for (let k = e; k < events && truth.starts[k] < stops[a]; k++) {
      const from = Math.max(starts[a], truth.starts[k]);
      covered[k] += Math.min(stops[a], truth.stops[k]) - from;
      if (first[k] < 0) [first[k], found] = [from, found + 1];
      if (touched[a] < 0) touched[a] = k;
    }
    if (touched[a] < 0) wrong++;
  }
  return { starts, stops, touched, first, covered, found, wrong };
}

/** The parts of a stretch that lie in no event. */
export function outside(start: number, stop: number, truth: Truth): [number, number][] {
  const parts: [number, number][] = [];
  let at = start;
  for (let e = firstAfter(truth.stops, start); e < truth.starts.length && truth.starts[e] < stop; e++) {
    if (truth.starts[e] > at) parts.push([at, truth.starts[e]]);
    at = Math.max(at, truth.stops[e]);
  }
  if (at < stop) parts.push([at, stop]);
  return parts;
}

/** The first place at which ascending values exceed a value. */
export function firstAfter(values: ArrayLike<number>, value: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The middle of some numbers; of an even count the mean of the two; NaN of none. */
export function median(values: ArrayLike<number>): number {
  const order = Float64Array.from(values).sort();
  const last = order.length - 1;
  return order.length ? (order[last >> 1] + order[(last + 1) >> 1]) / 2 : NaN;
}
