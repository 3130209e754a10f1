// A look: everything that the page says of one detector at one threshold. Each number is computed here, and nowhere else.

import { type Alarms, alarmsOf, median } from "../sweep/alarms";
import { type Chance, Ring } from "../sweep/chance";
import { type Name, NAMES } from "../sweep/families";
import type { Rates } from "../sweep/masses";
import type { Truth } from "../sweep/truth";
import type { State } from "./state";

export const WEEK = 7 * 86400;
const AT_REST = 1.5e7; // looks for all places of the alarms
const MOVING = 1.2e5;

export interface Look {
  readonly detector: number;
  readonly truth: Truth;
  /** The first point of what is counted. */
  readonly offset: number;
  /** Null: the series is shown in overview, and single alarms are not known. */
  readonly alarms: Alarms | null;
  readonly rates: Record<Name, Rates>;
  /** Null: there is nothing to move, or these settings cannot be moved here. */
  readonly chance: Chance | null;
  readonly missed: boolean[];
  readonly found: number;
  /** False alarms; NaN where they are not known. */
  readonly wrong: number;
  readonly right: number;
  readonly flagged: boolean;
  /** False alarms in a week of watched time; NaN without times. */
  readonly perWeek: number;
  /** Watched time in seconds, or points. */
  readonly watched: number;
  /** From the start of each event to its first flag, in seconds or points; NaN: missed. */
  readonly delays: Float64Array;
  readonly delay: number;
}

export class Looks {
  private readonly known = new Map<number, { key: string; look: Look }>();
  private readonly rings = new WeakMap<Truth, Map<number, Ring>>();

  constructor(private readonly state: State) {}

  get timed(): boolean {
    return this.state.data.calendar !== null;
  }

  /** The detector as it is now; while a hand moves, chance is that of some places. */
  of(detector = this.state.detector, moving = false): Look {
    const { state } = this;
    const { settings, everySeries, series } = state;
    const key = JSON.stringify([String(state.threshold(detector)), settings, everySeries || series, moving]);
    const found = this.known.get(detector);
    if (found?.key === key) return found.look;
    const look = this.at(detector, state.threshold(detector), moving ? MOVING : AT_REST);
    this.known.set(detector, { key, look });
    return look;
  }

  /** The same at another threshold, without chance. */
  at(detector: number, threshold: number, budget = 0): Look {
    const { state } = this;
    const families = state.families(detector);
    const { overview } = state.data.detectors[detector];
    const alarms = overview ? null : alarmsOf(families.scores, families.truth, threshold);
    const rates = Object.fromEntries(NAMES.map((name) => [name, families.masses(name, state.settings).at(threshold)])) as Look["rates"];
    const ring = budget && alarms?.starts.length && families.truth.starts.length ? this.ring(families.truth) : null;
    const missed = overview ? overview.receipt(threshold).events.map((row) => !row.found) : Array.from(alarms!.first, (first) => first < 0);
    const watched = this.watched(families.truth);
    const wrong = alarms ? alarms.wrong : NaN;
    const delays = this.delays(alarms, families.truth);
    return {
      detector,
      truth: families.truth,
      offset: state.offset,
      alarms,
      rates,
      chance: ring && alarms ? ring.turned(alarms, budget) : null,
      missed,
      found: missed.filter((one) => !one).length,
      wrong,
      right: alarms ? alarms.starts.length - wrong : NaN,
      flagged: alarms ? alarms.starts.length > 0 : state.data.detectors[detector].ascending.at(-1)! > threshold,
      perWeek: this.timed ? (WEEK * wrong) / watched : NaN,
      watched,
      delays,
      delay: median([...delays].filter((late) => !Number.isNaN(late))),
    };
  }

  private ring(truth: Truth): Ring | null {
    const { width, islands, margin } = this.state.settings;
    if (islands !== "normal" || margin) return null; // of these the command line moves the alarms one by one
    const own = this.rings.get(truth) ?? new Map<number, Ring>();
    this.rings.set(truth, own);
    if (!own.has(width)) own.set(width, new Ring(truth, width));
    return own.get(width)!;
  }

  /** Judged points times their step: holes in the data were not watched. */
  private watched(truth: Truth): number {
    const points = truth.judged ? truth.judged.reduce((sum, one) => sum + one, 0) : truth.n;
    return this.timed ? points * this.state.data.step : points;
  }

  private delays(alarms: Alarms | null, truth: Truth): Float64Array {
    const { time } = this.state.data;
    const { offset } = this.state;
    const when = (point: number) => (this.timed && time ? time[point + offset] : point);
    return Float64Array.from(truth.starts, (start, e) => (alarms && alarms.first[e] >= 0 ? when(alarms.first[e]) - when(start) : NaN));
  }
}
