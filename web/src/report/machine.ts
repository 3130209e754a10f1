// Chance, watched: the alarms slide along the series while the scores that they get elsewhere pile up.

import { byId, eachFrame, set } from "../dom";
import { count } from "../numbers";
import type { Alarms } from "../sweep/alarms";
import type { Chance, Counted } from "../sweep/chance";
import type { Truth } from "../sweep/truth";
import { colour, onTheme } from "../theme";
import { two } from "./answer";
import { CanvasPen } from "./pen";

const BINS = 50;
const LONG = 9000; // milliseconds of one run
const TOP = 74;
const HIGH = 96;
const PILES: [Counted, string, "pa" | "ba"][] = [["f1_pa", "PA: one hit earns the whole event", "pa"], ["f1_ba", "BA: and a false alarm is charged as widely", "ba"]];

export interface Slid {
  name: string;
  truth: Truth;
  alarms: Alarms;
  chance: Chance;
  values: Record<Counted, number>;
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

  private words({ chance, values }: Slid): string {
    const { reached, places, exact } = chance;
    const share = (name: Counted) => {
      if (reached[name] <= 1) return "nowhere else";
      const part = (100 * (reached[name] - 1)) / (places - 1);
      return part < 1 ? `at ${count(reached[name] - 1)} of them` : `at ${part.toFixed(0)} in 100 of them`;
    };
    const [pa, ba] = [two(values.f1_pa), two(values.f1_ba)];
    return `Chance is the same alarms at another time: as many, as long, as far apart, but knowing nothing. They were moved to ${exact ? "all" : ""} ${count(places - 1)} other places${exact ? "" : ", of more that there are"}. PA reaches ${pa} ${share("f1_pa")}, BA reaches ${ba} ${share("f1_ba")}. (Heights are square roots, so that rare scores show.)`;
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
    const { places } = this.slid.chance;
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
    const place = done >= slid.chance.places ? 0 : Math.floor(done);
    this.series(pen, slid, place, width);
    PILES.forEach(([name, title, kind], side) => {
      const room = narrow ? width : (width - 40) / 2;
      this.pile(pen, slid, name, { title, colour: colour(kind), left: narrow ? 0 : side * (room + 40), width: room, base: TOP + HIGH + (narrow ? side * (HIGH + 48) : 0) }, done);
    });
  }

  private series(pen: CanvasPen, { truth, alarms, chance, length }: Slid, place: number, width: number): void {
    const moved = chance.moved[place];
    const x = (point: number) => (point / truth.n) * width;
    const values = PILES.map(([name]) => two(chance.values[name][place]));
    const several = truth.bounds.length > 2;
    pen.text(0, 11, place ? `all alarms moved${several ? ", each series and each part behind a gap by itself" : ` by ${length(moved)}`}: PA ${values[0]}, BA ${values[1]}` : "the alarms where they really were", { fill: colour("ink-soft") });
    pen.rect(0, 18, width, 34, { fill: colour("panel") });
    const here = Array.from(alarms.starts, (start, a) => [start + moved, alarms.stops[a] + moved]).flatMap(([from, to]) => (several && place ? [] : around(from, to, truth.n)));
    truth.starts.forEach((start, e) => {
      const [left, room] = [x(start), Math.max(2, x(truth.stops[e]) - x(start))];
      const hit = here.some(([from, to]) => from < truth.stops[e] && to > start);
      if (hit) pen.rect(left, 19, room, 32, { fill: colour("event"), alpha: 0.35 });
      pen.rect(left, 19, room, 32, { stroke: colour("event"), width: 1.2, ...(hit ? {} : { dash: [3, 2] }) });
    });
    for (const [from, to] of here) {
      const right = truth.starts.some((start, e) => from < truth.stops[e] && to > start);
      pen.rect(x(from), 24, Math.max(2, x(to) - x(from)), 22, { fill: colour(right ? "right" : "wrong") });
    }
  }

  private pile(pen: CanvasPen, { name: who, chance, values }: Slid, name: Counted, at: { title: string; colour: string; left: number; width: number; base: number }, done: number): void {
    const [total, filled] = [new Int32Array(BINS), new Int32Array(BINS)];
    chance.values[name].forEach((value, place) => {
      const bin = Math.min(BINS - 1, Math.floor((value || 0) * BINS));
      total[bin]++;
      if (place <= done) filled[bin]++;
    });
    const top = Math.sqrt(Math.max(1, ...total));
    const x = (value: number) => at.left + Math.max(0, Math.min(1, value || 0)) * at.width;
    pen.text(at.left, at.base - HIGH + 6, at.title, { fill: colour("ink-soft") });
    filled.forEach((number, bin) => {
      if (!number) return;
      const height = (Math.sqrt(number) / top) * (HIGH - 20);
      const beyond = (bin + 0.5) / BINS >= values[name];
      pen.rect(x(bin / BINS) + 0.5, at.base - height, at.width / BINS - 1, height, { fill: beyond ? at.colour : colour("luck") });
    });
    pen.rect(at.left, at.base, at.width, 1, { fill: colour("rule-strong") });
    const own = x(values[name]);
    pen.rect(own - 1.25, at.base - HIGH + 14, 2.5, HIGH - 14, { fill: at.colour });
    const late = values[name] > 0.6;
    pen.text(own + (late ? -6 : 6), at.base - HIGH + 26, `${who} ${two(values[name])}`, { fill: colour("ink"), align: late ? "right" : "left", bold: true, most: at.width / 2 });
    const mean = x(chance.level[name]);
    pen.text(mean, at.base + 11, "▲", { fill: colour("ink"), align: "center" });
    const label = Math.max(at.left + 40, Math.min(at.left + at.width - 40, mean));
    pen.text(label, at.base + 25, `chance ${two(chance.level[name])}`, { fill: colour("ink"), align: "center" });
    if (label - at.left > 80) pen.text(at.left, at.base + 14, "0", { fill: colour("ink-soft") });
    if (at.left + at.width - label > 70) pen.text(at.left + at.width, at.base + 14, "1", { fill: colour("ink-soft"), align: "right" });
  }
}

/** A stretch that may run on from the end to the beginning. */
function around(from: number, to: number, n: number): [number, number][] {
  if (from >= n) return [[from - n, to - n]];
  return to > n ? [[from, n], [0, to - n]] : [[from, to]];
}
