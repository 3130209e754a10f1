// The four F1 scores of one detector: as it is, PA, K%-PA and BA, ready for any threshold.

import { balanced, covered, pointAdjusted, type Settings } from "./adjust";
import { Masses, masses, sorted } from "./masses";
import type { Truth } from "../../truth";

export const NAMES = ["f1", "f1_pa", "f1_kpa", "f1_ba"] as const;
export type Name = (typeof NAMES)[number];
export { SCORES as TITLES } from "../../look";

export class Families {
  private readonly made = new Map<Name, { key: string; masses: Masses }>();
  private readonly counted = new Map<Name, { key: string; scores: Float64Array }>();

  constructor(
    readonly scores: Float64Array,
    readonly truth: Truth,
  ) {}

  /** The adjusted scores; those of the last settings are remembered. */
  adjusted(name: Name, settings: Settings): Float64Array {
    const key = settingsKey(name, settings);
    const known = this.counted.get(name);
    if (known?.key === key) return known.scores;
    const scores = adjust(name, this.scores, this.truth, settings);
    this.counted.set(name, { key, scores });
    return scores;
  }

  masses(name: Name, settings: Settings): Masses {
    const key = settingsKey(name, settings);
    const known = this.made.get(name);
    if (known?.key === key) return known.masses;
    const adjusted = this.adjusted(name, settings);
    const found =
      name === "f1_pa" || name === "f1_kpa" // their normal points are those of F1: sorted once
        ? new Masses(sorted(adjusted, this.truth.label), this.masses("f1", settings).falls)
        : masses(adjusted, this.truth);
    this.made.set(name, { key, masses: found });
    return found;
  }
}

export function adjust(name: Name, scores: Float64Array, truth: Truth, settings: Settings): Float64Array {
  if (name === "f1_pa") return pointAdjusted(scores, truth);
  if (name === "f1_kpa") return covered(scores, truth, settings.k);
  return name === "f1_ba" ? balanced(scores, truth, settings) : scores;
}

/** What of the settings a score depends on. */
export function settingsKey(name: Name, { k, width, islands, margin }: Settings): string {
  return name === "f1_kpa" ? `${k}` : name === "f1_ba" ? `${width} ${islands} ${margin}` : "";
}
