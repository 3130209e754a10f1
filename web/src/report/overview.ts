// A series too long to ship whole: exact counts at some thresholds, and extremes of columns to draw.

import { floats, integers, type Packed } from "../payload";
import { Families, type Name, NAMES } from "../sweep/families";
import { Masses } from "../sweep/masses";
import type { Receipt } from "../sweep/receipt";
import type { Truth } from "../sweep/truth";

type Kind = "low" | "high" | "hits" | "falls" | "counted" | "islands";

export interface GivenOverview {
  levels: Packed;
  counts: Record<Name, { found: Packed; wrong: Packed }>;
  starts: Packed;
  columns: Record<Kind, Packed>;
  event_highs: Packed;
}

/** Masses that Python counted, whatever the settings: those cannot be changed here. */
class CountedFamilies extends Families {
  constructor(
    truth: Truth,
    private readonly known: Record<Name, Masses>,
  ) {
    super(new Float64Array(0), truth);
  }

  override masses(name: Name): Masses {
    return this.known[name];
  }
}

export class Overview {
  readonly families: Families;
  /** The judged scores, each raised to the next threshold: counts at the thresholds stay exact. */
  readonly ascending: Float64Array;
  /** Falling. */
  private readonly levels: Float64Array;
  private readonly starts: Int32Array;
  private readonly columns: Record<Kind, Float64Array>;
  private readonly highs: Float64Array;

  constructor(
    given: GivenOverview,
    private readonly truth: Truth,
  ) {
    this.levels = floats(given.levels);
    this.starts = integers(given.starts);
    this.highs = floats(given.event_highs);
    const kinds = Object.entries(given.columns).map(([kind, packed]) => [kind, floats(packed)]);
    this.columns = Object.fromEntries(kinds) as Record<Kind, Float64Array>;
    const expand = (packed: Packed) => expanded(this.levels, integers(packed));
    const counted = NAMES.map((name) => [name, new Masses(expand(given.counts[name].found), expand(given.counts[name].wrong))]);
    this.families = new CountedFamilies(truth, Object.fromEntries(counted) as Record<Name, Masses>);
    const [found, wrong] = [integers(given.counts.f1.found), integers(given.counts.f1.wrong)];
    this.ascending = expanded(this.levels, found.map((count, i) => count + wrong[i]));
  }

  /** The lowest threshold that is at least this one; the highest of all, if there is none. */
  nearest(threshold: number): number {
    const higher = this.levels.filter((level) => level >= threshold);
    return higher.length ? higher[higher.length - 1] : this.levels[0];
  }

  /** The stretches whose columns hold a value above a threshold. */
  above(kind: "hits" | "falls" | "counted" | "islands", threshold: number, from: number, to: number): [number, number][] {
    const found: [number, number][] = [];
    this.within(from, to, (column, start, stop) => {
      if (!(this.columns[kind][column] > threshold)) return;
      const last = found.at(-1);
      if (last?.[1] === start) last[1] = stop;
      else found.push([start, stop]);
    });
    return found;
  }

  /** The lowest and highest score of each column, counted from the first point of a series. */
  extremes(from: number, to: number): { starts: Int32Array; low: Float64Array; high: Float64Array } {
    const chosen: number[] = [];
    this.within(from, to, (column) => chosen.push(column));
    const of = (kind: Kind) => Float64Array.from(chosen, (column) => this.columns[kind][column]);
    return { starts: Int32Array.from(chosen, (column) => this.starts[column] - from), low: of("low"), high: of("high") };
  }

  /** Events are found or missed; single alarms are not known here. */
  receipt(threshold: number): Receipt {
    const events = Array.from(this.truth.starts, (start, e) => {
      const stop = this.truth.stops[e];
      const found = this.highs[e] > threshold;
      return { start, stop, found, covered: NaN, delay: NaN, weight: stop - start, credit: found ? stop - start : 0 };
    });
    return { events, alarms: [], runs: 0 };
  }

  private within(from: number, to: number, use: (column: number, start: number, stop: number) => void): void {
    for (let column = 0; column < this.starts.length; column++) {
      const start = this.starts[column];
      const stop = this.starts[column + 1] ?? this.truth.n;
      if (stop > from && start < to) use(column, start, stop);
    }
  }
}

/** Values in order of which so many lie above each of the falling levels. */
function expanded(levels: Float64Array, above: Int32Array): Float64Array {
  const values = new Float64Array(above[above.length - 1] ?? 0);
  let done = 0;
  levels.forEach((_, i) => {
    const upper = i ? levels[i - 1] : Infinity;
    values.fill(upper, values.length - above[i], values.length - done);
    done = above[i];
  });
  return values;
}
