// The leaderboard: sortable by any column; the interval of each mean, and chance, drawn beside it.

import { byId, el, nameOf, number, set, svg } from "../dom";
import { count, fixed, general, metric, percent } from "../numbers";
import { CLEAR, isBaseline, type Line, notToldApart, type Ranking } from "./data";

type Column = keyof Line | "interval" | "chance_p" | "compared";

const COLUMNS: { key: Column; title: string; digits?: number; more?: boolean }[] = [
  { key: "detector", title: "detector" },
  { key: "mean", title: "mean" },
  { key: "interval", title: "95 % interval" },
  { key: "chance", title: "by chance" },
  { key: "mean_rank", title: "mean rank", digits: 2 },
  { key: "chance_p", title: "against chance" },
  { key: "better_on_low", title: "better on" },
  { key: "p_baselines", title: "beats a one-liner" },
  { key: "compared", title: "compared on" },
  { key: "median", title: "median", more: true },
  { key: "macro", title: "mean of data sets", more: true },
  { key: "first_share", title: "first again", more: true },
  { key: "pooled", title: "pooled", more: true },
  { key: "transferred", title: "with others' threshold", more: true },
  { key: "gap", title: "gap to best in hindsight", more: true },
  { key: "undefined", title: "undefined", digits: 0, more: true },
  { key: "failed", title: "failed", digits: 0 },
  { key: "missing", title: "missing", digits: 0, more: true },
  { key: "runtime", title: "runtime" },
  { key: "memory", title: "memory" },
];
const ALWAYS: Column[] = ["detector", "interval", "mean", "mean_rank", "median"];
const RISING: Column[] = ["detector", "mean_rank", "chance_p", "p_baselines", "runtime", "memory"];

export class Leaderboard {
  private by: Column = "mean_rank";
  private falling = false;
  private chosen = 0;
  private group = -1;

  constructor(private readonly data: Ranking) {
    byId("all-columns").addEventListener("change", () => this.draw());
  }

  /** Show a metric, on all series (-1) or on those of one data set. */
  show(chosen: number, group: number): void {
    [this.chosen, this.group] = [chosen, group];
    this.draw();
  }

  private get lines(): Line[] {
    return this.group < 0 ? this.data.boards[this.chosen] : this.data.groupBoards[this.chosen][this.group];
  }

  private draw(): void {
    const lines = this.lines;
    const all = byId<HTMLInputElement>("all-columns").checked;
    const shown = COLUMNS.filter(({ key, more }) => (all || !more) && this.says(key, lines));
    byId("board-head").replaceChildren(el("tr", {}, ...shown.map((column) => this.head(column))));
    const [ends, same] = [this.ends(lines), this.group < 0 ? notToldApart(this.data, this.chosen) : new Set<number>()];
    const ranked = lines.filter((line) => !Number.isNaN(line.mean_rank));
    const isReference = (line: Line) => isBaseline(this.data.detectors[line.detector]);
    const below = lines.filter((line) => Number.isNaN(line.mean_rank) && !isReference(line));
    const references = lines.filter(isReference);
    const row = (line: Line) => el("tr", {}, ...shown.map((column) => this.cell(column, line, ends, same)));
    const rule = (said: string) => el("tr", { class: "rule" }, el("td", { colspan: shown.length }, said));
    const part = (some: Line[], said: string) => (some.length && lines.length > some.length ? [rule(said)] : []).concat(this.sorted(some).map(row));
    byId("board").replaceChildren(
      ...this.sorted(ranked).map(row),
      ...part(below, "not ranked: too few series"),
      ...part(references, "baselines: they do not see the labels and are not ranked"),
    );
  }

  /** Leave a column out that says nothing of anybody. */
  private says(key: Column, lines: Line[]): boolean {
    if (ALWAYS.includes(key)) return true;
    if (key === "compared") return this.group < 0;
    if (key === "macro") return lines.some((line) => Math.abs((line.macro ?? line.mean) - line.mean) > 1e-9);
    if (key === "better_on_low" || key === "chance_p") return lines.some((line) => line.tested);
    if (["undefined", "failed", "missing"].includes(key)) return lines.some((line) => line[key as keyof Line]);
    return lines.some((line) => line[key as keyof Line] !== undefined);
  }

  private head({ key, title }: (typeof COLUMNS)[0]): HTMLElement {
    if (key === "interval") return el("th", { scope: "col", class: "interval" }, title);
    const button = el("button", { type: "button" }, title);
    button.addEventListener("click", () => {
      this.falling = this.by === key ? !this.falling : !RISING.includes(key);
      this.by = key;
      this.draw();
      byId("board-head").querySelector<HTMLElement>("[aria-sort] button")?.focus();
    });
    const sort = this.by === key ? (this.falling ? "descending" : "ascending") : undefined;
    return el("th", { scope: "col", "aria-sort": sort }, button);
  }

