// The map of pairs: whose mean is ahead of whose, and whether that is more than noise.

import { byId, el, nameOf } from "../dom";
import { count, fixed, general } from "../numbers";
import { CLEAR, type Pair, type Ranking } from "./data";
import { mark, walkable } from "./grid";

export class Pairs {
  private chosen = 0;
  private of = new Map<string, Pair>();

  constructor(private readonly data: Ranking) {
    walkable(byId("pairs"), (cell) => this.open(cell));
  }

  show(chosen: number): void {
    this.chosen = chosen;
    const { pairs, boards, better, critical, detectors } = this.data;
    byId("pairs-section").hidden = detectors.length < 2;
    byId("pair").hidden = true;
    this.of = new Map(pairs[chosen].flatMap((pair) => [[`${pair.one} ${pair.other}`, pair], [`${pair.other} ${pair.one}`, turned(pair)]]));
    const sign = better[chosen] === "higher" ? 1 : -1;
    const most = Math.max(...pairs[chosen].map((pair) => Math.abs(pair.difference)).filter((value) => !Number.isNaN(value)), 1e-12);
    const order = boards[chosen].map((line) => line.detector);
    const head = el("tr", {}, el("td", {}), ...order.map((d) => el("th", { scope: "col", class: "turned" }, el("span", {}, nameOf(detectors[d])))));
    let first = true;
    const rows = order.map((one) =>
      el("tr", {}, el("th", { scope: "row" }, nameOf(detectors[one])), ...order.map((other) => {
        if (one === other) return el("td", { class: "self" });
        const cell = this.cell(one, other, sign, most, first);
        first = false;
        return cell;
      })),
    );
    byId("pairs").replaceChildren(el("table", {}, el("caption", { class: "visually-hidden" }, "row against column"), el("thead", {}, head), el("tbody", {}, ...rows)));
    const clear = pairs[chosen].filter((pair) => pair.p <= CLEAR).length;
    const compared = `${count(clear)} of ${count(pairs[chosen].length)} pairs differ by their means (p at most ${CLEAR}, adjusted for all pairs).`;
    byId("pairs-note").textContent = `Row against column on the series that both have, of ${count(critical[chosen].of)}. Blue: the row is better; orange: worse; a circle: not significant, or too few series to test. ${compared}`;
  }

  private cell(one: number, other: number, sign: number, most: number, first: boolean): HTMLElement {
    const pair = this.of.get(`${one} ${other}`);
    const ahead = sign * (pair?.difference ?? NaN);
    const clear = (pair?.p ?? NaN) <= CLEAR;
    const kind = Number.isNaN(ahead) ? "none" : ahead > 0 ? "better" : ahead < 0 ? "worse" : "none";
    const { detectors } = this.data;
    const label = `${detectors[one]} against ${detectors[other]}: ${words(pair, sign)}`;
    const td = el("td", { class: kind, tabindex: first ? "0" : "-1", "data-one": one, "data-other": other, "aria-label": label, title: label }, clear ? "" : "○");
    td.style.setProperty("--good", `${Math.round(15 + (85 * Math.abs(ahead || 0)) / most)}%`);
    return td;
  }

  private open(cell: HTMLTableCellElement): void {
    const [one, other] = [Number(cell.dataset.one), Number(cell.dataset.other)];
    const pair = this.of.get(`${one} ${other}`);
    const sign = this.data.better[this.chosen] === "higher" ? 1 : -1;
    const { detectors, critical } = this.data;
    const on = pair ? `Compared on ${count(pair.series)} of ${count(critical[this.chosen].of)} series: ahead on ${count(pair.ahead)}, behind on ${count(pair.behind)}.` : "";
    byId("pair").replaceChildren(el("h3", {}, nameOf(detectors[one]), " against ", nameOf(detectors[other])), el("p", {}, `${words(pair, sign)}.`), el("p", {}, on));
    byId("pair").hidden = false;
    mark(byId("pairs"), cell);
  }
}

const turned = (pair: Pair): Pair => ({ ...pair, one: pair.other, other: pair.one, difference: -pair.difference, low: -pair.high, high: -pair.low, ahead: pair.behind, behind: pair.ahead });

function words(pair: Pair | undefined, sign: number): string {
  if (!pair || Number.isNaN(pair.difference)) return "no series in common";
  const size = `${pair.difference > 0 ? "+" : ""}${fixed(pair.difference, 4)}`;
  const ends = Number.isNaN(pair.low) ? "" : ` (${fixed(pair.low, 4)} to ${fixed(pair.high, 4)})`;
  if (Number.isNaN(pair.p)) return `${size} in the mean; too few units to say more`;
  const said = pair.p > CLEAR ? "not significant" : sign * pair.difference > 0 ? "better" : "worse";
  return `${size}${ends} in the mean, p = ${general(pair.p, 2)}: ${said}`;
}
