// The thresholds of a detector, and what Python counted at each. Nothing is computed here: a place is looked up.

import { floats, type Packed } from "../payload";

const COLUMNS = ["flagged", "found", "right", "wrong", "per_week", "delay", "slowest"] as const;
type Column = (typeof COLUMNS)[number];
export type GivenLevels = Record<Column | "levels", Packed> & { texts: string[]; exact: boolean };

export class Levels {
  /** Falling; the last one is -inf, above which everything lies. */
  readonly at: Float64Array;
  /** Each as short as it flags the same points. */
  readonly texts: string[];
  /** Whether these are all thresholds that make a difference. */
  readonly exact: boolean;
  private readonly columns: Record<Column, Float64Array>;

  constructor(given: GivenLevels) {
    this.at = floats(given.levels);
    this.texts = given.texts;
    this.exact = given.exact;
    this.columns = Object.fromEntries(COLUMNS.map((name) => [name, floats(given[name])])) as Record<Column, Float64Array>;
  }

  of(column: Column, place: number): number {
    return this.columns[column][place];
  }

  get last(): number {
    return this.at.length - 1;
  }

  /** The level that flags the same points as a threshold: the highest that is not above it; of chosen ones the lowest that is not below. */
  place(threshold: number): number {
    const first = firstWhere(this.at.length, (i) => this.at[i] <= threshold);
    return this.exact || this.at[first] === threshold ? Math.min(first, this.last) : Math.max(0, first - 1);
  }

  /** The first level below a value. */
  below(value: number): number {
    return Math.min(firstWhere(this.at.length, (i) => this.at[i] < value), this.last);
  }

  /** The lowest level at which at most so many points are flagged. */
  flagging(most: number): number {
    return Math.max(0, firstWhere(this.at.length, (i) => this.columns.flagged[i] > most) - 1);
  }
}

/** The first of some places from which on something holds. */
function firstWhere(length: number, holds: (place: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
