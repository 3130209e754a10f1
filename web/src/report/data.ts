// The report's data: detectors, series, time, and the truth they are compared with.

import { floats, integers, mask, type Packed, real } from "../payload";
import type { Settings } from "../sweep/adjust";
import { Families } from "../sweep/families";
import { above } from "../sweep/masses";
import type { Precision } from "../sweep/thresholds";
import { oneSeries, type Truth, truth } from "../sweep/truth";
import { Axis, Calendar } from "./axis";
import { type GivenOverview, Overview } from "./overview";
import type { GivenThings } from "./things";
import type { GivenWindows } from "./windows";

type Number = number | string | null;

/** What the command line says of a detector at the threshold that was given; NaN where nothing is known. */
interface GivenVerdict {
  tested: boolean;
  better: boolean;
  below: boolean;
  value: Number;
  chance: Number;
  chance_low: Number;
  chance_high: Number;
  low: Number;
  high: Number;
  p: Number;
  p_nearby: Number;
  p_adjusted: Number;
  needed: number | null;
  cite: string;
}

type Numbers = "value" | "chance" | "chance_low" | "chance_high" | "low" | "high" | "p" | "p_nearby" | "p_adjusted";
export type Verdict = Omit<GivenVerdict, Numbers> & Record<Numbers, number>;

interface GivenDetector {
  name: string;
  scores: Packed | null;
  overview: GivenOverview | null;
  precision: Precision;
  flags: boolean;
  at: Number;
  at_text: string;
  chosen_by: string;
  verdict: GivenVerdict;
}

export interface Given {
  title: string;
  version: string;
  things: GivenThings | null;
  n: number;
  starts: Packed;
  stops: Packed;
  bounds: Packed;
  judged: Packed | null;
  series: string[];
  /** Where each series begins; `bounds` has the gaps in time as well, which nothing crosses. */
  series_bounds: Packed;
  /** Seconds for which a point stands. */
  step: number | null;
  time: { date: boolean; zone: string | null; first: number; step: number | null; values: Packed | null } | null;
  signals: { name: string; values: Packed }[];
  settings: Settings;
  detectors: GivenDetector[];
  compared: boolean;
  windows: GivenWindows | null;
}

export interface Detector {
  readonly name: string;
  readonly scores: Float64Array;
  readonly precision: Precision;
  readonly flags: boolean;
  readonly given: number;
  readonly givenText: string;
  readonly chosenBy: string;
  readonly verdict: Verdict;
  /** The scores of judged points, in order. */
  readonly ascending: Float64Array;
  readonly whole: Families;
  /** Columns to draw and counts at some thresholds, where the series is too long for every score. */
  readonly overview: Overview | null;
}

export interface Data {
  readonly title: string;
  readonly version: string;
  readonly truth: Truth;
  readonly detectors: Detector[];
  readonly series: string[];
  /** Where each series begins, closed by n; a gap in time is in the bounds of the truth alone. */
  readonly wholes: Int32Array;
  readonly step: number;
  readonly time: Float64Array | null;
  readonly calendar: Calendar | null;
  readonly signals: { name: string; values: Float64Array }[];
  readonly settings: Settings;
  /** Whether the page is about what changed from the first detector to the second. */
  readonly compared: boolean;
  readonly windows: GivenWindows | null;
}

export function readData(given: Given): Data {
  const judged = given.judged && mask(given.judged);
  const all = truth(given.n, integers(given.starts), integers(given.stops), integers(given.bounds), judged);
  return {
    title: given.title,
    version: given.version,
    truth: all,
    detectors: given.detectors.map((one) => detector(one, all)),
    series: given.series,
    wholes: integers(given.series_bounds),
    step: real(given.step),
    time: times(given.time, given.n),
    calendar: given.time?.date ? new Calendar(given.time.zone) : null,
    signals: given.signals.map(({ name, values }) => ({ name, values: floats(values) })),
    settings: given.settings,
    compared: given.compared,
    windows: given.windows,
  };
}

function times(time: Given["time"], n: number): Float64Array | null {
  if (!time) return null;
  if (time.values) return floats(time.values);
  return Float64Array.from({ length: n }, (_, i) => time.first + i * (time.step ?? 0));
}

/** The axis of one series: its times where they rise, else the numbers of its points. */
export function axisOf(data: Data, series: number, folded: boolean): Axis {
  const [first, stop] = [data.wholes[series], data.wholes[series + 1]];
  const own = data.time?.slice(first, stop);
  const rises = own?.every((time, i) => !i || time > own[i - 1]);
  if (own && rises) return new Axis(own, data.calendar, folded);
  return new Axis(Float64Array.from({ length: stop - first }, (_, i) => i), null, folded);
}

function detector(given: GivenDetector, all: Truth): Detector {
  const named = {
    name: given.name,
    precision: given.precision,
    flags: given.flags,
    given: real(given.at),
    givenText: given.at_text,
    chosenBy: given.chosen_by,
    verdict: verdict(given.verdict),
  };
  if (given.overview) {
    const overview = new Overview(given.overview, all);
    return { ...named, scores: new Float64Array(0), ascending: overview.ascending, whole: overview.families, overview };
  }
  const scores = given.scores ? floats(given.scores) : new Float64Array(all.n);
  if (all.judged) for (let i = 0; i < all.n; i++) if (!all.judged[i]) scores[i] = -Infinity;
  const judged = all.judged ? scores.filter((_, i) => all.judged?.[i]) : scores.slice();
  return { ...named, scores, ascending: judged.sort(), whole: new Families(scores, all), overview: null };
}

function verdict(given: GivenVerdict): Verdict {
  const { value, chance, chance_low, chance_high, low, high, p, p_nearby, p_adjusted } = given;
  const numbers = { value, chance, chance_low, chance_high, low, high, p, p_nearby, p_adjusted };
  const read = Object.entries(numbers).map(([name, one]) => [name, real(one)]);
  return { ...given, ...(Object.fromEntries(read) as Record<Numbers, number>) };
}

/** The points of one series of a detector, to be counted by themselves. */
export function withinSeries(data: Data, of: Detector, series: number): Families {
  const [first, stop] = [data.wholes[series], data.wholes[series + 1]];
  return new Families(of.scores.slice(first, stop), oneSeries(data.truth, first, stop));
}

/** Count the judged points above a threshold. */
export const flagged = (of: Detector, threshold: number): number => above(of.ascending, threshold);
