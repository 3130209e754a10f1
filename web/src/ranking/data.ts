// The tables of a ranking, as Python wrote them.

import { floats, type Packed, payload, real } from "../payload";

export interface Line {
  detector: number;
  mean: number;
  low: number;
  high: number;
  median: number;
  macro: number;
  /** This and the next two are not there where they were not computed; NaN is undefined. */
  pooled?: number;
  transferred?: number;
  gap?: number;
  mean_rank: number;
  beats_chance: number;
  tested: number;
  series: number;
  undefined: number;
  failed: number;
  missing: number;
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
  boards: Partial<Record<keyof Line, number | string | null>>[][];
  critical: Record<"critical_difference" | "series" | "p_value", number | string | null>[];
  values: Packed[];
  agreement: (number | null)[][];
  flips: Flip[];
  pages: (string | null)[];
}

export interface Ranking {
  metrics: string[];
  main: number;
  better: ("higher" | "lower")[];
  detectors: string[];
  series: string[];
  boards: Line[][];
  critical: { difference: number; series: number; p: number }[];
  /** Of each metric, a row of detectors per series. */
  values: Float64Array[];
  agreement: number[][];
  flips: Flip[];
  pages: (string | null)[];
}

export function readRanking(): Ranking {
  const given = payload<Given>();
  const line = (row: Given["boards"][0][0]) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, real(value)])) as unknown as Line;
  return {
    ...given,
    boards: given.boards.map((board) => board.map(line)),
    critical: given.critical.map((row) => ({ difference: real(row.critical_difference), series: real(row.series), p: real(row.p_value) })),
    values: given.values.map(floats),
    agreement: given.agreement.map((row) => row.map(real)),
  };
}
