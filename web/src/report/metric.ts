// A metric as Python has it at every threshold: its values, the best one, chance, and its receipts.

import { fixed, general } from "../numbers";
import { column, floats, type Packed, real } from "../payload";

type Cells = Packed | (number | string | null)[];
type Named<K extends string> = Record<K, Cells>;
const EVENTS = ["event", "found", "covered", "earned", "lost", "gain"] as const;
const ALARMS = ["start", "stop", "from", "to", "event", "alarm", "touches", "cost", "gain", "peak"] as const;

interface GivenReceipt {
  sums: string;
  events: Named<(typeof EVENTS)[number]>;
  alarms: Named<(typeof ALARMS)[number]>;
}

export interface GivenMetric {
  /** "f1_ba", or "other". */
  name: string;
  title: string;
  spec: string;
  asked: boolean;
  lower: boolean;
  least: number | null;
  most: number | null;
  value: Packed;
  precision: Packed | null;
  recall: Packed | null;
  best: number;
  exact: [number, number | string | null][];
  chance: Record<"at" | "level" | "low" | "high" | "again" | "others" | "tone", Packed> | null;
  lanes: Record<"credited" | "charged", Packed> | null;
  receipts: Record<string, GivenReceipt>;
}

/** What chance scores: the level, and from where to where nine places of ten lie. */
export interface Level {
  level: number;
  low: number;
  high: number;
}

export interface ChanceAt extends Level {
  /** The level at which it was computed: the nearest one. */
  place: number;
  /** How many other places do as well, and how many there are. */
  again: number;
  others: number;
  tone: "unclear" | "hardly" | "above";
}

export interface Receipt {
  sums: string;
  events: Record<(typeof EVENTS)[number], Float64Array>;
  alarms: Record<(typeof ALARMS)[number], Float64Array>;
}

export class Metric {
  readonly name: string;
  readonly title: string;
  readonly spec: string;
  readonly asked: boolean;
  readonly lower: boolean;
  readonly least: number | null;
  readonly most: number | null;
  readonly best: number;
  /** The levels at which costs are known. */
  readonly stops: number[];
  /** From which level on each column is credited, and charged. */
  readonly lanes: Record<"credited" | "charged", Float64Array> | null;
  private readonly values: Float64Array;
  private readonly precisions: Float64Array | null;
  private readonly recalls: Float64Array | null;
  private readonly chances: Record<"at" | "level" | "low" | "high" | "again" | "others" | "tone", Float64Array> | null;
  private readonly receipts: Record<string, GivenReceipt>;

  /** How it is drawn: one of the four in its own colour, others in turn, the main one as BA is. */
  readonly class: string;

  constructor(given: GivenMetric, place: number) {
    this.class = given.name !== "other" ? given.name : place ? `other o${place % 4}` : "f1_ba";
    ({ name: this.name, title: this.title, spec: this.spec, asked: this.asked, lower: this.lower, least: this.least, most: this.most, best: this.best, receipts: this.receipts } = given);
    this.values = floats(given.value);
    for (const [place, value] of given.exact) this.values[place] = real(value);
    this.precisions = given.precision && floats(given.precision);
    this.recalls = given.recall && floats(given.recall);
    this.chances = given.chance && opened(given.chance);
    this.lanes = given.lanes && opened(given.lanes);
    this.stops = Object.keys(given.receipts).map(Number).sort((a, b) => a - b);
  }

  at(place: number): number {
    return this.values[place];
  }

  precision(place: number): number {
    return this.precisions ? this.precisions[place] : NaN;
  }

  recall(place: number): number {
    return this.recalls ? this.recalls[place] : NaN;
  }

  /** What an always-on alarm scores. */
  get always(): number {
    return this.values[this.values.length - 1];
  }

  /** Chance at the nearest level at which it was computed. */
  chance(place: number): ChanceAt | null {
    const { chances } = this;
    if (!chances) return null;
    const far = (k: number) => Math.abs(chances.at[k] - place);
    let nearest = 0;
    for (let k = 1; k < chances.at.length; k++) if (far(k) < far(nearest)) nearest = k;
    const [level, low, high, again, others] = (["level", "low", "high", "again", "others"] as const).map((name) => chances[name][nearest]);
    return { place: chances.at[nearest], level, low, high, again, others, tone: (["unclear", "hardly", "above"] as const)[chances.tone[nearest]] };
  }

  /** The rows at a level; null: costs are not known there. */
  receipt(place: number): Receipt | null {
    const given = this.receipts[place];
    if (!given) return null;
    const read = <K extends string>(names: readonly K[], table: Named<K>) => Object.fromEntries(names.map((name) => [name, column(table[name])])) as Record<K, Float64Array>;
    return { sums: given.sums, events: read(EVENTS, given.events), alarms: read(ALARMS, given.alarms) };
  }

  /** A value as short as a headline has it. */
  short(value: number): string {
    return Number.isNaN(value) ? "–" : this.most === 1 ? fixed(value, 2) : general(value, 4);
  }

  /** Whether it can be drawn between 0 and 1. */
  get isShare(): boolean {
    return this.most === 1 && this.least !== null;
  }
}

const opened = <K extends string>(given: Record<K, Packed>): Record<K, Float64Array> =>
  Object.fromEntries(Object.entries(given).map(([name, packed]) => [name, floats(packed as Packed)])) as Record<K, Float64Array>;
