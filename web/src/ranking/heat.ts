// The heat map: a row per series, a column per detector, as many rows at a time as one can look at.

import { byId, el, nameOf, whenQuiet } from "../dom";
import { count, fixed, metric } from "../numbers";
import type { Ranking } from "./data";
import { mark, walkable } from "./grid";

const PAGE = 60;

export class Heat {
  private chosen = 0;
  private group = -1;
  private shown = PAGE;
  private order: number[] = [];
  private columns: number[] = [];

  constructor(private readonly data: Ranking) {
    byId("heat-search").addEventListener("input", whenQuiet(() => this.refill(), 120));
    byId("heat-order").addEventListener("change", () => this.refill());
    byId("heat-more").addEventListener("click", () => {
      this.shown += PAGE;
      this.draw();
    });
    walkable(byId("heat"), (cell) => this.open(cell));
  }

  /** Show a metric, on all series (-1) or on those of one data set. */
  show(chosen: number, group: number): void {
    [this.chosen, this.group] = [chosen, group];
    this.columns = this.data.boards[chosen].map((line) => line.detector);
    this.refill();
  }

  private value(series: number, detector: number, chosen = this.chosen): number {
    return this.data.values[chosen][series * this.data.detectors.length + detector];
  }

  private refill(): void {
    const words = byId<HTMLInputElement>("heat-search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const how = byId<HTMLSelectElement>("heat-order").value;
    const { series } = this.data;
    const sign = this.data.better[this.chosen] === "higher" ? 1 : -1;
    const key = (s: number): number => {
      const row = this.columns.map((d) => this.value(s, d)).filter((value) => !Number.isNaN(value));
      if (!row.length) return Infinity;
      const mean = row.reduce((a, b) => a + b, 0) / row.length;
      return how === "hard" ? sign * mean : -(Math.max(...row) - Math.min(...row));
    };
    const here = (s: number) => this.group < 0 || this.data.group_of[s] === this.group;
    this.order = [...series.keys()].filter((s) => here(s) && words.every((word) => series[s].toLowerCase().includes(word)));
    if (how !== "name") {
      const keys = new Map(this.order.map((s) => [s, key(s)]));
      this.order.sort((a, b) => keys.get(a)! - keys.get(b)! || a - b);
    }
    this.shown = PAGE;
    byId("heat-found").textContent = `${count(this.order.length)} of ${count(series.length)} series`;
    this.draw();
  }

  private draw(): void {
    const rows = this.order.slice(0, this.shown);
    const head = el("tr", {}, el("th", { scope: "col" }, "series"), ...this.columns.map((d) => el("th", { scope: "col", class: "turned" }, el("span", {}, nameOf(this.data.detectors[d])))));
    const { low, high } = this.range();
    const body = rows.map((s, r) => {
      const cells = this.columns.map((d, c) => this.cell(s, d, low, high, r === 0 && c === 0));
      return el("tr", {}, el("th", { scope: "row" }, this.link(s)), ...cells);
    });
    const caption = el("caption", {}, `${this.data.metrics[this.chosen]}: the stronger the colour, the better`, el("span", { class: "no-print" }, "; arrow keys move, Enter or a click opens a cell"));
    byId("heat").replaceChildren(el("table", {}, caption, el("thead", {}, head), el("tbody", {}, ...body)));
    const hidden = this.order.length - rows.length;
    byId("heat-more").hidden = hidden <= 0;
    byId("heat-more").textContent = `show ${Math.min(PAGE, hidden)} more of ${count(hidden)}`;
  }

  private link(series: number): HTMLElement {
    const name = nameOf(this.data.series[series]);
    const page = this.data.pages[series];
    return page ? el("a", { href: page }, name) : name;
  }

  private cell(series: number, detector: number, low: number, high: number, first: boolean): HTMLElement {
    const value = this.value(series, detector);
    const share = Number.isNaN(value) ? NaN : (value - low) / (high - low || 1);
    const good = this.data.better[this.chosen] === "higher" ? share : 1 - share;
    const kind = Number.isNaN(good) ? "none" : "";
    const td = el("td", { class: kind, tabindex: first ? "0" : "-1", "data-series": series, "data-detector": detector }, Number.isNaN(value) ? "–" : fixed(value, 2));
    td.style.setProperty("--good", Number.isNaN(good) ? "0%" : `${Math.round(good * 100)}%`);
    return td;
  }

  private range(): { low: number; high: number } {
    let [low, high] = [Infinity, -Infinity];
    for (const value of this.data.values[this.chosen]) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return low >= 0 && high <= 1 ? { low: 0, high: 1 } : { low, high };
  }

  /** Say everything about one detector on one series. */
  private open(cell: HTMLTableCellElement): void {
    const [s, d] = [Number(cell.dataset.series), Number(cell.dataset.detector)];
    const page = this.data.pages[s];
    if (page && cell.classList.contains("chosen")) {
      location.assign(this.pageOf(s, d)!);
      return;
    }
    const list = el("dl", { class: "plain" });
    this.data.metrics.forEach((name, m) => list.append(el("dt", {}, el("code", {}, name)), el("dd", {}, metric(this.value(s, d, m)))));
    const more = page ? [el("p", {}, el("a", { href: this.pageOf(s, d)! }, "open the report of this series with this detector"), " (or click the cell again)")] : [];
    byId("cell").replaceChildren(el("h3", {}, nameOf(this.data.detectors[d]), " on ", nameOf(this.data.series[s])), list, ...more);
    byId("cell").hidden = false;
    mark(byId("heat"), cell);
  }

  /** The report of a series, opened with a detector. */
  private pageOf(series: number, detector: number): string | null {
    const page = this.data.pages[series];
    return page && `${page}#d=${encodeURIComponent(this.data.asked[detector])}`;
  }
}
