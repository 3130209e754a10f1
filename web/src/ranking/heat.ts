// The heat map: a row per series, a column per detector, as many rows at a time as one can look at.

import { byId, el, nameOf, whenQuiet } from "../dom";
import { count, fixed, metric } from "../numbers";
import type { Ranking } from "./data";

const PAGE = 60;

export class Heat {
  private chosen = 0;
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
    byId("heat").addEventListener("click", (mouse) => this.open(mouse.target as HTMLElement));
    byId("heat").addEventListener("keydown", (key) => this.walk(key));
  }

  show(chosen: number): void {
    this.chosen = chosen;
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
    this.order = [...series.keys()].filter((s) => words.every((word) => series[s].toLowerCase().includes(word)));
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
    const caption = el("caption", {}, `${this.data.metrics[this.chosen]}: the stronger the colour, the better`, el("span", { class: "no-print" }, "; arrow keys move, Enter opens a cell"));
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

  private walk(key: KeyboardEvent): void {
    const cell = (key.target as HTMLElement).closest<HTMLTableCellElement>("td");
    if (!cell) return;
    if (key.key === "Enter" || key.key === " ") {
      key.preventDefault();
      return this.open(cell);
    }
    const [across, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key.key] ?? [0, 0];
    const row = down < 0 ? cell.parentElement?.previousElementSibling : down > 0 ? cell.parentElement?.nextElementSibling : cell.parentElement;
    const next = row?.children[cell.cellIndex + across];
    if ((!across && !down) || next?.tagName !== "TD") return;
    key.preventDefault();
    cell.tabIndex = -1;
    (next as HTMLElement).tabIndex = 0;
    (next as HTMLElement).focus();
  }

  /** Say everything about one detector on one series. */
  private open(target: HTMLElement): void {
    const cell = target.closest<HTMLTableCellElement>("td[data-series]");
    if (!cell) return;
    const [s, d] = [Number(cell.dataset.series), Number(cell.dataset.detector)];
    const list = el("dl", { class: "plain" });
    this.data.metrics.forEach((name, m) => list.append(el("dt", {}, el("code", {}, name)), el("dd", {}, metric(this.value(s, d, m)))));
    const page = this.data.pages[s];
    const more = page ? [el("p", {}, el("a", { href: page }, "open the page of this series"))] : [];
    byId("cell").replaceChildren(el("h3", {}, nameOf(this.data.detectors[d]), " on ", nameOf(this.data.series[s])), list, ...more);
    byId("cell").hidden = false;
    document.querySelectorAll("#heat td.chosen").forEach((one) => one.classList.remove("chosen"));
    cell.classList.add("chosen");
  }
}
