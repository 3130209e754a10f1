// Strips below the scores: events, each detector's alarms, and what balanced adjustment counts.

import { columnMax } from "../columns";
import { byId, el, nameOf } from "../dom";
import { colour } from "../theme";
import type { State } from "./state";

const MOST = 8; // detectors whose alarms are shown at once
const HEIGHT = 14;

interface Row {
  canvas: HTMLCanvasElement;
  /** Highest value of each pixel column, over event points and over normal points. */
  hits: Float64Array;
  falls: Float64Array;
  islands?: Float64Array;
  threshold: () => number;
}

export class Strips {
  private rows: Row[] = [];
  private width = 0;
  private colours = palette();

  constructor(private readonly state: State) {}

  /** Find the highest value of every column; then any threshold is one comparison per column. */
  rebuild(from: number, to: number, width: number): void {
    const { data } = this.state;
    this.colours = palette();
    this.width = Math.max(1, Math.round(width * devicePixelRatio));
    const box = byId("strips");
    this.rows = [];
    const lines = [this.eventLine(from, to)];
    const shown = data.detectors.map((_, d) => d).filter((d) => d === this.state.detector || d < MOST);
    for (const d of shown) lines.push(this.alarmLine(d, from, to));
    lines.push(this.countedLine(from, to));
    box.replaceChildren(...lines);
    this.paint();
  }

  private eventLine(from: number, to: number): HTMLElement {
    const { label } = this.state.data.truth;
    const ones = Float64Array.from(label);
    return this.line("events", { hits: this.columns(ones, label, from, to), falls: new Float64Array(0), threshold: () => 0 }, "event");
  }

  private alarmLine(d: number, from: number, to: number): HTMLElement {
    const { detectors } = this.state.data;
    const { name } = detectors[d];
    const label = detectors.length > 1 ? el("span", {}, "alarms of ", nameOf(name)) : "alarms";
    const row = { hits: this.highest(d, "hits", from, to), falls: this.highest(d, "falls", from, to), threshold: () => this.state.threshold(d) };
    return this.line(label, row);
  }

  private countedLine(from: number, to: number): HTMLElement {
    const { detector, settings } = this.state;
    const row = {
      hits: this.highest(detector, "counted", from, to),
      islands: this.highest(detector, "islands", from, to),
      falls: this.highest(detector, "falls", from, to),
      threshold: () => this.state.threshold(),
    };
    return this.line(`counted by BA, islands of ${settings.width}`, row);
  }

  /** The highest of a detector's scores, raw or balanced, over event points or normal points. */
  private highest(d: number, kind: "hits" | "falls" | "counted" | "islands", from: number, to: number): Float64Array {
    const { data, settings } = this.state;
    const { overview, scores, whole } = data.detectors[d];
    if (overview) return overview.pixels(kind, from, to, this.width);
    const values = kind === "hits" || kind === "falls" ? scores : whole.adjusted("f1_ba", settings);
    return this.columns(values, kind === "hits" || kind === "counted" ? data.truth.label : data.truth.normal, from, to);
  }

  private columns(values: Float64Array, mask: Uint8Array, from: number, to: number): Float64Array {
    return columnMax(values, mask, from, to, this.width);
  }

  private line(label: string | HTMLElement, row: Omit<Row, "canvas">, kind = ""): HTMLElement {
    const canvas = el("canvas", { width: this.width, height: HEIGHT * devicePixelRatio, "aria-hidden": "true", class: kind });
    this.rows.push({ ...row, canvas });
    return el("div", { class: "strip" }, el("div", { class: "strip-label" }, label), canvas);
  }

  paint(): void {
    const { colours } = this;
    for (const row of this.rows) {
      const context = row.canvas.getContext("2d");
      if (!context) continue;
      const [width, height] = [row.canvas.width, row.canvas.height];
      const at = row.threshold();
      context.clearRect(0, 0, width, height);
      const hit = row.canvas.className === "event" ? colours.event : colours.right;
      if (row.islands) fill(context, row.islands, at, colours.island, height * 0.25, height * 0.75);
      fill(context, row.hits, at, hit, 0, height);
      fill(context, row.falls, at, colours.wrong, row.islands ? 0 : height / 3, height);
    }
  }
}

const palette = () => ({ event: colour("event"), right: colour("right"), wrong: colour("wrong"), island: colour("island") });

/** Fill the columns above the threshold, run by run. */
function fill(context: CanvasRenderingContext2D, values: Float64Array, at: number, style: string, top: number, bottom: number): void {
  context.fillStyle = style;
  for (let c = 0; c < values.length; c++) {
    if (!(values[c] > at)) continue;
    const start = c;
    while (c < values.length && values[c] > at) c++;
    context.fillRect(start, top, Math.max(c - start, 1.5 * devicePixelRatio), bottom - top);
  }
}
