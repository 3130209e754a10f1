// Chance: the same alarms at other times. The judged points of each series form a circle on which its alarms turn
// together, and islands run round it, at home as elsewhere: as the verdict of the command line has it.

import type { Alarms } from "../../alarms";
import { rates } from "./masses";
import type { Truth } from "../../truth";

export type Counted = "f1" | "f1_pa" | "f1_ba";
export const COUNTED: readonly Counted[] = ["f1", "f1_pa", "f1_ba"];

/** The sums of one place of the alarms. */
export interface Sums {
  /** Flagged event points. */
  hits: number;
  /** Points of events with a flag. */
  earned: number;
  /** Flagged normal points. */
  falls: number;
  /** Normal points that islands mark. */
  charged: number;
}

export interface Chance {
  /** What the alarms score elsewhere: the score of the mean sums. */
  readonly level: Record<Counted, number>;
  /** The scores at each place tried; the first is their own. */
  readonly values: Record<Counted, Float64Array>;
  /** From the 5th to the 95th of a hundred places. */
  readonly low: Record<Counted, number>;
  readonly high: Record<Counted, number>;
  /** How many places do as well, their own among them. */
  readonly reached: Record<Counted, number>;
  readonly places: number;
  /** Whether these are all places. */
  readonly exact: boolean;
  /** How far the alarms were moved at each place; of several series the first one's. */
  readonly moved: Int32Array;
}

const TIE = 1e-12;
const DRAWN = 999;

/** What turns: computed once for the labels and a width of the islands. */
export class Ring {
  private readonly circles: Circle[];
  private readonly mass: number;

  constructor(
    truth: Truth,
    readonly width: number,
  ) {
    this.mass = truth.label.reduce((sum, one) => sum + one, 0);
    this.circles = Array.from({ length: truth.bounds.length - 1 }, (_, s) => new Circle(truth, truth.bounds[s], truth.bounds[s + 1], width));
  }

  score(sums: Sums): Record<Counted, number> {
    const of = (found: number, wrong: number) => rates(found, wrong, this.mass).f;
    return { f1: of(sums.hits, sums.falls), f1_pa: of(sums.earned, sums.falls), f1_ba: of(sums.earned, sums.charged) };
  }

  /** The score of the mean sums over all places, in closed form; `row.chance` of the command line. */
  level(alarms: Alarms): Record<Counted, number> {
    return this.score(this.circles.map((circle) => circle.mean(alarms)).reduce(added, NONE));
  }

  /** The scores at all places, or at so many as the budget of looks allows. */
  turned(alarms: Alarms, budget: number): Chance {
    const laid = this.circles.map((circle) => circle.lay(alarms));
    const [one] = laid;
    const work = laid.reduce((sum, { work: looks }) => sum + looks, 0);
    const [least, most] = [19, Math.max(19, Math.floor(budget / Math.max(work, 1)))];
    if (laid.length === 1) {
      const every = Math.max(1, Math.ceil(one.size / most));
      const moved = Int32Array.from({ length: Math.ceil(one.size / every) }, (_, k) => k * every);
      return this.chance(alarms, moved, (k) => one.at(moved[k]), every === 1);
    }
    const random = generator(7);
    const moved = new Int32Array(1 + Math.max(least, Math.min(DRAWN, most)));
    const place = (k: number) => laid.map((circle, c) => circle.at(k && this.drawn(random, circle.size, moved, k, c))).reduce(added, NONE);
    return this.chance(alarms, moved, place, false);
  }

  private drawn(random: () => number, size: number, moved: Int32Array, k: number, c: number): number {
    const by = Math.floor(random() * size);
    if (!c) moved[k] = by;
    return by;
  }

  private chance(alarms: Alarms, moved: Int32Array, at: (place: number) => Sums, exact: boolean): Chance {
    const places = moved.length;
    const column = () => ({ f1: new Float64Array(places), f1_pa: new Float64Array(places), f1_ba: new Float64Array(places) });
    const [values, low, high, reached] = [column(), {} as Record<Counted, number>, {} as Record<Counted, number>, {} as Record<Counted, number>];
    for (let k = 0; k < places; k++) {
      const score = this.score(at(k));
      for (const name of COUNTED) values[name][k] = score[name];
    }
    for (const name of COUNTED) {
      const order = values[name].slice().sort();
      low[name] = order[Math.floor(0.05 * (places - 1))];
      high[name] = order[Math.ceil(0.95 * places) - 1]; // at most one place in twenty lies above
      reached[name] = values[name].reduce((count, value) => count + Number(value >= values[name][0] - TIE), 0);
    }
    return { level: this.level(alarms), values, low, high, reached, places, exact, moved };
  }
}

const NONE: Sums = { hits: 0, earned: 0, falls: 0, charged: 0 };
const added = (a: Sums, b: Sums): Sums => ({ hits: a.hits + b.hits, earned: a.earned + b.earned, falls: a.falls + b.falls, charged: a.charged + b.charged });

