// At every threshold: the scores against how much is flagged, and precision against recall. A step for each distinct score.

import { byId, el, set, svg } from "../dom";
import { general, metric } from "../numbers";
import { type Name, NAMES } from "../sweep/families";
import type { Masses } from "../sweep/masses";
import { rates } from "../sweep/masses";
import { along, MARKS, markAt, shownThreshold } from "./scale";
import type { State } from "./state";

const WIDTH = 540;
const HEIGHT = 270;
const PAD = { left: 40, right: 14, top: 14, bottom: 40 };
const x = (share: number): number => PAD.left + share * (WIDTH - PAD.left - PAD.right);
const y = (share: number): number => HEIGHT - PAD.bottom - share * (HEIGHT - PAD.top - PAD.bottom);
const MOST = 4000; // steps that are drawn; of more, those that move the pen by a fifth of a pixel

/** One step of a curve: from this threshold up to the next. */
export interface Step {
  at: number;
  f: number;
  precision: number;
  recall: number;
}

/** Every distinct threshold, falling, with what is counted there: the first is silence, the last flags everything. */
export function steps({ hits, falls }: Masses): Step[] {
  const found: Step[] = [];
  let [h, f] = [hits.length, falls.length];
  const highest = () => Math.max(h ? hits[h - 1] : -Infinity, f ? falls[f - 1] : -Infinity);
  for (let at = highest(); ; at = highest()) {
    found.push({ at, ...rates(hits.length - h, falls.length - f, hits.length) });
    if (!h && !f) return found;
    while (h && hits[h - 1] === at) h--;
    while (f && falls[f - 1] === at) f--;
  }
}

export class Curves {
  private drawn = new Map<Name, Step[]>();

  constructor(private readonly state: State) {
    for (const [id, move] of [["curve-scores", (share: number) => this.byFlagged(share)], ["curve-trade", (share: number, up: number) => this.byTrade(share, up)]] as const) {
      byId(id).addEventListener("click", (click) => {
        const chart = byId(id).querySelector("svg");
        if (!chart) return;
        const box = chart.getBoundingClientRect();
        const across = ((click.clientX - box.left) / box.width) * WIDTH;
        const up = ((click.clientY - box.top) / box.height) * HEIGHT;
        move((across - PAD.left) / (WIDTH - PAD.left - PAD.right), (HEIGHT - PAD.bottom - up) / (HEIGHT - PAD.top - PAD.bottom));
      });
    }
    byId("curve-table").addEventListener("toggle", () => this.table());
  }

  private masses(name: Name): Masses {
    return this.state.families().masses(name, this.state.settings);
  }

  draw(): void {
    const { state } = this;
    const none = state.current.flags || !state.families().truth.starts.length;
    byId("curves-section").hidden = none;
    if (none) return;
    this.drawn = new Map(NAMES.map((name) => [name, steps(this.masses(name))]));
    byId("curve-scores").replaceChildren(this.scores());
    byId("curve-trade").replaceChildren(this.trade());
    this.table();
    this.move();
  }

  private scores(): SVGSVGElement {
    const chart = frame("F1, PA, K%-PA and BA at every threshold", "points flagged", "score");
    for (const [part, label] of MARKS) {
      const at = markAt(this.state.current, part);
      if (part * this.state.current.ascending.length >= 1) chart.append(svg("text", { x: x(at), y: y(0) + 16, "text-anchor": at ? "middle" : "start" }, part === 1 ? "all" : label)); // the axis says of what
    }
    chart.append(svg("text", { x: x(1), y: y(0) + 16, "text-anchor": "end" }, "none"));
    for (const name of NAMES) {
      const points = this.drawn.get(name)!.map(({ at, f }): [number, number] => [along(this.state.current, at), f]);
      chart.append(svg("path", { d: stepped(points.reverse()), class: `curve ${name}` }));
    }
    return chart;
  }

  private trade(): SVGSVGElement {
    const chart = frame("precision against recall at every threshold", "recall", "precision");
    for (const share of [0, 0.5, 1]) chart.append(svg("text", { x: x(share), y: y(0) + 16, "text-anchor": share === 0 ? "start" : share === 1 ? "end" : "middle" }, String(share)));
    for (const name of NAMES) {
      const points = this.drawn.get(name)!.map(({ recall, precision }): [number, number] => [recall, precision]);
      chart.append(svg("path", { d: stepped(points), class: `curve ${name}` }));
    }
    return chart;
  }

  /** Move the dots to the threshold. */
  move(): void {
    if (byId("curves-section").hidden) return;
    const at = this.state.threshold();
    const place = along(this.state.current, at);
    for (const id of ["curve-scores", "curve-trade"]) {
      const chart = byId(id).querySelector("svg")!;
      chart.querySelectorAll(".dot, .here").forEach((mark) => mark.remove());
      if (id === "curve-scores") chart.append(svg("line", { x1: x(place), x2: x(place), y1: y(0), y2: y(1), class: "here" }));
      for (const name of NAMES) {
        const { f, precision, recall } = this.masses(name).at(at);
        const [across, up] = id === "curve-scores" ? [place, f] : [recall, precision];
        if (!Number.isNaN(across) && !Number.isNaN(up)) chart.append(svg("circle", { cx: x(across), cy: y(up), r: 4.5, class: `dot ${name}` }));
      }
    }
  }

  private byFlagged(share: number): void {
    const { current } = this.state;
    const found = this.drawn.get("f1")!;
    const nearest = found.reduce((best, step) => (Math.abs(along(current, step.at) - share) < Math.abs(along(current, best.at) - share) ? step : best));
    this.state.move(nearest.at);
  }

  private byTrade(recall: number, precision: number): void {
    const far = (step: Step) => (Number.isNaN(step.precision) ? Infinity : (step.recall - recall) ** 2 + (step.precision - precision) ** 2);
    const all = NAMES.flatMap((name) => this.drawn.get(name)!);
    this.state.move(all.reduce((best, step) => (far(step) < far(best) ? step : best)).at);
  }

  /** The steps of BA as a table, made when it is opened. */
  private table(): void {
    const details = byId<HTMLDetailsElement>("curve-table");
    details.querySelector("div")?.remove();
    if (!details.open) return;
    const found = this.drawn.get("f1_ba") ?? [];
    const every = Math.max(1, Math.ceil(found.length / 200));
    const rows = found.filter((_, place) => place % every === 0 || place === found.length - 1);
    const head = ["threshold", "BA", "precision", "recall"].map((text) => el("th", { scope: "col" }, text));
    const lines = rows.map(({ at, f, precision, recall }) => el("tr", {}, el("td", {}, Number.isFinite(at) ? shownThreshold(this.state.current, at) : general(at)), ...[f, precision, recall].map((value) => el("td", {}, metric(value)))));
    details.append(el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "BA at every threshold" }, el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...lines))));
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

/** A path that goes up and across, never aslant; of very many steps, those that would not move the pen are left out. */
function stepped(points: [number, number][]): string {
  const finest = points.length > MOST ? 0.2 : 0;
  let [path, px, py] = ["", NaN, NaN];
  points.forEach(([across, up], place) => {
    if (Number.isNaN(across) || Number.isNaN(up)) return;
    const [nx, ny] = [x(across), y(up)];
    if (place < points.length - 1 && Math.abs(nx - px) < finest && Math.abs(ny - py) < finest) return;
    path += path ? `V${ny.toFixed(1)}H${nx.toFixed(1)}` : `M${nx.toFixed(1)} ${ny.toFixed(1)}`;
    [px, py] = [nx, ny];
  });
  return path;
}
