// The receipt of a score over points: what each event earned, what each alarm cost, and where.

import { islandReach, mayRaise, type Settings } from "./adjust";
import type { Name } from "./families";
import type { Truth } from "./truth";

export interface EventRow {
  start: number;
  stop: number;
  found: boolean;
  covered: number;
  /** Points from the event's start to its first flag; NaN when it was missed. */
  delay: number;
  weight: number;
  credit: number;
}

export interface AlarmRow {
  start: number;
  stop: number;
  /** The event on whose account it was flagged; -1: a stretch of flagged normal points. */
  event: number;
  /** The event that the same alarm touches, of a stretch of normal points; -1: the alarm is false. */
  beyond: number;
  from: number;
  to: number;
  cost: number;
}

export interface Receipt {
  events: EventRow[];
  alarms: AlarmRow[];
  /** How many alarms there are: maximal runs of flagged points, each within one series. */
  runs: number;
}

export function receipt(
  name: Name,
  scores: Float64Array,
  adjusted: Float64Array,
  truth: Truth,
  settings: Settings,
  threshold: number,
): Receipt {
  const events = eventRows(scores, adjusted, truth, threshold);
  const rows: AlarmRow[] = events.map(({ start, stop }, event) => ({ start, stop, event, beyond: -1, from: start, to: stop, cost: 0 }));
  const flagged = Uint8Array.from(scores, (score, i) => Number((truth.normal[i] || truth.label[i]) && score > threshold));
  for (const [start, stop, touched] of falseRuns(flagged, truth, owners(rows, truth.n))) {
    rows.push({ start, stop, event: -1, beyond: touched, from: start, to: stop, cost: 0 });
  }
  const owner = owners(rows, truth.n);
  const sources = name === "f1_ba" ? sourcesOf(scores, truth, settings, threshold) : null;
  for (let i = 0; i < truth.n; i++) {
    if (!truth.normal[i] || !(adjusted[i] > threshold)) continue;
    const payer = scores[i] > threshold || !sources ? i : nearest(i, sources, islandReach(settings), truth);
    const row = rows[owner[payer]];
    row.cost++;
    row.from = Math.min(row.from, i);
    row.to = Math.max(row.to, i + 1);
  }
  const kept = rows.filter((row) => row.event < 0 || row.cost > 0);
  return { events, alarms: kept.sort((a, b) => a.start - b.start), runs: runCount(flagged, truth) };
}

function eventRows(scores: Float64Array, adjusted: Float64Array, truth: Truth, threshold: number): EventRow[] {
  return Array.from(truth.starts, (start, e) => {
    const stop = truth.stops[e];
    let [hits, credit, first] = [0, 0, NaN];
    for (let i = start; i < stop; i++) {
      if (scores[i] > threshold && !hits++) first = i;
      if (adjusted[i] > threshold) credit++;
    }
    const weight = stop - start;
    return { start, stop, found: hits > 0, covered: hits / weight, delay: first - start, weight, credit };
  });
}

/** Runs of flagged normal points, each within one series, and the event that the flags go on into; -1: none. */
function falseRuns(flagged: Uint8Array, truth: Truth, event: Int32Array): [number, number, number][] {
  const runs: [number, number, number][] = [];
  for (let s = 0; s + 1 < truth.bounds.length; s++) {
    const [first, stop] = [truth.bounds[s], truth.bounds[s + 1]];
    const wrong = (at: number) => at < stop && truth.normal[at] === 1 && flagged[at] === 1;
    const right = (at: number) => at >= first && at < stop && truth.label[at] === 1 && flagged[at] === 1;
    for (let i = first; i < stop; i++) {
      if (!wrong(i)) continue;
      const start = i;
      while (wrong(i)) i++;
      runs.push([start, i, right(start - 1) ? event[start - 1] : right(i) ? event[i] : -1]);
    }
  }
  return runs;
}

function runCount(flagged: Uint8Array, truth: Truth): number {
  const firsts = new Set(truth.bounds);
  let count = 0;
  for (let i = 0; i < truth.n; i++) if (flagged[i] && (!flagged[i - 1] || firsts.has(i))) count++;
  return count;
}

/** The row to which each point of an event or of a false run belongs. */
function owners(rows: AlarmRow[], n: number): Int32Array {
  const owner = new Int32Array(n).fill(-1);
  rows.forEach((row, number) => owner.fill(number, row.start, row.stop));
  return owner;
}

/** The flags that raise islands: for each point the last one at or before it, the first at or after. */
function sourcesOf(scores: Float64Array, truth: Truth, settings: Settings, threshold: number) {
  const raises = mayRaise(truth, settings);
  const left = new Int32Array(truth.n).fill(-1);
  const right = new Int32Array(truth.n).fill(truth.n);
  const raised = (i: number) => raises[i] && scores[i] > threshold;
  for (let i = 0; i < truth.n; i++) left[i] = raised(i) ? i : i ? left[i - 1] : -1;
  for (let i = truth.n - 1; i >= 0; i--) right[i] = raised(i) ? i : i + 1 < truth.n ? right[i + 1] : truth.n;
  return { left, right, home: seriesOf(truth) };
}

type Sources = ReturnType<typeof sourcesOf>;

/** The nearest flag whose island holds the point; the earlier one among equals. */
function nearest(i: number, { left, right, home }: Sources, [before, after]: [number, number], truth: Truth): number {
  const near = left[i];
  const next = right[i];
  const toLeft = near >= truth.bounds[home[i]] && i - near <= after ? i - near : Infinity;
  const toRight = next < truth.bounds[home[i] + 1] && next - i <= before ? next - i : Infinity;
  return toLeft <= toRight ? near : next;
}

function seriesOf(truth: Truth): Int32Array {
  const home = new Int32Array(truth.n);
  for (let s = 0; s + 1 < truth.bounds.length; s++) home.fill(s, truth.bounds[s], truth.bounds[s + 1]);
  return home;
}
