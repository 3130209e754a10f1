// The axis: true time with its gaps, or points where no times are known; ticks of a calendar; places in words.

import { count, general, many } from "../numbers";
import { median } from "../alarms";

const DAY = 86400;
const GAP = 2; // steps above which there is a hole, if a series has a step
const EVEN = 0.75; // the share of steps about as long as the median from which on it has
const FOLDED = 8; // steps that a folded gap keeps
const APART = 66; // pixels between ticks

const DAYS = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short" });

export interface Tick {
  at: number;
  label: string;
  /** The date below, where it changes. */
  below: string;
}

/** Dates in the zone of the data; without a zone, or with one that the browser does not know, as they are. */
export class Calendar {
  readonly words: string;
  private readonly parts: Intl.DateTimeFormat | null;

  constructor(zone: string | null) {
    const fixed = zone?.startsWith("UTC") ?? true; // the times are those of the clock already
    this.parts = fixed ? null : format(zone!);
    this.words = zone === null ? "as in the file, no zone given" : fixed || this.parts ? zone : "UTC";
  }

  /** Seconds of the wall clock, counted as if it were UTC. */
  local(instant: number): number {
    if (!this.parts) return instant;
    const text = this.parts.format(instant * 1000); // 2026-03-29 03:00:00
    return Date.parse(`${text.replace(" ", "T")}Z`) / 1000 + (instant - Math.floor(instant));
  }

  instant(local: number): number {
    const guess = local - (this.local(local) - local);
    return guess + (local - this.local(guess));
  }

  /** "2026-03-02 00:05", with seconds where there are any. */
  text(instant: number): string {
    const said = new Date(this.local(instant) * 1000).toISOString().slice(0, 19).replace("T", " ");
    return said.endsWith(":00") ? said.slice(0, 16) : said;
  }

  /** "2 Mar 00:05". */
  moment(instant: number): string {
    return `${this.day(instant)} ${this.text(instant).slice(11, 16)}`;
  }

  /** "2 Mar". */
  day(instant: number): string {
    return DAYS.format(this.local(instant) * 1000);
  }
}

function format(zone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone: zone });
  } catch {
    return null;
  }
}

export class Axis {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  /** Points before which there is a hole. */
  readonly gaps: number[] = [];
  /** Where each point stands, after folding. */
  readonly places: Float64Array;

  /** The times of the points (or their numbers), in order; or just from when to when. */
  constructor(
    readonly times: Float64Array,
    readonly calendar: Calendar | null,
    readonly folded = false,
    span?: [number, number],
  ) {
    const steps = new Float64Array(Math.max(0, times.length - 1));
    for (let i = 0; i < steps.length; i++) steps[i] = times[i + 1] - times[i];
    this.step = median(steps) || 1;
    let alike = 0;
    for (const step of steps) alike += Number(Math.abs(step - this.step) <= this.step / 2);
    if (alike >= EVEN * steps.length) steps.forEach((step, i) => step > GAP * this.step && this.gaps.push(i + 1));
    this.places = folded ? this.fold() : times;
    this.from = span?.[0] ?? this.places[0] ?? 0;
    this.to = span?.[1] ?? (this.places[times.length - 1] ?? 0) + this.step;
  }

  private fold(): Float64Array {
    const places = this.times.slice();
    for (let i = 1; i < places.length; i++) places[i] = places[i - 1] + Math.min(this.times[i] - this.times[i - 1], FOLDED * this.step);
    return places;
  }

  /** Where a point begins. */
  start(point: number): number {
    return point < this.places.length ? this.places[point] : this.to;
  }

  /** Where a half-open stretch ends: its last point stands for one step, and not into the next. */
  end(stop: number): number {
    const own = this.places[stop - 1] + this.step;
    return stop < this.places.length ? Math.min(own, this.places[stop]) : own;
  }

