// The tables of a ranking, as Python wrote them.

import { floats, type Packed, payload, real } from "../payload";

export interface Line {
  detector: number;
  mean: number;
  low: number;
  high: number;
  median: number;
  macro?: number;
  /** This and what is optional below is not there where it was not computed; NaN is undefined. */
  pooled?: number;
  transferred?: number;
  gap?: number;
  mean_rank: number;
  /** What chance scores on average over the same series. */
  chance?: number;
  p_adjusted?: number;
  /** The smallest p-value that there could have been. */
  least_p?: number;
  /** On so many of the tested series the detector is better than chance by itself. */
  better_on?: number;
  /** It is on at least so many: the end of a 95 % interval. */
  better_on_low?: number;
  tested?: number;
  series: number;
  coverage?: number;
  first_share?: number;
  undefined?: number;
  failed?: number;
  missing?: number;
  runtime?: number;
  memory?: number;
  /** That the detector is better than every row of reference, adjusted for the detectors. */
  p_baselines?: number;
}

/** Rows of reference, which have no rank, are known by their names. */
export const isBaseline = (name: string): boolean => name.startsWith("baseline: ");

/** Two detectors on the series that both have. */
export interface Pair {
  one: number;
  other: number;
  /** The mean of the first less that of the second. */
  difference: number;
  low: number;
  high: number;
  p: number;
  /** On how many series the first is ahead, and behind. */
  ahead: number;
  behind: number;
  series: number;
}

export interface Flip {
  one: number;
  other: number;
  for_one: number[];
  for_other: number[];
}

interface Given {
  metrics: string[];
  main: number;
  better: ("higher" | "lower")[];
  detectors: string[];
  series: string[];
  leads: [string, string][];
  notes: string[][];
  boards: Partial<Record<keyof Line, number | string | null>>[][];
  critical: Record<"critical_difference" | "series" | "of" | "p_value", number | string | null>[];
  pairs: Packed[];
  groups: string[];
  group_of: number[];
  group_boards: Packed[];
  values: Packed[];
  agreement: (number | null)[][];
  flips: Flip[];
  pages: (string | null)[];
  asked: string[];
}

export interface Ranking extends Omit<Given, "boards" | "critical" | "pairs" | "group_boards" | "values" | "agreement"> {
  /** Of each metric, the lines of all detectors, the best mean rank first. */
  boards: Line[][];
  critical: { difference: number; series: number; of: number; p: number }[];
  pairs: Pair[][];
  /** Of each metric and data set, the lines of its series alone. */
  groupBoards: Line[][][];
  /** Of each metric, a row of detectors per series. */
  values: Float64Array[];
  agreement: number[][];
}

export const CLEAR = 0.05;

export async function readRanking(): Promise<Ranking> {
  const given = await payload<Given>();
  const line = (row: Given["boards"][0][0]) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, real(value)])) as unknown as Line;
  return {
    ...given,
    boards: given.boards.map((board) => board.map(line)),
    critical: given.critical.map((row) => ({ difference: real(row.critical_difference), series: real(row.series), of: real(row.of), p: real(row.p_value) })),
    pairs: given.pairs.map((packed) => rows(floats(packed), 9).map(([one, other, difference, low, high, p, ahead, behind, series]) => ({ one, other, difference, low, high, p, ahead, behind, series }))),
    groupBoards: given.group_boards.map((packed) => groupLines(floats(packed), given.groups.length, given.detectors.length)),
    values: given.values.map(floats),
    agreement: given.agreement.map((row) => row.map(real)),
  };
}

const rows = (numbers: Float64Array, size: number): number[][] => Array.from({ length: numbers.length / size }, (_, i) => [...numbers.subarray(i * size, (i + 1) * size)]);

function groupLines(numbers: Float64Array, groups: number, detectors: number): Line[][] {
  const every = rows(numbers, 7).map(([mean, low, high, median, mean_rank, series, chance], i) => ({ detector: i % detectors, mean, low, high, median, mean_rank, series, ...(Number.isNaN(chance) ? {} : { chance }) }));
  const last = (rank: number) => (Number.isNaN(rank) ? Infinity : rank);
  return Array.from({ length: groups }, (_, g) => every.slice(g * detectors, (g + 1) * detectors).sort((a, b) => last(a.mean_rank) - last(b.mean_rank) || a.detector - b.detector));
}

/** Of the first of a board: who is statistically tied with it. */
export function notToldApart(data: Ranking, chosen: number): Set<number> {
  const first = data.boards[chosen].find((line) => !Number.isNaN(line.mean_rank));
  if (!first) return new Set();
  const own = data.pairs[chosen].filter((pair) => pair.one === first.detector || pair.other === first.detector);
  return new Set(own.filter((pair) => pair.p > CLEAR).map((pair) => (pair.one === first.detector ? pair.other : pair.one)));
}