/** Numbers between 0 and 1, the same on every load. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Stretches {
  /** Where each begins on the circle. */
  starts: Int32Array;
  lengths: Int32Array;
}

/** The judged points of one series: points that are not judged take up no room. */
class Circle {
  readonly size: number;
  readonly events: Stretches;
  readonly normal: Stretches;
  /** How many points lie before each, counted from the series' first; null: all are judged. */
  private readonly place: Int32Array | null;
  /** How many normal points can be marked by any of so many points. */
  private readonly reaches: Map<number, number>;

  constructor(
    truth: Truth,
    private readonly first: number,
    private readonly stop: number,
    readonly width: number,
  ) {
    const judged: number[] = [];
    for (let i = first; i < stop; i++) if (truth.label[i] || truth.normal[i]) judged.push(i);
    this.size = judged.length;
    this.place = this.size === stop - first ? null : places(judged, first, stop);
    const inside = [...truth.starts.keys()].filter((e) => truth.starts[e] >= first && truth.stops[e] <= stop);
    this.events = { starts: Int32Array.from(inside, (e) => this.at(truth.starts[e])), lengths: Int32Array.from(inside, (e) => truth.stops[e] - truth.starts[e]) };
    this.normal = normalStretches(judged, truth.normal);
    this.reaches = reaches(truth.normal, first, stop, width);
  }

  private at(point: number): number {
    return this.place ? this.place[point - this.first] : point - this.first;
  }

  /** The alarms of this series as stretches of the circle. */
  private own(alarms: Alarms): Stretches {
    const mine: [number, number][] = [];
    alarms.starts.forEach((start, a) => {
      if (start >= this.first && start < this.stop) mine.push([this.at(start), alarms.stops[a] - start]);
    });
    return { starts: Int32Array.from(mine, ([start]) => start), lengths: Int32Array.from(mine, ([, length]) => length) };
  }

  /** The mean sums over all places: a window of k points is quiet at gap - k places of each gap. */
  mean(alarms: Alarms): Sums {
    const { starts, lengths } = this.own(alarms);
    if (!starts.length) return NONE;
    const gaps = Float64Array.from(starts, (start, a) => (a + 1 < starts.length ? starts[a + 1] : starts[0] + this.size) - start - lengths[a] + 1).sort();
    const longer = new Float64Array(gaps.length + 1);
    for (let g = gaps.length - 1; g >= 0; g--) longer[g] = longer[g + 1] + gaps[g];
    const flagged = lengths.reduce((sum, length) => sum + length, 0);
    const holds = (points: number): number => {
      if (points < 1) return 0;
      let [low, high] = [0, gaps.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (gaps[middle] <= points) low = middle + 1;
        else high = middle;
      }
      return 1 - (longer[low] - (gaps.length - low) * points) / this.size;
    };
    const [rate, truth] = [flagged / this.size, this.events.lengths.reduce((sum, length) => sum + length, 0)];
    let [earned, charged] = [0, 0];
    for (const length of this.events.lengths) earned += length * holds(length);
    for (const [points, count] of this.reaches) charged += count * holds(points);
    return { hits: truth * rate, earned, falls: (this.size - truth) * rate, charged };
  }

  lay(alarms: Alarms): Laid {
    return new Laid(this, this.own(alarms));
  }
}

function places(judged: number[], first: number, stop: number): Int32Array {
  const place = new Int32Array(stop - first);
  let next = 0;
  for (let i = first; i < stop; i++) {
    place[i - first] = next;
    if (judged[next] === i) next++;
  }
  return place;
}

/** The stretches of normal points between events; one may run on from the last point to the first. */
function normalStretches(judged: number[], normal: Uint8Array): Stretches {
  const size = judged.length;
  const starts: number[] = [];
  const lengths: number[] = [];
  for (let i = 0; i < size; i++) {
    if (!normal[judged[i]]) continue;
    const start = i;
    while (i < size && normal[judged[i]]) i++;
    starts.push(start);
    lengths.push(i - start);
  }
  const last = starts.length - 1;
  if (last > 0 && starts[0] === 0 && starts[last] + lengths[last] === size) {
    lengths[last] += lengths[0];
    starts.shift();
    lengths.shift();
  }
  return { starts: Int32Array.from(starts), lengths: Int32Array.from(lengths) };
}

/** How many normal points have so many normal points whose islands reach them, in the series as it is. */
function reaches(normal: Uint8Array, first: number, stop: number, width: number): Map<number, number> {
  const before = new Int32Array(stop - first + 1);
  for (let i = first; i < stop; i++) before[i - first + 1] = before[i - first] + normal[i];
  const counted = new Map<number, number>();
  for (let i = first; i < stop; i++) {
    if (!normal[i]) continue;
    const [from, to] = [Math.max(first, i - (width >> 1)), Math.min(stop, i + ((width - 1) >> 1) + 1)];
    const points = before[to - first] - before[from - first];
    counted.set(points, (counted.get(points) ?? 0) + 1);
  }
  return counted;
}