  /** The first point at or after a place. */
  lower(place: number, values = this.places): number {
    let [low, high] = [0, values.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[middle] < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  nearest(place: number): number {
    const i = Math.min(this.lower(place), this.places.length - 1);
    return i > 0 && place - this.places[i - 1] < this.places[i] - place ? i - 1 : i;
  }

  /** A place on the axis, back to a time. */
  private time(place: number): number {
    if (!this.folded) return place;
    const i = Math.max(0, Math.min(this.lower(place), this.times.length - 1));
    return this.times[i] - (this.places[i] - place);
  }

  private placed(time: number): number {
    if (!this.folded) return time;
    const i = Math.max(1, Math.min(this.lower(time, this.times), this.times.length - 1));
    return Math.max(this.places[i - 1], this.places[i] - (this.times[i] - time));
  }

  when(point: number): string {
    return this.words(this.times[Math.max(0, Math.min(point, this.times.length - 1))]);
  }

  /** A time in words; a point has its number. */
  words(time: number): string {
    return this.calendar ? this.calendar.text(time) : `point ${count(time)}`;
  }

  /** The same, as short as it can be said. */
  brief(time: number): string {
    return this.calendar ? this.calendar.moment(time) : count(time);
  }

  between(start: number, stop: number): string {
    return this.fromTo(this.times[start], this.times[stop - 1]);
  }

  /** The date once, where both ends have the same. */
  fromTo(first: number, last: number): string {
    if (!this.calendar) return first === last ? `point ${general(first, 9)}` : `points ${general(first, 9)} to ${general(last, 9)}`;
    const [from, to] = [this.calendar.text(first), this.calendar.text(last)];
    if (from === to) return from;
    return from.slice(0, 10) === to.slice(0, 10) ? `${from} to ${to.slice(11)}` : `${from} to ${to}`;
  }

  ticks(from: number, to: number, width: number): Tick[] {
    const most = Math.max(1, width / APART);
    const [first, last] = [this.time(from), this.time(to)];
    const listed = this.calendar ? calendarTicks(this.calendar, first, last, (to - from) / most) : plainTicks(first, last, (to - from) / most);
    let [x, day] = [-Infinity, ""];
    return listed.flatMap((tick) => {
      const at = this.placed(tick.at);
      const px = ((at - from) / (to - from)) * width;
      if (px < 0 || px > width || px - x < 0.9 * APART) return [];
      const below = tick.below === day ? "" : tick.below;
      [x, day] = [px, tick.below];
      return [{ at, label: tick.label, below }];
    });
  }
}

function plainTicks(first: number, last: number, least: number): Tick[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1e-9)));
  const step = [1, 2, 5, 10].map((k) => k * power).find((size) => size >= least) ?? 10 * power;
  const ticks: Tick[] = [];
  for (let k = Math.ceil(first / step); k * step <= last; k++) ticks.push({ at: k * step, label: (+(k * step).toPrecision(12)).toLocaleString("en-GB"), below: "" });
  return ticks;
}

const SIZES = [1, 5, 15, 60, 300, 900, 1800, 3600, 10800, 21600, 43200, DAY, 2 * DAY, 7 * DAY, 14 * DAY];

function calendarTicks(calendar: Calendar, first: number, last: number, least: number): Tick[] {
  const size = SIZES.find((one) => one >= least);
  const [from, to] = [calendar.local(first), calendar.local(last)];
  if (!size) return monthTicks(calendar, from, to, least);
  const ticks: Tick[] = [];
  const origin = size >= 7 * DAY ? 4 * DAY : 0; // weeks begin on a Monday
  for (let local = Math.ceil((from - origin) / size) * size + origin; local <= to; local += size) {
    const at = calendar.instant(local);
    const clock = new Date(local * 1000).toISOString();
    const day = calendar.day(at);
    ticks.push(size >= DAY ? { at, label: day, below: clock.slice(0, 4) } : { at, label: clock.slice(11, size < 60 ? 19 : 16), below: day });
  }
  return ticks;
}

function monthTicks(calendar: Calendar, from: number, to: number, least: number): Tick[] {
  const months = [1, 3, 6, 12, 24, 60, 120].find((one) => one * 30.4 * DAY >= least) ?? 120 * Math.ceil(least / (3650 * DAY));
  const begin = new Date(from * 1000);
  const ticks: Tick[] = [];
  for (let month = Math.ceil((begin.getUTCFullYear() * 12 + begin.getUTCMonth()) / months) * months; ; month += months) {
    const local = Date.UTC(Math.floor(month / 12), month % 12) / 1000;
    if (local > to) return ticks;
    const year = String(Math.floor(month / 12));
    const name = new Date(local * 1000).toLocaleDateString("en-GB", { timeZone: "UTC", month: "short" });
    ticks.push({ at: calendar.instant(local), label: months % 12 ? name : year, below: months % 12 ? year : "" });
  }
}

const UNITS: [number, string][] = [[2 * DAY, "days"], [2 * 3600, "h"], [60, "min"], [0, "s"]];
const SECONDS: Record<string, number> = { days: DAY, h: 3600, min: 60, s: 1 };

/** A length of time, or of points, as a person would say it: "10 min", "22 h". */
export function lengthWords(length: number, timed: boolean): string {
  if (Number.isNaN(length)) return "–";
  if (!timed) return many(Number(general(length, 4)), "point");
  const unit = UNITS.find(([least]) => Math.abs(length) >= least)![1];
  const value = length / SECONDS[unit];
  return `${+value.toFixed(Math.abs(value) < 10 ? 1 : 0)} ${unit}`;
}
