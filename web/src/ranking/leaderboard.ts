// The leaderboard: sortable by any column, with the interval of each mean drawn beside it.

import { byId, el, nameOf, number, set, svg } from "../dom";
import { count, fixed, metric } from "../numbers";
import type { Line, Ranking } from "./data";

type Column = keyof Line | "interval";

const COLUMNS: { key: Column; title: string; digits?: number }[] = [
  { key: "detector", title: "detector" },
  { key: "mean", title: "mean" },
  { key: "interval", title: "95 % interval of the mean" },
  { key: "median", title: "median" },
  { key: "macro", title: "mean of groups" },
  { key: "pooled", title: "pooled" },
  { key: "transferred", title: "with others' threshold" },
  { key: "gap", title: "gap to the oracle" },
  { key: "mean_rank", title: "mean rank", digits: 2 },
  { key: "beats_chance", title: "beats chance on" },
  { key: "undefined", title: "undefined", digits: 0 },
  { key: "failed", title: "failed", digits: 0 },
  { key: "missing", title: "missing", digits: 0 },
];
const OPTIONAL: Column[] = ["macro", "pooled", "transferred", "gap", "beats_chance", "undefined", "failed", "missing"];
const COMPUTED: Column[] = ["pooled", "transferred", "gap"];

export class Leaderboard {
  private by: Column = "mean_rank";
  private falling = false;

  constructor(private readonly data: Ranking) {}

  show(chosen: number): void {
    const lines = this.data.boards[chosen];
    const shown = COLUMNS.filter(({ key }) => this.says(key, lines));
    byId("board-head").replaceChildren(el("tr", {}, ...shown.map((column) => this.head(column, chosen))));
    const ends = this.ends(lines);
    byId("board").replaceChildren(...this.sorted(lines).map((line) => el("tr", {}, ...shown.map((column) => this.cell(column, line, ends)))));
  }

  /** Leave a column out that says nothing of anybody. */
  private says(key: Column, lines: Line[]): boolean {
    if (!OPTIONAL.includes(key)) return true;
    if (key === "macro") return lines.some((line) => Math.abs(line.macro - line.mean) > 1e-9);
    if (key === "beats_chance") return lines.some((line) => line.tested > 0);
    if (COMPUTED.includes(key)) return lines.some((line) => line[key as keyof Line] !== undefined);
    return lines.some((line) => line[key as keyof Line] !== 0);
  }

  private head({ key, title }: (typeof COLUMNS)[0], chosen: number): HTMLElement {
    if (key === "interval") return el("th", { scope: "col" }, title);
    const button = el("button", { type: "button" }, title);
    button.addEventListener("click", () => {
      const low = key === "detector" || key === "mean_rank";
      this.falling = this.by === key ? !this.falling : !low;
      this.by = key;
      this.show(chosen);
      byId("board-head").querySelector<HTMLElement>("[aria-sort] button")?.focus();
    });
    const sort = this.by === key ? (this.falling ? "descending" : "ascending") : undefined;
    return el("th", { scope: "col", "aria-sort": sort }, button);
  }

  private sorted(lines: Line[]): Line[] {
    const sign = this.falling ? -1 : 1;
    const key = (line: Line) => line[this.by as keyof Line] ?? NaN;
    return lines.slice().sort((a, b) => {
      if (this.by === "detector") return sign * this.data.detectors[a.detector].localeCompare(this.data.detectors[b.detector]);
      const [one, other] = [key(a), key(b)];
      return Number(Number.isNaN(one)) - Number(Number.isNaN(other)) || sign * (one - other) || 0;
    });
  }

  private cell({ key, digits }: (typeof COLUMNS)[0], line: Line, ends: [number, number]): HTMLElement {
    if (key === "detector") return el("th", { scope: "row" }, nameOf(this.data.detectors[line.detector]));
    if (key === "interval") return el("td", { class: "interval" }, interval(line, ends), el("span", {}, words(line)));
    if (key === "beats_chance") return el("td", {}, line.tested ? `${count(line.beats_chance)} of ${count(line.tested)}` : "");
    const value = line[key];
    if (value === undefined) return el("td", {}, "not computed");
    const text = digits === undefined ? metric(value) : Number.isNaN(value) ? "" : fixed(value, digits);
    return el("td", {}, number(value, text));
  }

  private ends(lines: Line[]): [number, number] {
    const all = lines.flatMap((line) => [line.low, line.high, line.mean]).filter((value) => !Number.isNaN(value));
    return [Math.min(0, ...all), Math.max(...all, 1e-9)];
  }
}

const words = (line: Line): string => (Number.isNaN(line.low) ? "" : `${fixed(line.low, 3)} to ${fixed(line.high, 3)}`);

function interval(line: Line, [low, high]: [number, number]): SVGSVGElement {
  const x = (value: number) => 4 + (112 * (value - low)) / (high - low || 1);
  const root = svg("svg", { viewBox: "0 0 120 16", width: 120, height: 16, "aria-hidden": "true" });
  if (!Number.isNaN(line.low)) root.append(svg("line", { x1: x(line.low), x2: x(line.high), y1: 8, y2: 8, class: "whisker" }));
  if (!Number.isNaN(line.mean)) root.append(svg("circle", { cx: x(line.mean), cy: 8, r: 4, class: "middle" }));
  set(root, { focusable: "false" });
  return root;
}
