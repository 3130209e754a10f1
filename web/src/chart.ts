// Small charts with curves in the unit square, as SVG: sharp at any size, on paper too.

import { el, set, svg } from "./dom";
import { fixed } from "./numbers";

export interface Tick {
  /** Between 0 and 1. */
  at: number;
  label: string;
}

export interface Curve {
  class: string;
  /** Places between 0 and 1; NaN interrupts the curve. */
  points: [number, number][];
}

const WIDTH = 520;
const HEIGHT = 300;
const PAD = { left: 58, right: 12, top: 12, bottom: 42 };

export class Chart {
  readonly root: SVGSVGElement;
  private readonly areas = svg("g");
  private readonly lines = svg("g");
  private readonly axis = svg("g");
  private readonly marks = svg("g");

  constructor(title: string, across: string, up: string) {
    this.root = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title, class: "chart" });
    const middle = (PAD.top + HEIGHT - PAD.bottom) / 2;
    this.root.append(
      this.grid(),
      this.areas,
      this.lines,
      this.axis,
      this.marks,
      svg("text", { x: (PAD.left + WIDTH - PAD.right) / 2, y: HEIGHT - 6, class: "name", "text-anchor": "middle" }, across),
      svg("text", { transform: `translate(14 ${middle}) rotate(-90)`, class: "name", "text-anchor": "middle" }, up),
    );
  }

  private grid(): SVGGElement {
    const group = svg("g", { class: "grid" });
    for (const level of [0, 0.25, 0.5, 0.75, 1]) {
      group.append(svg("line", { x1: x(0), x2: x(1), y1: y(level), y2: y(level) }));
      group.append(svg("text", { x: PAD.left - 6, y: y(level) + 4, "text-anchor": "end" }, fixed(level, 2)));
    }
    return group;
  }

  ticks(ticks: Tick[]): void {
    this.axis.replaceChildren(
      ...ticks.flatMap(({ at, label }) => [
        svg("line", { x1: x(at), x2: x(at), y1: y(0), y2: y(0) + 4, class: "tick" }),
        svg("text", { x: x(at), y: y(0) + 17, "text-anchor": at <= 0 ? "start" : at >= 1 ? "end" : "middle" }, label),
      ]),
    );
  }

  draw(curves: Curve[]): void {
    this.lines.replaceChildren(...curves.map((curve) => svg("path", { d: path(curve.points), class: `curve ${curve.class}` })));
  }

  /** Shade between a lower and an upper curve. */
  band(low: [number, number][], high: [number, number][]): void {
    const around = [...low, ...high.slice().reverse()].filter(([, value]) => !Number.isNaN(value));
    this.areas.replaceChildren(...(around.length ? [svg("path", { d: `${path(around)}Z`, class: "band" })] : []));
  }

  level(height: number): void {
    if (!Number.isNaN(height)) this.areas.append(svg("line", { x1: x(0), x2: x(1), y1: y(height), y2: y(height), class: "always" }));
  }

  /** Move dots (and a line through the first, if asked), making them when they are missing. */
  mark(dots: { class: string; at: [number, number] }[], line?: number): void {
    while (this.marks.childElementCount < dots.length + 1) {
      this.marks.append(this.marks.childElementCount ? svg("circle", { r: 4.5 }) : svg("line", { y1: y(0), y2: y(1), class: "here" }));
    }
    const [rule, ...circles] = this.marks.children;
    set(rule, { transform: `translate(${x(line ?? 0)} 0)`, visibility: line === undefined ? "hidden" : "visible" });
    circles.forEach((circle, place) => {
      const dot = dots[place];
      const shown = dot && !dot.at.some(Number.isNaN);
      set(circle, { visibility: shown ? "visible" : "hidden", class: `dot ${dot?.class ?? ""}` });
      if (shown) set(circle, { transform: `translate(${x(dot.at[0])} ${y(dot.at[1])})` });
    });
  }
}

/** A table behind a chart, made when it is opened. */
export function tableBehind(summary: string, head: string[], rows: () => string[][]): HTMLDetailsElement {
  const details = el("details", { class: "behind" }, el("summary", {}, summary));
  details.addEventListener("toggle", () => {
    details.querySelector("div")?.remove();
    if (!details.open) return;
    const top = el("thead", {}, el("tr", {}, ...head.map((cell) => el("th", { scope: "col" }, cell))));
    const body = el("tbody", {}, ...rows().map((row) => el("tr", {}, ...row.map((cell) => el("td", {}, cell)))));
    details.append(el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": summary }, el("table", {}, top, body)));
  });
  return details;
}

const x = (share: number): number => PAD.left + share * (WIDTH - PAD.left - PAD.right);
const y = (share: number): number => HEIGHT - PAD.bottom - share * (HEIGHT - PAD.top - PAD.bottom);

function path(points: [number, number][]): string {
  let pen = "M";
  let text = "";
  for (const [across, up] of points) {
    if (Number.isNaN(across) || Number.isNaN(up)) {
      pen = "M";
      continue;
    }
    text += `${pen}${x(across).toFixed(1)} ${y(up).toFixed(1)}`;
    pen = "L";
  }
  return text;
}
