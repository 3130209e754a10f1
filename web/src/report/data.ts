// The report's data: detectors, series, time, and the truth they are compared with.

import { floats, integers, mask, type Packed, real, scores } from "../payload";
import { type Truth, truth } from "../truth";
import { Axis, Calendar } from "./axis";
import { type GivenLevels, Levels } from "./levels";
import { type GivenMetric, Metric } from "./metric";
import { type Precision, rounded } from "./scale";
import type { GivenThings } from "./things";
import type { GivenWindows } from "./windows";

type Number = number | string | null;

/** What the command line says of a detector at the threshold that was given; NaN where nothing is known. */
interface GivenVerdict {
  tested: boolean;
  better: boolean;
  hardly: boolean;
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

interface GivenDetector extends GivenLevels {
  name: string;
  scores: Packed | null;
  overview: Record<"low" | "high" | "hits" | "falls", Packed> | null;
  precision: Precision;
  flags: boolean;
  at: Number;
  at_text: string;
  given: number;
  chosen_by: string;
  rule: string;
  command: string;
  events: { peaks: Packed; codes: Packed };
  metrics: GivenMetric[];
  family: [number, number, number] | null;
  machine: GivenMachine | null;
  verdict: GivenVerdict;
}

/** What the alarms score at every other place, by some of the metrics, at the given threshold. */
export interface GivenMachine {
  of: number[];
  /** Whether these are all places, one point after the other. */
  exact: boolean;
  metrics: { home: number; values: Packed }[];
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
  /** How many points each column has. */
  columns: Packed;
  /** The seconds that were judged; without times the points. */
  watched: number;
  time: { date: boolean; zone: string | null; first: number; step: number | null; values: Packed | null } | null;
  signals: { name: string; values: Packed }[];
  detectors: GivenDetector[];
  compared: boolean;
  windows: GivenWindows | null;
}

export interface Detector {
  readonly name: string;
  readonly scores: Float64Array;
  readonly precision: Precision;
  readonly flags: boolean;
  /** The threshold that was given, its text, and its level. */
  readonly given: number;
  readonly givenText: string;
  readonly givenPlace: number;
  readonly chosenBy: string;
  readonly rule: string;
  /** What picks a threshold for new data. */
  readonly command: string;
  readonly levels: Levels;
  /** The highest score of each event, and from which level on it is found. */
  readonly peaks: Float64Array;
  readonly codes: Float64Array;
  /** The main one first. */
  readonly metrics: Metric[];
  /** F1, PA and BA, where the main metric is that. */
  readonly family: [Metric, Metric, Metric] | null;
  readonly machine: GivenMachine | null;
  readonly verdict: Verdict;
  /** Extremes of columns, and from which level on they hold alarms, where the series is too long for every score. */
  readonly overview: Record<"low" | "high" | "hits" | "falls", Float64Array> | null;
}

export interface Data {
  readonly title: string;
  readonly version: string;
  readonly truth: Truth;
  readonly detectors: Detector[];
  readonly series: string[];
  /** Where each series begins, closed by n; a gap in time is in the bounds of the truth alone. */
  readonly wholes: Int32Array;
  /** Where each column begins, closed by n. */
  readonly columns: Int32Array;
  readonly watched: number;
  readonly time: Float64Array | null;
  readonly calendar: Calendar | null;
  readonly signals: { name: string; values: Float64Array }[];
  /** Whether the page is about what changed from the first detector to the second. */
  readonly compared: boolean;
  readonly windows: GivenWindows | null;
}

export function readData(given: Given): Data {
  const judged = given.judged && mask(given.judged);
  const all = truth(given.n, integers(given.starts), integers(given.stops), integers(given.bounds), judged);
  const { title, version, series, compared, windows, watched } = given;
  return {
    title,
    version,
    series,
    compared,
    windows,
    watched,
    truth: all,
    detectors: given.detectors.map((one) => detector(one, all)),
    wholes: integers(given.series_bounds),
    columns: ends(floats(given.columns)),
    time: times(given.time, given.n),
    calendar: given.time?.date ? new Calendar(given.time.zone) : null,
    signals: given.signals.map(({ name, values }) => ({ name, values: floats(values) })),
  };
}

/** Where parts of these widths begin, closed by the end. */
function ends(widths: Float64Array): Int32Array {
  const found = new Int32Array(widths.length + 1);
  widths.forEach((width, c) => (found[c + 1] = found[c] + width));
  return found;
}

function times(time: Given["time"], n: number): Float64Array | null {
  if (!time) return null;
  if (time.values) return floats(time.values);
  const found = new Float64Array(n);
  for (let i = 0; i < n; i++) found[i] = time.first + i * (time.step ?? 0);
  return found;
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
  const levels = new Levels(given);
  const metrics = given.metrics.map((one, place) => new Metric(one, place));
  const drawn = given.scores ? scores(given.scores, levels.at) : new Float64Array(0);
  if (all.judged && drawn.length) for (let i = 0; i < all.n; i++) if (!all.judged[i]) drawn[i] = -Infinity;
  const { name, precision, flags, rule, command, machine, overview } = given;
  return {
    name,
    precision,
    flags,
    rule,
    command,
    machine,
    levels,
    metrics,
    scores: drawn,
    given: real(given.at),
    givenText: given.at_text,
    givenPlace: given.given,
    chosenBy: given.chosen_by,
    peaks: floats(given.events.peaks),
    codes: floats(given.events.codes),
    family: given.family && (given.family.map((place) => metrics[place]) as [Metric, Metric, Metric]),
    verdict: verdict(given.verdict),
    overview: overview && { low: floats(overview.low), high: floats(overview.high), hits: floats(overview.hits), falls: floats(overview.falls) },
  };
}

function verdict(given: GivenVerdict): Verdict {
  const { value, chance, chance_low, chance_high, low, high, p, p_nearby, p_adjusted } = given;
  const numbers = { value, chance, chance_low, chance_high, low, high, p, p_nearby, p_adjusted };
  const read = Object.entries(numbers).map(([name, one]) => [name, real(one)]);
  return { ...given, ...(Object.fromEntries(read) as Record<Numbers, number>) };
}

/** The level of a threshold that somebody chose. */
export const placeOf = (of: Detector, threshold: number): number => (threshold === of.given ? of.givenPlace : of.levels.place(rounded(threshold, of.precision)));
