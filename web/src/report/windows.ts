// Window by window: a metric in each window of time, its interval, and what chance would score there. As judged: nothing is recounted here.

import { byId, eachFrame, el, svg } from "../dom";
import { general, many, metric } from "../numbers";
import { real } from "../payload";

type Given = number | string | null;

interface GivenWindow {
  detector: number;
  /** The place of the window on the axis. */
  place: number;
  complete: boolean;
  events: number;
  value: Given;
  chance: Given;
  low: Given;
  high: Given;
}

export interface GivenWindows {
  /** Where each window begins; of windows that grow, where it ends. */
  when: string[];
  grows: boolean;
  metrics: { name: string; most: number | null; least: number | null; rows: GivenWindow[] }[];
}

const HEIGHT = 220;
const PAD = { left: 54, right: 16, top: 12, bottom: 44 };
const LABEL = 88; // pixels of a date

export class Windows {
  private detector = 0;

  constructor(
    private readonly given: GivenWindows,
    private readonly names: string[],
  ) {
    byId("windows-section").hidden = false;
    const rows = given.metrics.flatMap((one) => one.rows);
    byId("windows-interval").hidden = rows.every(({ low }) => low === null);
    byId("windows-chance").hidden = rows.every(({ chance }) => chance === null);
    byId("windows-part").hidden = rows.every(({ complete }) => complete);
    byId("windows-others").hidden = names.length < 2;
    new ResizeObserver(eachFrame(() => this.draw())).observe(byId("windows"));
  }

  show(detector: number): void {
    this.detector = detector;
    byId("windows-name").textContent = this.names.length > 1 ? this.names[detector] : "the value";
    this.draw();
  }

  private draw(): void {
    const width = byId("windows").clientWidth;
    if (width) byId("windows").replaceChildren(...this.given.metrics.map((one) => el("figure", {}, el("figcaption", {}, el("code", {}, one.name)), this.chart(one, width))));
  }

  private chart({ name, least, most, rows }: GivenWindows["metrics"][number], width: number): SVGSVGElement {
    const own = rows.filter(({ detector }) => detector === this.detector);
    const chart = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, class: "chart windows", role: "img", "aria-label": this.said(name, own) });
    const room = (width - PAD.left - PAD.right) / this.given.when.length;
    const x = (place: number): number => PAD.left + (place + 0.5) * room;
    const ends = rows.flatMap(({ value, chance, low, high }) => [value, chance, low, high].map(real)).filter(Number.isFinite);
    const [bottom, top] = [least ?? -rounded(Math.max(0, ...ends.map((end) => -end))), most ?? (rounded(Math.max(0, ...ends)) || 1)];
    const y = (value: number): number => HEIGHT - PAD.bottom - ((Math.min(top, value) - bottom) / (top - bottom)) * (HEIGHT - PAD.top - PAD.bottom);
    for (const level of [bottom, (bottom + top) / 2, top]) chart.append(svg("line", { x1: PAD.left, x2: width - PAD.right, y1: y(level), y2: y(level), class: "level" }), svg("text", { x: PAD.left - 6, y: y(level) + 4, "text-anchor": "end" }, general(level, 3)));
    const every = Math.max(1, Math.ceil(LABEL / room));
    this.given.when.forEach((when, place) => {
      if (place % every === 0) chart.append(svg("text", { x: Math.min(x(place), width - LABEL / 2), y: HEIGHT - PAD.bottom + 18, "text-anchor": "middle" }, when));
    });
    chart.append(svg("text", { x: (PAD.left + width - PAD.right) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, this.given.grows ? "up to" : "window from"));
    this.names.forEach((_, detector) => {
      if (detector !== this.detector) chart.append(svg("path", { d: line(rows.filter((row) => row.detector === detector), x, y), class: "other" }));
    });
    chart.append(svg("path", { d: line(own, x, y), class: "value" }), ...own.map((row) => this.mark(row, x(row.place), Math.min(9, 0.36 * room), y)));
    return chart;
  }

  /** One window: the value as a dot, its interval, and where chance is; what the data do not fill is hollow. */
  private mark(row: GivenWindow, at: number, half: number, y: (value: number) => number): SVGGElement {
    const [value, chance, low, high] = [row.value, row.chance, row.low, row.high].map(real);
    const group = svg("g", {}, svg("title", {}, `${this.given.when[row.place]}: ${metric(value)}${Number.isNaN(low) ? "" : `, 95 % interval ${metric(low)} to ${metric(high)}`}${Number.isNaN(chance) ? "" : `, by chance ${metric(chance)}`}; ${many(row.events, "event")}${row.complete ? "" : ", part of a window"}`));
    if (Number.isNaN(value)) return group;
    if (!Number.isNaN(low)) group.append(svg("line", { x1: at, x2: at, y1: y(low), y2: y(high), class: "interval" }));
    if (!Number.isNaN(chance)) group.append(svg("line", { x1: at - half, x2: at + half, y1: y(chance), y2: y(chance), class: "by-chance" }));
    group.append(svg("circle", { cx: at, cy: y(value), r: Math.max(1.5, Math.min(4.5, 0.4 * half + 1.5)), class: row.complete ? "point" : "point part" }));
    return group;
  }

  private said(name: string, rows: GivenWindow[]): string {
    const values = rows.map(({ value }) => real(value)).filter((value) => !Number.isNaN(value));
    const range = values.length ? ` from ${metric(Math.min(...values))} to ${metric(Math.max(...values))}, the newest ${metric(values.at(-1)!)}` : " undefined in all";
    return `${name} in ${many(rows.length, "window")}:${range}; the table below lists them`;
  }
}

/** The next of 1, 2, 4, 10, 20, ...: an end of an axis. */
function rounded(value: number): number {
  const ten = 10 ** Math.floor(Math.log10(value));
  return value ? ten * [1, 2, 4, 10].find((many) => many * ten >= value * (1 - 1e-9))! : 0;
}

/** A line through the values that are defined, broken where one is not. */
function line(rows: GivenWindow[], x: (place: number) => number, y: (value: number) => number): string {
  let [path, on] = ["", false];
  for (const { place, value } of rows) {
    const at = real(value);
    if (!Number.isNaN(at)) path += `${on ? "L" : "M"}${x(place).toFixed(1)} ${y(at).toFixed(1)}`;
    on = !Number.isNaN(at);
  }
  return path;
}
