// Detectors and events: who found what, how late, and how far above chance; most disagreement first.

import { byId, el, nameOf, number } from "../dom";
import { chanceBar, rateWords } from "./answer";
import { lengthWords } from "./axis";
import type { Level } from "./metric";

const MOST = 40; // events with a column of their own
const FILTERED = 15; // detectors above which there is a search over their names

export interface MatrixRow {
  name: string;
  above: string;
  /** By event: how late; NaN: found, but nobody knows when. Null: missed; undefined: not watched. */
  cells: (number | null | undefined)[];
  found: number;
  wrong: number;
  perWeek: number;
  /** The scores in the order of `titles`; the first one is the main one. */
  scores: { value: number; text: string }[];
  chance: Level | null;
  chosen: boolean;
}

export interface MatrixEvent {
  /** "2 Mar", or a number. */
  head: string;
  title: string;
}

export class Matrix {
  constructor(
    private readonly timed: boolean,
    private readonly open: (detector: number, event: number | null) => void,
  ) {
    byId<HTMLInputElement>("matrix-search").addEventListener("input", () => this.filter());
  }

  /** Show the detectors whose names hold what was typed. */
  private filter(): void {
    const text = byId<HTMLInputElement>("matrix-search").value.toLowerCase();
    for (const row of byId("matrix").querySelectorAll<HTMLElement>("tbody tr")) row.hidden = !row.querySelector("bdi")!.textContent!.toLowerCase().includes(text);
  }

  show(rows: MatrixRow[], events: MatrixEvent[], titles: string[], lower = false, things = false): void {
    byId("matrix-section").hidden = rows.length < 2 || !events.length;
    if (rows.length < 2 || !events.length) return;
    const order = sorted(rows, events.length);
    const shown = order.slice(0, MOST);
    const heads = ["detector", ...(things ? [] : ["flagged above"])];
    const ends = ["found", this.timed ? "false alarms a week" : "false alarms", ...titles, "next to chance"];
    const head = el(
      "tr",
      {},
      ...heads.map((text) => el("th", { scope: "col" }, text)),
      ...shown.map((e) => el("th", { scope: "col", class: "event", title: events[e].title }, events[e].head)),
      ...ends.map((text, place) => el("th", { scope: "col", class: place === 1 ? "rate" : "" }, text)),
    );
    const lines = [...rows.keys()].sort((a, b) => (lower ? -1 : 1) * ((rows[b].scores[0].value || 0) - (rows[a].scores[0].value || 0))).map((d) => this.line(rows[d], d, shown, events, things));
    byId("matrix").replaceChildren(el("thead", {}, head), el("tbody", {}, ...lines));
    byId("matrix-filter").hidden = rows.length <= FILTERED;
    this.filter();
    const rest = events.length - shown.length;
    byId("matrix-note").textContent = `Each detector at its own threshold; a filled cell is found, with its delay. Disagreements first${rest > 0 ? `; ${rest} more are not shown` : ""}.`;
  }

  private line(row: MatrixRow, d: number, shown: number[], events: MatrixEvent[], things: boolean): HTMLTableRowElement {
    const name = el("button", { type: "button", class: "quiet", title: row.name }, nameOf(row.name));
    name.addEventListener("click", () => this.open(d, null));
    const cells = shown.map((e) => this.cell(row, d, e, events[e]));
    return el(
      "tr",
      { class: row.chosen ? "chosen" : "" },
      el("th", { scope: "row" }, name),
      ...(things ? [] : [el("td", {}, row.above)]),
      ...cells,
      el("td", {}, `${row.found} of ${row.cells.filter((cell) => cell !== undefined).length}`),
      el("td", {}, this.timed ? rateWords(row.perWeek).replace(" a week", "") : String(row.wrong)),
      ...row.scores.map(({ value, text }) => el("td", {}, number(value, text))),
      el("td", { class: "bar" }, ...(row.chance ? [chanceBar(row.scores[0].value, row.chance)] : [])),
    );
  }

  private cell(row: MatrixRow, d: number, e: number, event: MatrixEvent): HTMLTableCellElement {
    const late = row.cells[e];
    if (late === undefined) return el("td", { class: "cell" }, el("small", {}, "unwatched"));
    const words = late === null ? "missed" : Number.isNaN(late) ? "found" : lengthWords(late, this.timed);
    const said = `${row.name}, ${event.title}: ${late === null ? "missed" : Number.isNaN(late) ? "found" : `found after ${words}`}`;
    const button = el("button", { type: "button", class: late === null ? "missed" : "found", "aria-label": said, title: said }, words);
    button.addEventListener("click", () => this.open(d, e));
    return el("td", { class: "cell" }, button);
  }
}

/** Events by how evenly detectors are split over them; then in their order. */
function sorted(rows: MatrixRow[], events: number): number[] {
  const split = (e: number) => {
    const found = rows.filter(({ cells }) => cells[e] !== null && cells[e] !== undefined).length;
    return Math.min(found, rows.length - found);
  };
  return [...Array(events).keys()].sort((a, b) => split(b) - split(a) || a - b);
}