  private sorted(lines: Line[]): Line[] {
    const sign = this.falling ? -1 : 1;
    const from: Partial<Record<Column, keyof Line>> = { chance_p: "p_adjusted", compared: "series" };
    const key = (line: Line) => line[(from[this.by] ?? this.by) as keyof Line] ?? NaN;
    return lines.slice().sort((a, b) => {
      if (this.by === "detector") return sign * this.data.detectors[a.detector].localeCompare(this.data.detectors[b.detector]);
      const [one, other] = [key(a), key(b)];
      return Number(Number.isNaN(one)) - Number(Number.isNaN(other)) || sign * (one - other) || 0;
    });
  }

  private cell({ key, digits }: (typeof COLUMNS)[0], line: Line, ends: [number, number], same: Set<number>): HTMLElement {
    if (key === "detector") return el("th", { scope: "row" }, nameOf(this.data.detectors[line.detector]), ...(same.has(line.detector) ? [el("small", { class: "same" }, "≈ first")] : []));
    if (key === "interval") return el("td", { class: "interval" }, el("div", {}, interval(line, ends), el("span", {}, words(line))));
    if (key === "chance_p") return el("td", {}, ...againstChance(line));
    if (key === "better_on_low") return el("td", {}, ...betterOn(line));
    if (key === "compared") return this.compared(line);
    if (key === "p_baselines") return el("td", {}, ...beyondBaselines(line));
    const value = line[key];
    if (value === undefined) return el("td", {}, "not computed");
    if (key === "first_share") return el("td", {}, number(value, Number.isNaN(value) ? "" : percent(value)));
    if (key === "runtime" || key === "memory") return el("td", {}, number(value, general(value, 3)));
    const text = digits === undefined ? metric(value) : Number.isNaN(value) ? "" : fixed(value, digits);
    return el("td", {}, number(value, text));
  }

  /** How many of the series on which anyone has a value this detector was judged on. */
  private compared(line: Line): HTMLElement {
    const { of } = this.data.critical[this.chosen];
    const own = Math.round((line.coverage ?? line.series / of) * of);
    return el("td", { class: own < of ? "few" : "" }, `${count(own)} of ${count(of)}`);
  }

  private ends(lines: Line[]): [number, number] {
    const all = lines.flatMap((line) => [line.low, line.high, line.mean, line.chance ?? NaN]).filter((value) => Number.isFinite(value));
    return [Math.min(0, ...all), Math.max(...all, 1e-9)];
  }
}

const words = (line: Line): string => (Number.isNaN(line.low) ? "" : `${fixed(line.low, 3)} to ${fixed(line.high, 3)}`);

function againstChance(line: Line): (string | HTMLElement)[] {
  if (!line.tested) return [""];
  if ((line.least_p ?? 0) > CLEAR) return ["not testable"];
  const p = line.p_adjusted ?? NaN;
  return [p <= CLEAR ? "better" : "not shown", pValue(p)];
}

function betterOn(line: Line): (string | HTMLElement)[] {
  if (!line.tested) return [""];
  return [`${count(line.better_on_low ?? 0)}+ of ${count(line.tested)}`, el("small", { class: "p" }, `${count(line.better_on ?? 0)} alone`)];
}

function beyondBaselines(line: Line): (string | HTMLElement)[] {
  const p = line.p_baselines ?? NaN;
  return Number.isNaN(p) ? [""] : [p <= CLEAR ? "yes" : "not shown", pValue(p)];
}

const pValue = (p: number): HTMLElement => el("small", { class: "p" }, p < 0.001 ? "p < 0.001" : `p = ${fixed(p, 3)}`);

function interval(line: Line, [low, high]: [number, number]): SVGSVGElement {
  const x = (value: number) => 4 + (152 * (value - low)) / (high - low || 1);
  const root = svg("svg", { viewBox: "0 0 160 18", width: 160, height: 18, "aria-hidden": "true" });
  if (Number.isFinite(line.chance)) root.append(svg("rect", { x: x(low), width: Math.max(x(line.chance!) - x(low), 1), y: 3, height: 12, class: "by-chance" }));
  if (Number.isFinite(line.low) && Number.isFinite(line.high)) root.append(svg("line", { x1: x(line.low), x2: x(line.high), y1: 9, y2: 9, class: "whisker" }));
  if (Number.isFinite(line.mean)) root.append(svg("circle", { cx: x(line.mean), cy: 9, r: 4, class: Number.isNaN(line.mean_rank) ? "middle unranked" : "middle" }));
  set(root, { focusable: "false" });
  return root;
}
