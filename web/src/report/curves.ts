// At every threshold: the scores against how much is flagged, and precision against recall. A step for each level.

import { byId, el, set, svg } from "../dom";
import { count, metric as shown } from "../numbers";
import type { Metric } from "./metric";
import { along, MARKS, markAt, placeAt, points, shownThreshold } from "./scale";
import type { State } from "./state";

const WIDTH = 540;
const HEIGHT = 270;
const PAD = { left: 40, right: 14, top: 14, bottom: 40 };
const x = (share: number): number => PAD.left + share * (WIDTH - PAD.left - PAD.right);
const y = (share: number): number => HEIGHT - PAD.bottom - share * (HEIGHT - PAD.top - PAD.bottom);

export class Curves {
  private reading: number | null = null; // by keyboard

  constructor(private readonly state: State) {
    this.listen("curve-scores", (share) => placeAt(state.current, share));
    this.listen("curve-trade", (recall, precision) => this.nearest(recall, precision));
    byId("curve-table").addEventListener("toggle", () => this.table());
  }

  /** A click moves to a place; a hover reads the values there. */
  private listen(id: string, place: (across: number, up: number) => number): void {
    const at = (event: MouseEvent): number | null => {
      const box = byId(id).querySelector("svg")?.getBoundingClientRect();
      if (!box) return null;
      const across = ((event.clientX - box.left) / box.width) * WIDTH;
      const up = ((event.clientY - box.top) / box.height) * HEIGHT;
      return place((across - PAD.left) / (WIDTH - PAD.left - PAD.right), (HEIGHT - PAD.bottom - up) / (HEIGHT - PAD.top - PAD.bottom));
    };
    byId(id).addEventListener("click", (event) => {
      const found = at(event);
      if (found !== null) this.state.moveTo(found);
    });
    byId(id).addEventListener("pointermove", (event) => {
      const found = at(event);
      if (found !== null) byId("curve-read").textContent = this.words(found);
    });
    byId(id).addEventListener("pointerleave", () => this.move());
    byId(id).addEventListener("keydown", (key) => this.keyed(key));
    byId(id).addEventListener("blur", () => (this.reading = null));
  }

