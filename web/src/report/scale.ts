// The slider's scale: even in the logarithm of how many points are flagged, from all of them to none.

import type { Detector } from "./data";

export const STEPS = 1000;

/** How many points are judged: so many are flagged at the lowest level. */
export const points = ({ levels }: Detector): number => levels.of("flagged", levels.last);

/** Where a level stands on the slider, between 0 and 1. */
export const along = (of: Detector, place: number): number => share(of.levels.of("flagged", place), points(of));

const share = (flagged: number, all: number): number => 1 - Math.log1p(flagged) / Math.log1p(all);

/** The level at a share of the way. */
export const placeAt = (of: Detector, way: number): number => (way <= 0 ? of.levels.last : of.levels.flagging(Math.round(Math.expm1((1 - way) * Math.log1p(points(of))))));

/** So many levels further up or down. */
export const stepped = (of: Detector, place: number, by: number): number => Math.max(0, Math.min(of.levels.last, place - by));

/** A threshold as it was typed or given, else in the text of its level. */
export function shownThreshold(of: Detector, threshold: number, place: number): string {
  if (threshold === of.given) return of.givenText || "inf";
  if (threshold === of.levels.at[place]) return of.levels.texts[place];
  return Number.isFinite(threshold) ? String(threshold) : threshold < 0 ? "-inf" : "inf";
}

/** The marks below the slider: all flagged, a tenth, a hundredth, ... */
export const MARKS: [number, string][] = [[1, "all points flagged"], [0.1, "10 %"], [0.01, "1 %"], [0.001, "0.1 %"]];

export const markAt = (of: Detector, part: number): number => share(part * points(of), points(of));

/** The type of the scores. */
export type Precision = "f8" | "f4" | "f2";

/** Round a threshold as the scores were rounded: 0.1 as float32 is not 0.1. */
export function rounded(threshold: number, precision: Precision): number {
  if (precision === "f8" || !Number.isFinite(threshold)) return threshold;
  const near = precision === "f4" ? Math.fround(threshold) : half(threshold);
  return Number.isFinite(near) ? near : threshold;
}

/** Round to half precision: 11 significant bits, steps of 2^-24 near zero, ties to even. */
function half(value: number): number {
  if (value === 0) return value;
  const exponent = Math.max(Math.floor(Math.log2(Math.abs(value))), -14);
  const step = 2 ** (exponent - 10);
  const low = Math.floor(value / step);
  const over = value / step - low;
  const near = (over > 0.5 || (over === 0.5 && low % 2 !== 0) ? low + 1 : low) * step;
  return Math.abs(near) > 65504 ? Math.sign(value) * Infinity : near;
}
