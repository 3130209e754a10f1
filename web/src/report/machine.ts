// Chance, watched: the alarms slide along the series while the scores that they get elsewhere pile up.

import { byId, eachFrame, set } from "../dom";
import { type Alarms, firstAfter } from "../alarms";
import { asHigh } from "../look";
import { count } from "../numbers";
import type { Truth } from "../truth";
import { colour, onTheme } from "../theme";
import { two } from "./answer";
import { CanvasPen } from "./pen";

const BINS = 50;
const LONG = 9000; // milliseconds of one run
const TOP = 74;
const HIGH = 96;

/** One metric of the alarms, and what they score at every other place. */
export interface Pile {
  title: string;
  colour: "pa" | "ba";
  value: number;
  text: string;
  /** At other places, in the order in which the alarms are moved. */
  values: Float64Array;
  chance: number;
  chanceText: string;
  again: number;
  others: number;
}

export interface Slid {
  name: string;
  truth: Truth;
  alarms: Alarms | null;
  /** Whether each place is one point further than the one before. */
  exact: boolean;
  piles: Pile[];
  /** How long so many points are, in words. */
  length: (points: number) => string;
}

export class Machine {
  private readonly canvas = byId<HTMLCanvasElement>("machine");
  private readonly button = byId("slide");
  private slid: Slid | null = null;
  private playing = 0;

  constructor() {
    this.button.addEventListener("click", () => this.play());
    const again = eachFrame(() => this.slid && !this.playing && this.draw(Infinity));
    new ResizeObserver(again).observe(this.canvas.parentElement!);
    onTheme(again);
  }

  show(slid: Slid | null): void {
    this.stop();
    this.slid = slid;
    byId("machine-section").hidden = !slid;
    if (!slid) return;
    byId("machine-note").textContent = this.words(slid);
    set(this.canvas, { "aria-label": this.words(slid) });
    this.draw(Infinity);
  }

  private words({ exact, piles }: Slid): string {
    const places = piles[0].values.length;
    const shifts = exact ? `all ${count(places)} shifts` : `${count(places)} randomly chosen shifts`;
    const each = piles.map(({ title, text, again, others }) => `${title} ${text}${others ? `: ${asHigh(again, others).toLowerCase()}` : ""}.`);
    return `Chance: the same alarms, shifted in time (${shifts}). ${each.join(" ")} Square-root scale.`;
  }

  private stop(): void {
    cancelAnimationFrame(this.playing);
    this.playing = 0;
    this.button.textContent = "▶ slide the alarms";
  }

  private play(): void {
    const was = this.playing;
    this.stop();
    if (!this.slid || was || matchMedia("(prefers-reduced-motion: reduce)").matches) return this.draw(Infinity);
    this.button.textContent = "■ stop";
    const places = this.slid.piles[0].values.length;
    const began = performance.now();
    const frame = (now: number) => {
      const part = Math.max(0, (now - began) / LONG);
      if (part >= 1) {
        this.stop();
        return this.draw(Infinity);
      }
      this.draw((0.6 * part * part + 0.4 * part) * places);
      this.playing = requestAnimationFrame(frame);
    };
    this.playing = requestAnimationFrame(frame);
  }