  /** Arrow keys read the next threshold, Enter moves there. */
  private keyed(key: KeyboardEvent): void {
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }[key.key];
    if (step === undefined && key.key !== "Enter") return;
    key.preventDefault();
    if (step === undefined) return this.state.moveTo(this.reading ?? this.state.place());
    const { last } = this.state.current.levels;
    this.reading = Math.max(0, Math.min(last, (this.reading ?? this.state.place()) - step));
    byId("curve-read").textContent = this.words(this.reading);
    byId("spoken").textContent = this.words(this.reading);
  }

  private words(place: number): string {
    const { current } = this.state;
    const flagged = current.levels.of("flagged", place);
    const threshold = place === this.state.place() ? shownThreshold(current, this.state.asked(), place) : current.levels.texts[place];
    return `threshold ${threshold}, ${count(flagged)} points flagged: ${this.metrics.map((one) => `${one.title} ${shown(one.at(place))}`).join(", ")}`;
  }

  /** Those that lie between 0 and 1. */
  private get metrics(): Metric[] {
    return this.state.current.metrics.filter((one) => one.isShare);
  }

  draw(): void {
    const { state } = this;
    const none = state.current.flags || !state.data.truth.starts.length;
    byId("curves-section").hidden = none;
    if (none) return;
    const left = state.current.metrics.filter((one) => !one.isShare);
    byId("curve-legend").replaceChildren(...this.metrics.map((one) => el("span", {}, el("span", { class: `key ${one.class}` }), one.title)), ...(left.length ? [el("span", {}, `not drawn (not between 0 and 1): ${left.map(({ title }) => title).join(", ")}`)] : []));
    byId("curve-scores").replaceChildren(this.scores());
    byId("curve-trade").replaceChildren(this.trade());
    this.table();
    this.move();
  }

  private each(point: (place: number) => [number, number], falling: boolean): [number, number][] {
    const all = Array.from(this.state.current.levels.at, (_, place) => point(place));
    return falling ? all : all.reverse();
  }

  private scores(): SVGSVGElement {
    const { current } = this.state;
    const chart = frame("the scores at every threshold", "points flagged", "score");
    for (const [part, label] of MARKS) {
      const at = markAt(current, part);
      if (part * points(current) >= 1) chart.append(svg("text", { x: x(at), y: y(0) + 16, "text-anchor": at ? "middle" : "start" }, part === 1 ? "all" : label)); // the axis says of what
    }
    chart.append(svg("text", { x: x(1), y: y(0) + 16, "text-anchor": "end" }, "none"));
    for (const one of this.metrics) chart.append(svg("path", { d: path(this.each((place) => [along(current, place), one.at(place)], false)), class: `curve ${one.class}` }));
    return chart;
  }

  private trade(): SVGSVGElement {
    const chart = frame("precision against recall at every threshold", "recall", "precision");
    for (const share of [0, 0.5, 1]) chart.append(svg("text", { x: x(share), y: y(0) + 16, "text-anchor": share === 0 ? "start" : share === 1 ? "end" : "middle" }, String(share)));
    for (const one of this.metrics) chart.append(svg("path", { d: path(this.each((place) => [one.recall(place), one.precision(place)], true)), class: `curve ${one.class}` }));
    return chart;
  }

  /** Move the dots to the threshold. */
  move(): void {
    if (byId("curves-section").hidden) return;
    const place = this.state.place();
    const across = along(this.state.current, place);
    byId("curve-read").textContent = this.words(place);
    for (const [id, of] of [["curve-scores", (one: Metric) => [across, one.at(place)]], ["curve-trade", (one: Metric) => [one.recall(place), one.precision(place)]]] as const) {
      const chart = byId(id).querySelector("svg")!;
      chart.querySelectorAll(".dot, .here").forEach((mark) => mark.remove());
      if (id === "curve-scores") chart.append(svg("line", { x1: x(across), x2: x(across), y1: y(0), y2: y(1), class: "here" }));
      for (const one of this.metrics) {
        const [px, py] = of(one);
        if (!Number.isNaN(px) && !Number.isNaN(py)) chart.append(svg("circle", { cx: x(px), cy: y(py), r: 4.5, class: `dot ${one.class}`, "data-title": one.title }));
      }
    }
  }

  private nearest(recall: number, precision: number): number {
    let [best, least] = [this.state.place(), Infinity];
    for (const one of this.metrics) {
      for (let place = 0; place <= this.state.current.levels.last; place++) {
        const far = (one.recall(place) - recall) ** 2 + (one.precision(place) - precision) ** 2;
        if (far < least) [best, least] = [place, far];
      }
    }
    return best;
  }

  /** The main metric as a table, made when it is opened. */
  private table(): void {
    const details = byId<HTMLDetailsElement>("curve-table");
    details.querySelector("div")?.remove();
    if (!details.open) return;
    const { metrics: [main], levels } = this.state.current;
    const every = Math.max(1, Math.ceil(levels.at.length / 200));
    const rows = [...levels.at.keys()].filter((place) => place % every === 0 || place === levels.last);
    const head = ["threshold", main.title, "precision", "recall"].map((text) => el("th", { scope: "col" }, text));
    const lines = rows.map((place) => el("tr", {}, el("td", {}, levels.texts[place]), ...[main.at(place), main.precision(place), main.recall(place)].map((value) => el("td", {}, shown(value)))));
    details.append(el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": `${main.title} at every threshold` }, el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...lines))));
  }
}

function frame(title: string, across: string, up: string): SVGSVGElement {
  const chart = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": title });
  for (const level of [0, 0.5, 1]) chart.append(svg("line", { x1: x(0), x2: x(1), y1: y(level), y2: y(level), class: "grid" }), svg("text", { x: PAD.left - 6, y: y(level) + 4, "text-anchor": "end" }, String(level)));
  chart.append(svg("text", { x: x(0.5), y: HEIGHT - 6, "text-anchor": "middle" }, across));
  const middle = (y(0) + y(1)) / 2;
  chart.append(svg("text", { x: 10, y: middle, "text-anchor": "middle", transform: `rotate(-90 10 ${middle})` }, up));
  set(chart, { preserveAspectRatio: "xMidYMid meet" });
  return chart;
}

/** Up at each point, then across to the next one: every point lies on the path. What is undefined interrupts it. */
function path(all: [number, number][]): string {
  let [drawn, open] = ["", false];
  for (const [across, up] of all) {
    const known = !Number.isNaN(across) && !Number.isNaN(up);
    if (known) drawn += open ? `V${y(up).toFixed(2)}H${x(across).toFixed(2)}` : `M${x(across).toFixed(2)} ${y(up).toFixed(2)}`;
    open = known;
  }
  return drawn;
}
