// The time axis drawn: traces, lanes, threshold and a map of the whole; zoomed and moved by mouse, touch, keys or buttons.

import { drawable } from "../columns";
import { byId, eachFrame, el, say, set } from "../dom";
import { general } from "../numbers";
import { colour, onTheme } from "../theme";
import { CanvasPen, type Pen, SvgPen } from "./pen";
import type { Bar, Kind, Mark, Scene, Trace } from "./scene";

const RIGHT = 52;
const BAR = 15;
const THIN = 9;
const MAP = 10;
const CROWDED = 8; // pixels that a mark needs, on average, to be drawn by itself
const COLOURS = ["ink", "ink-soft", "rule", "rule-strong", "panel", "paper", "score", "signal", "event", "event-soft", "right", "wrong", "island", "pointed", "pa", "missed"] as const;
type Palette = Record<(typeof COLOURS)[number], string>;

export interface Hands {
  look(view: [number, number] | null): void;
  pick(id: string | null): void;
  /** The threshold line is dragged to a value; or has come to rest. */
  move?(value: number, resting: boolean): void;
  /** What to say of a point under the pointer. */
  read(place: number): string[];
}

interface Box {
  name: string;
  y: number;
  height: number;
}

interface Layout {
  left: number;
  width: number;
  narrow: boolean;
  traces: Box[];
  lanes: Box[];
  axis: number;
  map: number;
  height: number;
}

interface Range {
  low: number;
  high: number;
}

export class Timeline {
  private readonly canvas = byId<HTMLCanvasElement>("time");
  private readonly tip = byId("tip");
  private readonly back = document.createElement("canvas");
  private backKey = "";
  private scene: Scene;
  private layout!: Layout;
  private view: [number, number];
  private picked: string | null = null;
  private ranges = new WeakMap<Float64Array, Range>();
  private behindOf: Float64Array | null = null;
  private drag: { kind: "line" | "map" | "zoom"; x: number; moved: boolean } | null = null;

  constructor(
    scene: Scene,
    private readonly hands: Hands,
  ) {
    this.scene = scene;
    this.view = [scene.axis.from, scene.axis.to];
    const again = eachFrame(() => this.draw());
    new ResizeObserver(again).observe(byId("plot"));
    onTheme(() => {
      this.backKey = "";
      again();
    });
    addEventListener("beforeprint", () => this.draw());
    this.listen();
    this.buttons();
  }

  /** Show a scene; `view` null: all of it. */
  show(scene: Scene, view: [number, number] | null, picked: string | null): void {
    this.scene = scene;
    this.view = view ? this.limited(view) : [scene.axis.from, scene.axis.to];
    this.picked = picked;
    this.draw();
  }

  /** A view that holds a stretch, with some room on both sides. */
  around({ from, to }: Mark): [number, number] {
    const pad = 1.5 * Math.max(to - from, 40 * this.scene.axis.step);
    return this.limited([from - pad, to + pad]);
  }

  bringIntoView(): void {
    const box = byId("plot").getBoundingClientRect();
    if (box.bottom < 160 || box.top > innerHeight - 160) byId("plot").scrollIntoView({ block: "center" });
  }

  private limited([from, to]: [number, number]): [number, number] {
    const { axis } = this.scene;
    const length = Math.max(Math.min(8 * axis.step, axis.to - axis.from), Math.min(to - from, axis.to - axis.from));
    const start = Math.max(axis.from, Math.min(from, axis.to - length));
    return [start, start + length];
  }

  private get isWhole(): boolean {
    return this.view[0] <= this.scene.axis.from && this.view[1] >= this.scene.axis.to;
  }

  private look(view: [number, number]): void {
    const limited = this.limited(view);
    const { axis } = this.scene;
    this.hands.look(limited[0] <= axis.from && limited[1] >= axis.to ? null : limited);
  }

  private x(place: number): number {
    return this.layout.left + ((place - this.view[0]) / (this.view[1] - this.view[0])) * this.layout.width;
  }

  private place(x: number): number {
    return this.view[0] + ((x - this.layout.left) / this.layout.width) * (this.view[1] - this.view[0]);
  }