  /** The picture after so many places. */
  private draw(done: number): void {
    const { slid, canvas } = this;
    const width = canvas.parentElement!.clientWidth;
    if (!slid || !width) return;
    const narrow = width < 640;
    const height = narrow ? TOP + 2 * (HIGH + 48) : TOP + HIGH + 34;
    const ratio = Math.max(1, devicePixelRatio);
    [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    canvas.style.height = `${height}px`;
    const context = canvas.getContext("2d")!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const pen = new CanvasPen(context);
    const place = done >= slid.piles[0].values.length ? 0 : Math.floor(done);
    this.series(pen, slid, place, width);
    slid.piles.forEach((pile, side) => {
      const room = narrow ? width : (width - 40) / 2;
      this.pile(pen, pile, slid.name, { left: narrow ? 0 : side * (room + 40), width: room, base: TOP + HIGH + (narrow ? side * (HIGH + 48) : 0) }, done);
    });
  }

  /** The alarms after a shift of so many points; where shifts were drawn, only where they really were. */
  private series(pen: CanvasPen, { truth, alarms, exact, piles, length }: Slid, place: number, width: number): void {
    const x = (point: number) => (point / truth.n) * width;
    const scores = piles.map(({ title, values }) => `${title} ${two(values[Math.max(0, place - 1)])}`).join(", ");
    const known = alarms !== null && (exact || !place);
    const still = known ? "the alarms at their actual times" : "the events; single alarms are not drawn on a series this long";
    pen.text(0, 11, place ? (exact ? `all alarms moved by ${length(place)}: ${scores}` : `shifted: ${scores}`) : still, { fill: colour("ink-soft") });
    pen.rect(0, 18, width, 34, { fill: colour("panel") });
    const shown = known ? Array.from(alarms.starts, (start, a) => around(start + place, alarms.stops[a] + place, truth.n)).flat() : [];
    shown.sort(([a], [b]) => a - b);
    const hits = (start: number, stop: number) => meets(shown, start, stop);
    truth.starts.forEach((start, e) => {
      const [left, room] = [x(start), Math.max(2, x(truth.stops[e]) - x(start))];
      const hit = hits(start, truth.stops[e]);
      if (hit) pen.rect(left, 19, room, 32, { fill: colour("event"), alpha: 0.35 });
      pen.rect(left, 19, room, 32, { stroke: colour("event"), width: 1.2, ...(hit || !known ? {} : { dash: [3, 2] }) });
    });
    for (const [from, to] of shown) {
      const e = firstAfter(truth.stops, from); // the first event that ends behind its begin
      const right = e < truth.starts.length && truth.starts[e] < to;
      pen.rect(x(from), 24, Math.max(2, x(to) - x(from)), 22, { fill: colour(right ? "right" : "wrong") });
    }
  }

  private pile(pen: CanvasPen, pile: Pile, who: string, at: { left: number; width: number; base: number }, done: number): void {
    const [total, filled] = [new Int32Array(BINS), new Int32Array(BINS)];
    pile.values.forEach((value, place) => {
      const bin = Math.min(BINS - 1, Math.floor((value || 0) * BINS));
      total[bin]++;
      if (place <= done) filled[bin]++;
    });
    const top = Math.sqrt(Math.max(1, ...total));
    const x = (value: number) => at.left + Math.max(0, Math.min(1, value || 0)) * at.width;
    pen.text(at.left, at.base - HIGH + 6, pile.title, { fill: colour("ink-soft") });
    filled.forEach((number, bin) => {
      if (!number) return;
      const height = (Math.sqrt(number) / top) * (HIGH - 20);
      const beyond = (bin + 0.5) / BINS >= pile.value;
      pen.rect(x(bin / BINS) + 0.5, at.base - height, at.width / BINS - 1, height, { fill: colour(beyond ? pile.colour : "luck") });
    });
    pen.rect(at.left, at.base, at.width, 1, { fill: colour("rule-strong") });
    const own = x(pile.value);
    pen.rect(own - 1.25, at.base - HIGH + 14, 2.5, HIGH - 14, { fill: colour(pile.colour) });
    const late = pile.value > 0.6;
    pen.text(own + (late ? -6 : 6), at.base - HIGH + 26, `${who} ${pile.text}`, { fill: colour("ink"), align: late ? "right" : "left", bold: true, most: at.width / 2 });
    const mean = x(pile.chance);
    pen.text(mean, at.base + 11, "▲", { fill: colour("ink"), align: "center" });
    const label = Math.max(at.left + 40, Math.min(at.left + at.width - 40, mean));
    pen.text(label, at.base + 25, `chance ${pile.chanceText}`, { fill: colour("ink"), align: "center" });
    if (label - at.left > 80) pen.text(at.left, at.base + 14, "0", { fill: colour("ink-soft") });
    if (at.left + at.width - label > 70) pen.text(at.left + at.width, at.base + 14, "1", { fill: colour("ink-soft"), align: "right" });
  }
}

/** Whether one of some stretches, which rise and do not meet each other, meets another one. */
function meets(all: [number, number][], start: number, stop: number): boolean {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (all[middle][1] <= start) low = middle + 1;
    else high = middle;
  }
  return low < all.length && all[low][0] < stop;
}

/** A stretch that may run on from the end to the beginning. */
function around(from: number, to: number, n: number): [number, number][] {
  if (from >= n) return [[from - n, to - n]];
  return to > n ? [[from, n], [0, to - n]] : [[from, to]];
}