/** The flags of a circle, laid out twice in a row: any place of the alarms is a few looks for each stretch. */
class Laid {
  readonly size: number;
  readonly work: number;
  private readonly sums: Int32Array;
  private readonly flags: Int32Array;
  private readonly marks: Float64Array;
  private readonly total: number;
  private readonly before: number;
  private readonly after: number;
  private readonly left: Int32Array;
  private readonly right: Int32Array;
  private readonly intoLeft: Int32Array;
  private readonly fixed: number;

  constructor(
    private readonly circle: Circle,
    { starts, lengths }: Stretches,
  ) {
    const size = (this.size = circle.size);
    const width = Math.min(circle.width, 2 * size);
    [this.before, this.after] = [(width - 1) >> 1, width >> 1];
    const laid = new Uint8Array(2 * size);
    starts.forEach((start, a) => laid.fill(1, start, start + lengths[a]).fill(1, size + start, size + start + lengths[a]));
    this.sums = new Int32Array(2 * size + 1);
    for (let i = 0; i < 2 * size; i++) this.sums[i + 1] = this.sums[i] + laid[i];
    this.total = this.sums[size];
    this.flags = new Int32Array(2 * this.total);
    for (let i = 0, f = 0; i < 2 * size; i++) if (laid[i]) this.flags[f++] = i;
    this.marks = new Float64Array(2 * this.total);
    for (let f = 1; f < 2 * this.total; f++) this.marks[f] = this.marks[f - 1] + Math.min(this.flags[f] - this.flags[f - 1], width);
    const { normal, events } = circle;
    this.work = events.starts.length + 5 * normal.starts.length + 1;
    this.left = new Int32Array(normal.starts.length);
    this.right = new Int32Array(normal.starts.length);
    this.intoLeft = new Int32Array(normal.starts.length);
    this.fixed = events.starts.length ? NaN : this.round(width);
  }

  /** What islands mark on a circle without events: no place changes it. */
  private round(width: number): number {
    let count = 0;
    for (let f = 0; f < this.total; f++) count += Math.min(this.flags[f + 1] === undefined ? this.size : this.flags[f + 1] - this.flags[f], width);
    return Math.min(count, this.size);
  }

  at(moved: number): Sums {
    const { starts, lengths } = this.circle.events;
    let [hits, earned] = [0, 0];
    for (let e = 0; e < starts.length; e++) {
      const begin = starts[e] >= moved ? starts[e] - moved : starts[e] - moved + this.size;
      const own = this.sums[begin + lengths[e]] - this.sums[begin];
      hits += own;
      if (own) earned += lengths[e];
    }
    return { hits, earned, falls: this.total - hits, charged: Number.isNaN(this.fixed) ? this.charged(moved) : this.fixed };
  }

  /** Count the normal points that islands mark: inside each stretch, at its ends, and from other stretches. */
  private charged(moved: number): number {
    const { starts, lengths } = this.circle.normal;
    const { left, right, intoLeft, before, after, size, sums, flags, marks } = this;
    const count = starts.length;
    let sum = 0;
    for (let s = 0; s < count; s++) {
      const begin = starts[s] >= moved ? starts[s] - moved : starts[s] - moved + size;
      const [low, high] = [sums[begin], sums[begin + lengths[s]]];
      left[s] = high > low ? flags[low] - begin : -1;
      right[s] = high > low ? begin + lengths[s] - 1 - flags[high - 1] : -1;
      if (high > low) sum += marks[high - 1] - marks[low] + 1;
    }
    let last = -Infinity; // the last flagged normal point, as far as the walk has come
    for (let step = 0; step < 2 * count; step++) {
      const s = step % count;
      const start = starts[s] + (step < count ? -size : 0);
      intoLeft[s] = Math.max(0, Math.min(lengths[s], last + after + 1 - start));
      if (left[s] >= 0) last = start + lengths[s] - 1 - right[s];
    }
    let next = Infinity; // the first one, walking back
    for (let step = 2 * count - 1; step >= 0; step--) {
      const s = step % count;
      const start = starts[s] + (step < count ? 0 : size);
      if (step < count) {
        const intoRight = Math.max(0, Math.min(lengths[s], start + lengths[s] - (next - before)));
        if (left[s] < 0) sum += Math.min(lengths[s], intoLeft[s] + intoRight);
        else sum += Math.min(left[s], intoLeft[s] + Math.min(left[s], before)) + Math.min(right[s], intoRight + Math.min(right[s], after));
      }
      if (left[s] >= 0) next = start + left[s];
    }
    return sum;
  }
}
