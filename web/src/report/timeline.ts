// The scores over time with the events behind them, zoomed and moved by mouse, keys or buttons.

import uPlot from "uplot";
import { drawable, extremes } from "../columns";
import { byId, eachFrame, el, say } from "../dom";
import { general } from "../numbers";
import { colour, onTheme } from "../theme";
import { Strips } from "./strips";
import type { State, Stretch } from "./state";
import { placeWords } from "./time";

const AXIS = 64; // width of the score axis, and the space to the right: the style gives the strips the same
const STEPS = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((power) => [1, 2, 5].map((step) => step * 10 ** power));
const RIGHT = 34;

export class Timeline {
  private readonly box = byId("timeline");
  private readonly line = el("div", { class: "threshold-line" });
  private readonly mark = el("div", { class: "stretch" });
  private readonly strips: Strips;
  private readonly readout = byId("readout");
  private plot: uPlot;
  private from = 0;
  private to = 1;

  constructor(private readonly state: State) {
    this.strips = new Strips(state);
    ({ start: this.from, stop: this.to } = state.view);
    this.plot = this.draw();
    this.buttons();
    const fit = eachFrame(() => this.fit());
    new ResizeObserver(fit).observe(this.box);
    onTheme(() => this.redraw());
  }

  /** Start anew with another detector, series or size. */
  redraw(): void {
    this.plot.destroy();
    this.plot = this.draw();
  }

  openSeries(): void {
    ({ start: this.from, stop: this.to } = this.state.view);
    this.redraw();
  }

  /** What moves with the threshold: a line and the alarms, not the drawing. */
  move(): void {
    this.place();
    this.strips.paint();
  }

  private place(): void {
    const y = this.plot.valToPos(this.state.threshold(), "y");
    const inside = Number.isFinite(y) && y >= 0 && y <= this.plot.over.clientHeight;
    const shown = Number.isFinite(this.state.threshold());
    this.line.hidden = !shown || !inside;
    this.line.style.transform = `translateY(${inside ? Math.round(y) : 0}px)`;
  }

  /** Compute the columns of what is on show again: another stretch, detector or setting. */
  rebuild(): void {
    if (!this.plot) return; // uPlot is not ready yet, and will say so
    this.strips.rebuild(this.from, this.to, this.plot.over.clientWidth);
    this.move();
    this.markStretch();
  }

  showStretch(): void {
    const { stretch } = this.state;
    if (stretch && (stretch.start < this.from || stretch.stop > this.to || this.tiny(stretch))) {
      const wide = Math.max(20 * (stretch.stop - stretch.start), 100);
      const middle = (stretch.start + stretch.stop) / 2;
      this.zoom(middle - wide / 2, middle + wide / 2);
    }
    this.markStretch();
  }

  private tiny(stretch: Stretch): boolean {
    return (stretch.stop - stretch.start) / (this.to - this.from) < 0.004;
  }

  private markStretch(): void {
    const { stretch } = this.state;
    this.mark.hidden = !stretch;
    if (!stretch) return;
    const [left, right] = [this.x(stretch.start), this.x(stretch.stop)];
    this.mark.style.left = `${left}px`;
    this.mark.style.width = `${Math.max(2, right - left)}px`;
  }

  private x(point: number): number {
    return ((point - this.from) / (this.to - this.from)) * this.plot.over.clientWidth;
  }

  private zoom(from: number, to: number): void {
    const { start, stop } = this.state.view;
    const wide = Math.max(3, Math.min(to - from, stop - start));
    this.from = Math.round(Math.max(start, Math.min(from, stop - wide)));
    this.to = Math.round(Math.min(stop, this.from + wide));
    this.plot.setData(this.points(), false);
    this.plot.setScale("x", { min: this.from, max: this.to });
    this.rebuild();
  }

  private points(): uPlot.AlignedData {
    const { scores, overview } = this.state.current;
    if (overview) {
      const { at, scores: found } = overview.drawn(this.from, this.to);
      return [at, found.map((score) => (drawable(score) ? score : null))];
    }
    const places = extremes(scores, Math.max(this.from - 1, this.state.view.start), Math.min(this.to + 1, this.state.view.stop), 1200);
    return [places.map((i) => i + 0.5), places.map((i) => (drawable(scores[i]) ? scores[i] : null))]; // a point fills [i, i + 1)
  }

  private fit(): void {
    const width = this.box.clientWidth;
    if (!width || width === this.plot.width) return;
    this.plot.setSize({ width, height: this.height });
  }

  private get height(): number {
    return window.innerHeight < 700 || this.box.clientWidth < 500 ? 180 : 240;
  }

