// Places in time, in words: a date where there are dates, else the number of the point.

import { count, general } from "../numbers";
import type { Data } from "./data";

/** Name a point; the wider the stretch on show, the coarser. */
export function placeWords(data: Data, point: number, span: number): string {
  const i = Math.round(point);
  if (!data.time) return count(i - seriesStart(data, i));
  const value = data.time[Math.max(0, Math.min(i, data.truth.n - 1))];
  if (!data.dates) return general(value);
  const text = new Date(value * 1000).toISOString();
  const stop = data.time[Math.min(i + Math.round(span), data.truth.n - 1)];
  const seconds = Math.abs(stop - value);
  if (seconds > 86400 * 3) return text.slice(0, 10);
  return text.slice(0, span > 1 ? 16 : 19).replace("T", " ");
}

/** A half-open stretch: points as [start, stop), dates as "from to". */
export function stretchWords(data: Data, start: number, stop: number): string {
  if (!data.time) {
    const first = seriesStart(data, start);
    return `[${start - first}, ${stop - first})`;
  }
  return `${placeWords(data, start, 1)} to ${placeWords(data, stop - 1, 1)}`;
}

/** The number of the series that a point lies in. */
export function seriesAt(data: Data, point: number): number {
  const { bounds } = data.truth;
  let [low, high] = [0, bounds.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (bounds[middle] <= point) low = middle;
    else high = middle - 1;
  }
  return low;
}

const seriesStart = (data: Data, point: number): number => data.truth.bounds[seriesAt(data, point)];