  // Drawing

  private lay(width: number): Layout {
    const narrow = width < 640;
    const [left, gap] = [narrow ? 34 : 118, narrow ? 17 : 6];
    let y = narrow ? 15 : 6;
    const stack = (name: string, height: number): Box => {
      const box = { name, y, height };
      y += height + gap;
      return box;
    };
    const signals = this.scene.traces.filter(({ kind }) => kind === "signal").length;
    const traces = this.scene.traces.map(({ name, kind }) => stack(name, kind === "score" ? (narrow || signals ? 100 : 124) : signals > 2 ? 36 : 44));
    const lanes = this.scene.lanes.map(({ name, thin }) => stack(name, thin ? THIN : BAR));
    const axis = y + 2;
    const map = axis + (this.scene.axis.calendar ? 38 : 24);
    return { left, width: Math.max(40, width - left - RIGHT), narrow, traces, lanes, axis, map, height: map + MAP + 4 };
  }

  private palette(): Palette {
    return Object.fromEntries(COLOURS.map((name) => [name, colour(name)])) as Palette;
  }

  private draw(): void {
    const width = byId("plot").clientWidth;
    if (!width) return;
    this.layout = this.lay(width);
    const ratio = Math.max(1, devicePixelRatio);
    const { canvas, back, layout } = this;
    const size: [number, number] = [Math.round(width * ratio), Math.round(layout.height * ratio)];
    for (const one of [canvas, back]) {
      if (one.width === size[0] && one.height === size[1]) continue;
      [one.width, one.height] = size;
      this.backKey = "";
    }
    canvas.style.height = `${layout.height}px`;
    const colours = this.palette();
    const score = this.scene.traces.flatMap(({ values, behind }) => (behind ? [values, behind] : [values]));
    const key = JSON.stringify([this.view, size, score.length, colours.paper, this.scene.lanes.map(({ name }) => name)]);
    if (key !== this.backKey || score.some((values, i) => values !== this.drawnTraces[i]) || this.drawnAxis !== this.scene.axis) {
      const context = back.getContext("2d")!;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, width, layout.height);
      this.background(new CanvasPen(context), colours);
      [this.backKey, this.drawnTraces, this.drawnAxis] = [key, score, this.scene.axis];
    }
    const context = canvas.getContext("2d")!;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, ...size);
    context.drawImage(back, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.foreground(new CanvasPen(context), colours);
    set(canvas, { "aria-label": this.scene.said });
  }

  private drawnTraces: Float64Array[] = [];
  private drawnAxis: unknown = null;

  /** The same picture as an SVG file. */
  svg(): string {
    const width = byId("plot").clientWidth;
    const pen = new SvgPen();
    const colours = this.palette();
    pen.rect(0, 0, width, this.layout.height, { fill: colours.paper });
    this.background(pen, colours);
    this.foreground(pen, colours);
    return pen.file(width, this.layout.height);
  }

  /** Whether a lane has more marks than it has room for. */
  get crowded(): boolean {
    return this.layout !== undefined && this.scene.lanes.some(({ bars }) => bars.length > this.layout.width / CROWDED);
  }

  get picture(): HTMLCanvasElement {
    return this.canvas;
  }

  /** What does not move with the threshold: panels, names, ticks, holes, events behind the traces, and the traces. */
  private background(pen: Pen, colours: Palette): void {
    const { layout } = this;
    const boxes = [...layout.traces, ...layout.lanes];
    for (const box of boxes) {
      pen.rect(layout.left, box.y, layout.width, box.height, { fill: colours.panel });
      if (layout.narrow) pen.text(layout.left + 4, box.y - 4, box.name, { fill: colours["ink-soft"], size: 11.5, most: layout.width - 4 });
      else pen.text(0, box.y + Math.min(box.height / 2 + 4, 14), box.name, { fill: colours["ink-soft"], most: layout.left - (box.height > BAR ? 44 : 6) });
    }
    this.ticks(pen, colours);
    const [top, bottom] = [boxes[0].y, boxes.at(-1)!.y + boxes.at(-1)!.height];
    this.inside(pen, () => {
      const crowded = this.scene.lanes[0].bars.length > layout.width / CROWDED;
      for (const { from, to, kind } of this.scene.lanes[0].bars) {
        if (kind !== "event" && kind !== "missed") continue;
        const [left, right] = [this.x(from), this.x(to)];
        if (right < layout.left || left > layout.left + layout.width || (crowded && right - left < 1)) continue;
        for (const box of layout.traces) pen.rect(left, box.y, Math.max(1, right - left), box.height, { fill: colours["event-soft"] });
      }
      for (const [from, to] of this.scene.holes) this.hatch(pen, this.x(from), this.x(to), top, bottom, colours["rule-strong"]);
      this.scene.lanes.forEach(({ holes }, l) => {
        const { y, height } = layout.lanes[l];
        for (const [from, to] of holes ?? []) this.hatch(pen, this.x(from), this.x(to), y, y + height, colours["rule-strong"]);
      });
    });
    this.scene.traces.forEach((trace, t) => this.trace(pen, trace, layout.traces[t], colours));
  }

  private inside(pen: Pen, draw: () => void): void {
    pen.clip(this.layout.left, 0, this.layout.width, this.layout.height, draw);
  }

  private hatch(pen: Pen, left: number, right: number, top: number, bottom: number, stroke: string): void {
    const [from, to] = [Math.max(left, this.layout.left), Math.min(right, this.layout.left + this.layout.width)];
    if (to - from < 2) return;
    pen.clip(from, top, to - from, bottom - top, () => {
      const height = bottom - top;
      for (let x = from - height - ((from - height) % 7); x < to; x += 7) pen.line([x, bottom, x + height, top], { stroke, alpha: 0.4 });
    });
  }

  private ticks(pen: Pen, colours: Palette): void {
    const { layout } = this;
    const top = layout.lanes[0]?.y ?? 0;
    for (const { at, label, below } of this.scene.axis.ticks(...this.view, layout.width)) {
      const x = this.x(at);
      pen.line([x, top, x, layout.axis], { stroke: colours.rule });
      pen.text(x, layout.axis + 13, label, { fill: colours.ink, size: 12, align: "center" });
      if (below) pen.text(x, layout.axis + 27, below, { fill: colours["ink-soft"], size: 12, align: "center" });
    }
  }

  /** The lowest and highest drawable value, over the whole series. */
  private range(trace: Trace): Range {
    const values = trace.columns?.high ?? trace.values;
    const known = this.ranges.get(trace.behind ?? values);
    if (known && (!trace.behind || this.behindOf === values)) return known;
    let [low, high] = [Infinity, -Infinity];
    for (const side of trace.columns ? [trace.columns.low, trace.columns.high] : [values, ...(trace.behind ? [trace.behind] : [])]) {
      for (let i = 0; i < side.length; i++) {
        if (!drawable(side[i])) continue;
        if (side[i] < low) low = side[i];
        if (side[i] > high) high = side[i];
      }
    }
    const found = low > high ? { low: 0, high: 1 } : low === high ? { low: low - 0.5, high: high + 0.5 } : { low, high };
    this.ranges.set(trace.behind ?? values, found);
    if (trace.behind) this.behindOf = values;
    return found;
  }

  private y({ low, high }: Range, box: Box, value: number): number {
    const share = value === Infinity ? 1 : (value - low) / (high - low);
    return box.y + box.height - 2 - Math.max(0, Math.min(1, share)) * (box.height - 4);
  }

  private trace(pen: Pen, trace: Trace, box: Box, colours: Palette): void {
    const range = this.range(trace);
    const stroke = trace.kind === "score" ? colours.score : colours.signal;
    if (trace.behind) this.inside(pen, () => this.line(pen, trace.behind!, range, box, colours.pa));
    this.inside(pen, () => (trace.columns ? this.columns(pen, trace.columns, range, box, stroke) : this.line(pen, trace.values, range, box, stroke)));
    const label = (value: number) => (Math.abs(value) < (range.high - range.low) / 1000 ? "0" : general(value, 3));
    const right = { fill: colours["ink-soft"], size: 11, align: "right" as const };
    pen.text(this.layout.left - 4, box.y + 9, label(range.high), right);
    pen.text(this.layout.left - 4, box.y + box.height, label(range.low), right);
  }

  /** The lowest and the highest point of every pixel column, from the points themselves at any zoom; holes interrupt. */
  private line(pen: Pen, values: Float64Array, range: Range, box: Box, stroke: string): void {
    const { axis } = this.scene;
    const first = Math.max(0, axis.lower(this.view[0]) - 1);
    const last = Math.min(values.length, axis.lower(this.view[1]) + 1);
    const holes = new Set(axis.gaps);
    const path: number[] = [];
    let [column, low, high, open] = [NaN, 0, 0, false];
    const close = () => {
      if (open && low !== high) path.push(column + 0.5, this.y(range, box, low), column + 0.5, this.y(range, box, high));
    };
    for (let i = first; i < last; i++) {
      const value = values[i];
      const x = this.x(axis.places[i] + axis.step / 2);
      if (!drawable(value) || holes.has(i)) {
        close();
        if (open) path.push(x, NaN);
        open = false;
        if (!drawable(value)) continue;
      }
      if (open && Math.floor(x) === column) {
        if (value < low) low = value;
        if (value > high) high = value;
        continue;
      }
      close();
      path.push(x, this.y(range, box, value));
      [column, low, high, open] = [Math.floor(x), value, value, true];
    }
    close();
    pen.line(path, { stroke });
    if ((last - first) * 7 > this.layout.width) return;
    for (let i = first; i < last; i++) if (drawable(values[i])) pen.rect(this.x(axis.places[i] + axis.step / 2) - 1.5, this.y(range, box, values[i]) - 1.5, 3, 3, { fill: stroke });
  }

  /** Columns of a series in overview, each from its lowest to its highest value: a range, not a line. */
  private columns(pen: Pen, { starts, low, high }: NonNullable<Trace["columns"]>, range: Range, box: Box, fill: string): void {
    const { axis } = this.scene;
    starts.forEach((start, c) => {
      const [from, to] = [this.x(axis.start(start)), this.x(axis.start(starts[c + 1] ?? axis.places.length))];
      if (to < this.layout.left || from > this.layout.left + this.layout.width || !(high[c] >= low[c])) return;
      const [top, bottom] = [this.y(range, box, high[c]), this.y(range, box, low[c])];
      pen.rect(from, top, Math.max(1, to - from), Math.max(1, bottom - top), { fill });
    });
  }

  /** What moves with the threshold: lanes, the threshold itself, what is pointed at, and the map. */
  private foreground(pen: Pen, colours: Palette): void {
    const { layout } = this;
    const mark = this.picked === null ? undefined : this.scene.marks().find(({ id }) => id === this.picked);
    const boxes = [...layout.traces, ...layout.lanes];
    this.inside(pen, () => {
      if (mark) {
        const [left, right] = [this.x(mark.from), this.x(mark.to)];
        const pad = Math.max(2, 5 - (right - left) / 2);
        const [top, bottom] = [boxes[0].y, boxes.at(-1)!.y + boxes.at(-1)!.height];
        pen.rect(left - pad, top, right - left + 2 * pad, bottom - top, { fill: colours.pointed, alpha: 0.55 });
        pen.rect(left - pad, top, right - left + 2 * pad, bottom - top, { stroke: colours.ink, width: 1 });
      }
      this.scene.lanes.forEach(({ bars }, l) => this.bars(pen, bars, layout.lanes[l], colours));
    });
    this.threshold(pen, colours);
    this.map(pen, colours);
  }

  private bars(pen: Pen, bars: Bar[], box: Box, colours: Palette): void {
    const [first, last] = this.view;
    const seen = this.isWhole ? bars : bars.filter(({ from, to }) => to >= first && from <= last);
    if (seen.length > this.layout.width / CROWDED) return this.strip(pen, seen, box, colours);
    for (const { from, to, kind } of seen) {
      const left = this.x(from);
      const width = Math.max(2.5, this.x(to) - left);
      if (kind === "missed" || kind === "unwatched") {
        const stroke = kind === "missed" ? colours.event : colours["rule-strong"];
        pen.rect(left + 0.75, box.y + 1.5, Math.max(2, width - 1.5), box.height - 3, { stroke, width: 1.5, dash: [3, 2], fill: colours.paper });
      } else if (kind === "island") pen.rect(left, box.y + box.height / 4, width, box.height / 2, { fill: colours.island });
      else pen.rect(left, box.y, width, box.height, { fill: colours[kind] });
    }
  }

  /** More marks than there is room for: each pixel as dark as it is full. What was missed has all its ink, above the rest. */
  private strip(pen: Pen, bars: Bar[], box: Box, colours: Palette): void {
    const { left, width } = this.layout;
    const [first, scale] = [this.view[0], width / (this.view[1] - this.view[0])];
    const kinds: Kind[] = ["island", "right", "event", "wrong", "unwatched", "missed"];
    const shares = Object.fromEntries(kinds.map((kind) => [kind, new Float64Array(Math.ceil(width))])) as Record<Kind, Float64Array>;
    for (const { kind, from, to } of bars) fill(shares[kind], (from - first) * scale, (to - first) * scale);
    for (const kind of kinds) {
      const full = shares[kind];
      const [top, height] = kind === "island" ? [box.y + box.height / 4, box.height / 2] : [box.y, box.height];
      const [colour, sure] = kind === "missed" ? [colours.missed, true] : kind === "unwatched" ? [colours["rule-strong"], false] : [colours[kind], false];
      for (let px = 0; px < full.length; ) {
        const level = darkness(full[px], sure);
        let stop = px + 1;
        while (stop < full.length && darkness(full[stop], sure) === level) stop++;
        if (level) pen.rect(left + px, kind === "missed" ? top + 0.55 * height : top, stop - px, kind === "missed" ? 0.45 * height : height, { fill: colour, alpha: level });
        px = stop;
      }
    }
  }

  private get scoreBox(): { box: Box; range: Range } | null {
    const t = this.scene.traces.findIndex(({ kind }) => kind === "score");
    return t < 0 ? null : { box: this.layout.traces[t], range: this.range(this.scene.traces[t]) };
  }

  /** Where the threshold line is drawn: within its box, even if the threshold lies beyond. */
  private get thresholdY(): number {
    const { threshold } = this.scene;
    const found = this.scoreBox;
    return threshold === null || !found ? NaN : this.y(found.range, found.box, threshold);
  }

  /** Whether the threshold lies above (1) or below (-1) all that is drawn. */
  private get beyond(): number {
    const { range } = this.scoreBox!;
    const threshold = this.scene.threshold!;
    return threshold > range.high ? 1 : threshold < range.low ? -1 : 0;
  }

  private threshold(pen: Pen, colours: Palette): void {
    const y = this.thresholdY;
    if (Number.isNaN(y)) return;
    const { left, width } = this.layout;
    const beyond = this.beyond;
    if (beyond) pen.text(left + width - 6, beyond > 0 ? y + 12 : y - 5, beyond > 0 ? "▲ threshold above all scores" : "▼ threshold below all scores", { fill: colours.wrong, size: 11, align: "right", most: width });
    else pen.line([left, y, left + width, y], { stroke: colours.wrong, width: 1.5, dash: [6, 4] });
    pen.rect(left + width + 1, y - 9, RIGHT - 2, 18, { fill: colours.wrong });
    pen.text(left + width + RIGHT / 2, y + 4, this.scene.handle, { fill: colours.paper, size: 11, align: "center", bold: true });
  }

  private mapX(place: number): number {
    const { axis } = this.scene;
    return this.layout.left + ((place - axis.from) / (axis.to - axis.from)) * this.layout.width;
  }

  private map(pen: Pen, colours: Palette): void {
    const { layout } = this;
    pen.rect(layout.left, layout.map, layout.width, MAP, { fill: colours.panel });
    if (!layout.narrow) pen.text(0, layout.map + 9, "whole series", { fill: colours["ink-soft"] });
    const strip = ({ from, to, kind }: Bar, top: number, height: number) => {
      const left = this.mapX(from);
      const width = Math.max(2, this.mapX(to) - left);
      if (kind === "missed") pen.rect(left + 0.5, top + 0.5, width, height - 1, { stroke: colours.event, dash: [2, 2] });
      else pen.rect(left, top, width, height, { fill: kind === "wrong" ? colours.wrong : colours.event });
    };
    const bars = this.scene.map ?? this.scene.lanes.slice(0, 2).flatMap((lane) => lane.bars);
    if (bars.length > layout.width / CROWDED) return this.crowdedMap(pen, bars, colours);
    for (const bar of bars) {
      if (bar.kind === "event" || bar.kind === "missed") strip(bar, layout.map, MAP);
      if (bar.kind === "wrong") strip(bar, layout.map + MAP / 2, MAP / 2);
    }
    this.window(pen, colours);
  }

  private crowdedMap(pen: Pen, bars: Bar[], colours: Palette): void {
    const { layout } = this;
    for (const [kind, top, height] of [["event", 0, MAP], ["wrong", MAP / 2, MAP / 2], ["missed", 0, MAP / 2]] as const) {
      const full = new Float64Array(Math.ceil(layout.width));
      for (const bar of bars) if (bar.kind === kind) fill(full, this.mapX(bar.from) - layout.left, this.mapX(bar.to) - layout.left);
      full.forEach((share, px) => share && pen.rect(layout.left + px, layout.map + top, 1, height, { fill: colours[kind], alpha: darkness(share, kind === "missed") }));
    }
    this.window(pen, colours);
  }

  private window(pen: Pen, colours: Palette): void {
    const { layout } = this;
    if (!this.isWhole) pen.rect(this.mapX(this.view[0]), layout.map - 1, this.mapX(this.view[1]) - this.mapX(this.view[0]), MAP + 2, { stroke: colours.ink, width: 1.5 });
  }

  // Hands

  private at(event: MouseEvent): [number, number] {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private onLine([x, y]: [number, number]): boolean {
    return Boolean(this.hands.move) && Math.abs(y - this.thresholdY) < 9 && x > this.layout.left;
  }

  private under(x: number): Mark | undefined {
    const slack = (5 / this.layout.width) * (this.view[1] - this.view[0]);
    const place = this.place(x);
    const near = this.scene.marks().filter(({ from, to }) => from - slack <= place && place <= to + slack);
    return near.sort((a, b) => a.to - a.from - (b.to - b.from))[0];
  }

  private listen(): void {
    const { canvas } = this;
    const pull = eachFrame(() => this.pull());
    canvas.addEventListener("pointerdown", (event) => {
      const at = this.at(event);
      this.last = at;
      this.drag = { kind: this.onLine(at) ? "line" : at[1] > this.layout.map - 5 ? "map" : "zoom", x: at[0], moved: false };
      if (event.pointerType === "mouse" || this.drag.kind !== "zoom") canvas.setPointerCapture(event.pointerId);
      if (this.drag.kind === "line") event.preventDefault();
    });
    canvas.addEventListener("pointermove", (event) => {
      this.last = this.at(event);
      if (this.drag) return pull();
      canvas.classList.toggle("on-line", this.onLine(this.last));
      this.read(this.last);
    });
    canvas.addEventListener("pointerup", () => this.release());
    canvas.addEventListener("pointercancel", () => (this.drag = null));
    canvas.addEventListener("pointerleave", () => (this.tip.hidden = true));
    canvas.addEventListener("dblclick", () => this.hands.look(null));
    canvas.addEventListener("wheel", (wheel) => {
      if (!wheel.ctrlKey && !wheel.metaKey) return; // a page must scroll
      wheel.preventDefault();
      this.zoom(wheel.deltaY > 0 ? 1.25 : 0.8, this.place(this.at(wheel)[0]));
    }, { passive: false });
    canvas.addEventListener("keydown", (key) => {
      const acts: Record<string, () => void> = { ArrowLeft: () => this.pan(-0.25), ArrowRight: () => this.pan(0.25), "+": () => this.zoom(0.5), "-": () => this.zoom(2), Escape: () => this.hands.look(null) };
      if (!acts[key.key]) return;
      key.preventDefault();
      acts[key.key]();
    });
  }

  private last: [number, number] = [0, 0];

  private pull(): void {
    const { drag, last: [x, y] } = this;
    if (!drag) return;
    if (drag.kind === "line") this.hands.move?.(this.value(y), false);
    else if (drag.kind === "map") this.centre(x);
    else if (Math.abs(x - drag.x) > 5) {
      this.draw();
      const pen = new CanvasPen(this.canvas.getContext("2d")!);
      pen.rect(Math.min(x, drag.x), 0, Math.abs(x - drag.x), this.layout.axis, { fill: colour("pointed"), alpha: 0.5 });
    }
    drag.moved ||= Math.abs(x - drag.x) > 5 || drag.kind === "line";
  }

  private release(): void {
    const { drag, last: [x, y] } = this;
    this.drag = null;
    if (!drag) return;
    if (drag.kind === "line") return this.hands.move?.(this.value(y), true);
    if (drag.kind === "map") return this.centre(x);
    if (drag.moved) return this.look([this.place(Math.min(x, drag.x)), this.place(Math.max(x, drag.x))]);
    this.hands.pick(this.under(x)?.id ?? null);
  }

  /** The threshold at a height, in three digits: as finely as a hand can place it. */
  private value(y: number): number {
    const found = this.scoreBox!;
    const share = (found.box.y + found.box.height - 2 - y) / (found.box.height - 4);
    const value = found.range.low + Math.max(0, Math.min(1, share)) * (found.range.high - found.range.low);
    return Number(value.toPrecision(3));
  }

  private centre(x: number): void {
    const { axis } = this.scene;
    const middle = axis.from + ((x - this.layout.left) / this.layout.width) * (axis.to - axis.from);
    const half = (this.view[1] - this.view[0]) / 2;
    this.look([middle - half, middle + half]);
  }

  private zoom(factor: number, middle = (this.view[0] + this.view[1]) / 2): void {
    this.look([middle - (middle - this.view[0]) * factor, middle + (this.view[1] - middle) * factor]);
  }

  private pan(share: number): void {
    const by = share * (this.view[1] - this.view[0]);
    this.look([this.view[0] + by, this.view[1] + by]);
  }

  private read([x, y]: [number, number]): void {
    const { left, width, map } = this.layout;
    this.tip.hidden = x < left || x > left + width || y > map;
    if (this.tip.hidden) return;
    const mark = this.under(x);
    say(this.tip, [...this.hands.read(this.place(x)), ...(mark ? [mark.words] : [])].join("\n"));
    const room = this.tip.offsetWidth;
    this.tip.style.left = `${x + 14 + room > left + width + RIGHT ? x - room - 12 : x + 14}px`;
    this.tip.style.top = `${Math.max(0, y - 20)}px`;
  }

  private buttons(): void {
    const actions: [string, string, () => void][] = [
      ["−", "farther", () => this.zoom(2)],
      ["+", "closer", () => this.zoom(0.5)],
      ["←", "earlier", () => this.pan(-0.5)],
      ["→", "later", () => this.pan(0.5)],
      ["whole series", "show the whole series", () => this.hands.look(null)],
    ];
    byId("zoom").append(
      ...actions.map(([label, title, act]) => {
        const button = el("button", { type: "button", title, "aria-label": title }, label);
        button.addEventListener("click", act);
        return button;
      }),
    );
  }
}

/** Add how much of each pixel a stretch covers; a stretch that is thinner than a pixel covers some of it. */
function fill(full: Float64Array, from: number, to: number): void {
  const [low, high] = [Math.max(0, from), Math.min(full.length, Math.max(to, from + 0.05))];
  for (let px = Math.floor(low); px < high; px++) full[px] += Math.min(px + 1, high) - Math.max(px, low);
}

/** How dark a pixel is that is so full, in a few steps: what is there is seen, what must be seen has all its ink. */
const darkness = (share: number, sure: boolean): number => (share <= 0 ? 0 : sure ? 1 : 0.25 + 0.75 * (Math.ceil(8 * Math.min(1, share)) / 8));