  private draw(): uPlot {
    const { state } = this;
    const axis = { stroke: colour("ink-soft"), grid: { stroke: colour("rule"), width: 1 }, ticks: { stroke: colour("rule"), width: 1 }, font: "12px system-ui, sans-serif" };
    const options: uPlot.Options = {
      width: this.box.clientWidth || 300,
      height: this.height,
      padding: [10, RIGHT, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: true, y: false, setScale: false }, points: { size: 6 } },
      scales: { x: { time: false, min: this.from, max: this.to }, y: { range: (_, low, high) => padded(low, high) } },
      axes: [
        { ...axis, incrs: STEPS, values: (_, ticks) => ticks.map((i) => placeWords(state.data, i, this.to - this.from)), space: 90 },
        { ...axis, size: AXIS, values: (_, ticks) => ticks.map((tick) => general(tick, 4)) },
      ],
      series: [{}, { stroke: colour("score"), width: 1, points: { show: this.to - this.from < 120, size: 4 } }],
      hooks: {
        drawClear: [(plot) => this.shade(plot)],
        setSelect: [(plot) => this.select(plot)],
        setCursor: [(plot) => this.read(plot)],
        ready: [(plot) => this.listen(plot), () => this.rebuild()],
        setSize: [() => this.plot && this.rebuild()],
        draw: [() => this.plot && this.place()],
      },
    };
    const plot = new uPlot(options, this.points(), this.box);
    plot.over.append(this.line, this.mark);
    return plot;
  }

  /** Events behind the scores; the narrowest is still one pixel wide. */
  private shade(plot: uPlot): void {
    const { ctx, bbox } = plot;
    const { starts, stops } = this.state.data.truth;
    ctx.save();
    ctx.fillStyle = colour("event-soft");
    starts.forEach((start, e) => {
      if (stops[e] <= this.from || start >= this.to) return;
      const left = plot.valToPos(Math.max(start, this.from), "x", true);
      const right = plot.valToPos(Math.min(stops[e], this.to), "x", true);
      ctx.fillRect(left, bbox.top, Math.max(devicePixelRatio, right - left), bbox.height);
    });
    ctx.restore();
  }

  private select(plot: uPlot): void {
    const { left, width } = plot.select;
    if (width < 4) return;
    const from = plot.posToVal(left, "x");
    const to = plot.posToVal(left + width, "x");
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.zoom(from, to);
  }

  private listen(plot: uPlot): void {
    plot.over.addEventListener("wheel", (wheel) => {
      if (!wheel.ctrlKey && !wheel.shiftKey) return; // a page must scroll
      wheel.preventDefault();
      const span = this.to - this.from;
      if (wheel.shiftKey) return this.pan(Math.sign(wheel.deltaY || wheel.deltaX) * 0.1);
      const at = plot.posToVal(wheel.offsetX, "x");
      const factor = wheel.deltaY > 0 ? 1.25 : 0.8;
      this.zoom(at - (at - this.from) * factor, at - (at - this.from) * factor + span * factor);
    }, { passive: false });
    let down = 0;
    plot.over.addEventListener("mousedown", (mouse) => (down = mouse.clientX));
    plot.over.addEventListener("mouseup", (mouse) => {
      if (Math.abs(mouse.clientX - down) > 3) return;
      const i = Math.floor(plot.posToVal(mouse.offsetX, "x"));
      this.state.point({ start: i, stop: i + 1 });
    });
    plot.over.addEventListener("dblclick", () => this.whole());
  }

  private pan(share: number): void {
    const step = share * (this.to - this.from);
    this.zoom(this.from + step, this.to + step);
  }

  private whole(): void {
    this.zoom(this.state.view.start, this.state.view.stop);
  }

  private buttons(): void {
    const closer = (factor: number) => {
      const middle = (this.from + this.to) / 2;
      const half = ((this.to - this.from) / 2) * factor;
      this.zoom(middle - half, middle + half);
    };
    const actions: [string, string, () => void][] = [
      ["←", "move to the left", () => this.pan(-0.5)],
      ["→", "move to the right", () => this.pan(0.5)],
      ["+", "closer", () => closer(0.5)],
      ["−", "farther", () => closer(2)],
      ["whole series", "show the whole series", () => this.whole()],
    ];
    byId("zoom").append(
      ...actions.map(([label, title, act]) => {
        const button = el("button", { type: "button", title, "aria-label": title }, label);
        button.addEventListener("click", act);
        return button;
      }),
    );
  }

  private read(plot: uPlot): void {
    const place = plot.cursor.idx;
    if (place === null || place === undefined) return say(this.readout, " ");
    const i = Math.floor(plot.data[0][place]);
    const { truth } = this.state.data;
    const score = plot.data[1][place] ?? NaN;
    const where = truth.label[i] ? "in an event" : truth.normal[i] ? "normal" : "not judged";
    const flag = score > this.state.threshold() ? ", flagged" : "";
    say(this.readout, `${placeWords(this.state.data, i, 1)}: score ${general(score)}, ${where}${flag}`);
  }
}

function padded(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  const pad = (high - low || Math.abs(high) || 1) * 0.06;
  return [low - pad, high + pad];
}
