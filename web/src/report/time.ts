// Places in time, in words: a date where there are dates, else the number of the point.

import { count, general } from "../numbers";
import type { Data } from "./data";

/** Name a point; the wider the stretch on show, the coarser. */
export function placeWords(data: Data, point: number, span: number): string {
  const i = Math.round(point);
  if (!data.time) return count(i - seriesStart(data, i));
  const value = data.time[Math.max(0, Math.min(i, data.truth.n - 1))];
  if (!data.dates) return general(value);
  const text = data.dates.format(value * 1000);
  const far = i + Math.round(span) < data.truth.n ? i + Math.round(span) : Math.max(0, i - Math.round(span));
  const stop = data.time[far];
  if (Math.abs(stop - value) > 86400 * 3) return text.slice(0, 10);
  return span > 1 || text.endsWith(":00") ? text.slice(0, 16) : text;
}

/** A half-open stretch: points as [start, stop), dates as "from to". */
export function stretchWords(data: Data, start: number, stop: number): string {
  if (!data.time) {
    const first = seriesStart(data, start);
    return `[${start - first}, ${stop - first})`;
  }
  return `${placeWords(data, start, 1)} to ${placeWords(data, stop - 1, 1)}`;
}

/** How long a number of points is, in time, where there are dates. */
export function spanWords(data: Data, start: number, points: number): string {
  if (!data.time || !data.dates || Number.isNaN(points)) return "";
  const seconds = data.time[Math.min(start + points, data.truth.n - 1)] - data.time[start];
  const [size, unit] = UNITS.find(([least]) => seconds >= least) ?? [1, "s"];
  return `${general(seconds / size, 3)} ${unit}`;
}

const UNITS: [number, string][] = [[86400, "d"], [3600, "h"], [60, "min"]];

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
