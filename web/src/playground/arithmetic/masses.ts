// Masses: sorted adjusted scores of event points and of normal points. Any threshold is two searches.

import type { Truth } from "../../truth";

export interface Rates {
  f: number;
  precision: number;
  recall: number;
}

export interface Counts {
  found: number;
  wrong: number;
  truth: number;
}

export interface Best {
  threshold: number;
  value: number;
}

export class Masses {
  constructor(
    readonly hits: Float64Array,
    readonly falls: Float64Array,
  ) {}

  at(threshold: number): Rates {
    const { found, wrong, truth } = this.counts(threshold);
    return rates(found, wrong, truth);
  }

  counts(threshold: number): Counts {
    return { found: above(this.hits, threshold), wrong: above(this.falls, threshold), truth: this.hits.length };
  }

  /** The highest threshold at which F1 is best, among all distinct scores and -inf. Without events it is silence, where F1 is undefined. */
  best(): Best {
    let { threshold, value } = { threshold: this.highest() + 0, value: NaN };
    if (!this.hits.length) return { threshold, value };
    let h = this.hits.length;
    let f = this.falls.length;
    for (let level = this.highest(); ; level = this.below(h, f)) {
      while (h && this.hits[h - 1] > level) h--;
      while (f && this.falls[f - 1] > level) f--;
      const now = rates(this.hits.length - h, this.falls.length - f, this.hits.length).f;
      if (now > value || (Number.isNaN(value) && !Number.isNaN(now))) [threshold, value] = [level + 0, now];
      if (level === -Infinity) return { threshold, value };
      while (h && this.hits[h - 1] === level) h--;
      while (f && this.falls[f - 1] === level) f--;
    }
  }

  private highest(): number {
    return this.below(this.hits.length, this.falls.length);
  }

  private below(h: number, f: number): number {
    return Math.max(h ? this.hits[h - 1] : -Infinity, f ? this.falls[f - 1] : -Infinity);
  }
}

export function rates(found: number, wrong: number, truth: number): Rates {
  return {
    f: (2 * found) / (truth + found + wrong),
    precision: found / (found + wrong),
    recall: found / truth,
  };
}

/** Count the values above a threshold. */
export function above(ascending: Float64Array, threshold: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] <= threshold) low = middle + 1;
    else high = middle;
  }
  return ascending.length - low;
}

/** Take the values where the mask is 1, in order. */
export function sorted(values: Float64Array, mask: Uint8Array): Float64Array {
  const taken = new Float64Array(mask.reduce((sum, one) => sum + one, 0));
  let place = 0;
  for (let i = 0; i < values.length; i++) if (mask[i]) taken[place++] = values[i];
  return taken.sort();
}

export function masses(adjusted: Float64Array, truth: Truth): Masses {
  return new Masses(sorted(adjusted, truth.label), sorted(adjusted, truth.normal));
}
