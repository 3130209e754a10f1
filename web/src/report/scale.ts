// The slider's scale: a thousand steps between "everything is flagged" and "nothing is flagged".

import { drawable } from "../columns";
import { above } from "../sweep/masses";
import type { Detector } from "./data";

export const STEPS = 1000;
export type Evenly = "score" | "alarms";

export interface Scale {
  readonly evenly: Evenly;
  threshold(step: number): number;
  step(threshold: number): number;
}

/** Even steps of the score, or even ratios of the number of alarms. */
export function scale(of: Detector, evenly: Evenly): Scale {
  const { low, high } = range(of.ascending);
  const n = of.ascending.length;
  if (evenly === "score") {
    const span = high - low || 1;
    return {
      evenly,
      threshold: (step) => (step <= 0 ? -Infinity : step >= STEPS ? of.ascending[n - 1] : low + ((high - low) * step) / STEPS),
      step: (threshold) => clip(((threshold - low) / span) * STEPS),
    };
  }
  return {
    evenly,
    threshold(step) {
      if (step <= 0) return -Infinity;
      const flagged = Math.round((n + 1) ** (1 - step / STEPS) - 1);
      return flagged >= n ? -Infinity : of.ascending[n - 1 - flagged];
    },
    step: (threshold) => clip((1 - Math.log(above(of.ascending, threshold) + 1) / Math.log(n + 1)) * STEPS),
  };
}

/** Steps of the score, unless the highest hundredth of the points would share a sliver of them. */
export function fitting(of: Detector): Evenly {
  const { low, high } = range(of.ascending);
  const rare = of.ascending[Math.floor(0.99 * (of.ascending.length - 1))];
  return (high - rare) / (high - low || 1) >= 0.05 ? "score" : "alarms";
}

/** The lowest and the highest score that can be drawn. */
export function range(ascending: Float64Array): { low: number; high: number } {
  const low = ascending.find(drawable) ?? 0;
  let last = ascending.length - 1;
  while (last > 0 && ascending[last] === Infinity) last--;
  return { low, high: Math.max(low, ascending[last]) };
}

const clip = (step: number): number => Math.max(0, Math.min(STEPS, Number.isNaN(step) ? 0 : step));
