// The slider's scale: even in the logarithm of how many points are flagged, from all of them to none.

import { exact, general } from "../numbers";
import { firstAfter } from "../sweep/alarms";
import { above } from "../sweep/masses";
import { rounded } from "../sweep/thresholds";
import type { Detector } from "./data";

export const STEPS = 1000;

/** Where a threshold stands on the slider, between 0 and 1. */
export const along = (of: Detector, threshold: number): number => share(above(of.ascending, threshold), of.ascending.length);

const share = (flagged: number, points: number): number => 1 - Math.log1p(flagged) / Math.log1p(points);

/** The threshold at a share of the way: the highest score that flags at least so many points. */
export function thresholdAt(of: Detector, way: number): number {
  const points = of.ascending.length;
  if (way <= 0) return -Infinity;
  const flagged = Math.round(Math.expm1((1 - way) * Math.log1p(points)));
  return flagged >= points ? -Infinity : of.ascending[points - 1 - flagged];
}

/** So many distinct scores further up or down; below the lowest everything is flagged. */
export function stepped({ ascending }: Detector, threshold: number, by: number): number {
  let at = threshold;
  for (let step = 0; step < Math.abs(by); step++) {
    const above = firstAfter(ascending, at); // the points from here on are flagged
    if (by > 0 && above === ascending.length) return at;
    if (by < 0 && above === 0) return -Infinity;
    at = by > 0 ? ascending[above] : below(ascending, ascending[above - 1]);
  }
  return at;
}

/** The highest value below another; -inf where there is none. */
export function below(ascending: Float64Array, value: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low ? ascending[low - 1] : -Infinity;
}

/** The shortest text, from four digits on, that flags the same points: a threshold is never rounded across a score. */
export function shownThreshold(of: Detector, threshold: number): string {
  if (!Number.isFinite(threshold)) return threshold < 0 ? "-inf" : "inf";
  if (of.overview) return exact(threshold); // its scores are not all known here
  const flagged = above(of.ascending, rounded(threshold, of.precision));
  for (let digits = 4; digits < 17; digits++) {
    const size = 10 ** (digits - 1 - Math.floor(Math.log10(Math.abs(threshold) || 1)));
    for (const near of [threshold, Math.floor(threshold * size) / size]) {
      const text = general(near, digits);
      if (above(of.ascending, rounded(Number(text), of.precision)) === flagged) return text;
    }
  }
  return exact(threshold);
}

/** The marks below the slider: all flagged, a tenth, a hundredth, ... */
export const MARKS: [number, string][] = [[1, "all points flagged"], [0.1, "10 %"], [0.01, "1 %"], [0.001, "0.1 %"]];

export const markAt = (of: Detector, part: number): number => share(part * of.ascending.length, of.ascending.length);
