// The report's data: detectors, series, time, and the truth they are held against.

import { floats, integers, mask, type Packed, payload, real } from "../payload";
import type { Settings } from "../sweep/adjust";
import { Families, type Name } from "../sweep/families";
import { above } from "../sweep/masses";
import type { Precision } from "../sweep/thresholds";
import { type GivenOverview, Overview } from "./overview";
import { oneSeries, type Truth, truth } from "../sweep/truth";

type Number = number | string | null;

export interface Band {
  thresholds: number[];
  mean: number[];
  low: number[];
  high: number[];
}

interface GivenDetector {
  name: string;
  scores: Packed | null;
  overview: GivenOverview | null;
  precision: Precision;
  flags: boolean;
  at: Number;
  chosen_by: string;
  bands: Partial<Record<Name, Record<keyof Band, Number[]>>>;
}

interface Given {
  n: number;
  starts: Packed;
  stops: Packed;
  bounds: Packed;
  judged: Packed | null;
  series: string[];
  time: { date: boolean; zone: string | null; first: number; step: number | null; values: Packed | null } | null;
  settings: Settings;
  shifts: number;
  detectors: GivenDetector[];
}

export interface Detector {
  readonly name: string;
  readonly scores: Float64Array;
  readonly precision: Precision;
  readonly flags: boolean;
  readonly given: number;
  readonly chosenBy: string;
  readonly bands: Partial<Record<Name, Band>>;
  /** The scores of judged points, in order. */
  readonly ascending: Float64Array;
  readonly whole: Families;
  /** Columns to draw and counts at some thresholds, where the series is too long for every score. */
  readonly overview: Overview | null;
}

export interface Data {
  readonly truth: Truth;
  readonly detectors: Detector[];
  readonly series: string[];
  readonly time: Float64Array | null;
  readonly dates: Intl.DateTimeFormat | null;
  readonly settings: Settings;
  readonly shifts: number;
}

export function readData(): Data {
  const given = payload<Given>();
  const judged = given.judged && mask(given.judged);
  const all = truth(given.n, integers(given.starts), integers(given.stops), integers(given.bounds), judged);
  return {
    truth: all,
    detectors: given.detectors.map((one) => detector(one, all)),
    series: given.series,
    time: times(given.time, given.n),
    dates: given.time?.date ? clock(given.time.zone) : null,
    settings: given.settings,
    shifts: given.shifts,
  };
}

function times(time: Given["time"], n: number): Float64Array | null {
  if (!time) return null;
  if (time.values) return floats(time.values);
  return Float64Array.from({ length: n }, (_, i) => time.first + i * (time.step ?? 0));
}

/** Dates as ISO has them, in the zone of the data; without a zone, or with an unknown one, in UTC. */
function clock(zone: string | null): Intl.DateTimeFormat {
  const form = { dateStyle: "short", timeStyle: "medium" } as const;
  try {
    return new Intl.DateTimeFormat("sv-SE", { ...form, timeZone: zone ?? "UTC" });
  } catch {
    return new Intl.DateTimeFormat("sv-SE", { ...form, timeZone: "UTC" });
  }
}

function detector(given: GivenDetector, all: Truth): Detector {
  if (given.overview) return fromOverview(given, given.overview, all);
  const scores = given.scores ? floats(given.scores) : new Float64Array(all.n);
  if (all.judged) for (let i = 0; i < all.n; i++) if (!all.judged[i]) scores[i] = -Infinity;
  const judged = all.judged ? scores.filter((_, i) => all.judged?.[i]) : scores.slice();
  const bands: Partial<Record<Name, Band>> = {};
  for (const [name, band] of Object.entries(given.bands)) {
    const { thresholds, mean, low, high } = band;
    bands[name as Name] = {
      thresholds: thresholds.map(real),
      mean: mean.map(real),
      low: low.map(real),
      high: high.map(real),
    };
  }
  return {
    name: given.name,
    scores,
    precision: given.precision,
    flags: given.flags,
    given: real(given.at),
    chosenBy: given.chosen_by,
    bands,
    ascending: judged.sort(),
    whole: new Families(scores, all),
    overview: null,
  };
}

function fromOverview(given: GivenDetector, packed: GivenOverview, all: Truth): Detector {
  const overview = new Overview(packed, all);
  return {
    name: given.name,
    scores: new Float64Array(0),
    precision: given.precision,
    flags: given.flags,
    given: real(given.at),
    chosenBy: given.chosen_by,
    bands: {},
    ascending: overview.ascending,
    whole: overview.families,
    overview,
  };
}

/** The points of one series of a detector, to be counted by themselves. */
export function withinSeries(data: Data, of: Detector, series: number): Families {
  const [first, stop] = [data.truth.bounds[series], data.truth.bounds[series + 1]];
  return new Families(of.scores.slice(first, stop), oneSeries(data.truth, series));
}

/** Count the judged points above a threshold. */
export const flagged = (of: Detector, threshold: number): number => above(of.ascending, threshold);
