// The receipt as a table: what each event earned, what each alarm cost, and what fixing it would bring.

import { byId, el, number, set, whenQuiet } from "../dom";
import { count, fixed, general, many, metric, percent } from "../numbers";
import { firstAfter } from "../sweep/alarms";
import { NAMES, type Name, TITLES } from "../sweep/families";
import { type Counts, rates } from "../sweep/masses";
import { type Receipt, receipt } from "../sweep/receipt";
import { type Axis, lengthWords } from "./axis";
import { axisOf } from "./data";
import type { Looks } from "./look";
import type { State } from "./state";

const PAGE = 20;

export interface Row {
  /** What is pointed at: the event, or the whole alarm. */
  id: string;
  kind: "event" | "alarm";
  missed: boolean;
  title: string;
  how: string;
  /** The event, or the alarm. */
  start: number;
  stop: number;
  /** What is charged to the alarm. */
  from: number;
  to: number;
  length: number;
  delay: number;
  earned: number;
  lost: number;
  gain: number;
  /** The highest score in it. */
  peak: number;
}

type Column = "start" | "length" | "delay" | "earned" | "lost" | "gain";
type Which = "trouble" | "all" | "event" | "alarm";

export class ReceiptTable {
  rows: Row[] = [];
  private shown = PAGE;
  private by: Column = "gain";
  private falling = true;
  private which: Which = "trouble";
  private readonly axes = new Map<number, Axis>();
  readonly refresh = whenQuiet(() => this.rebuild(), 120);

  constructor(
    private readonly state: State,
    private readonly looks: Looks,
    private readonly open: (row: Row) => void,
  ) {
    const choice = byId<HTMLSelectElement>("accounts");
    const names: readonly Name[] = state.current.overview ? ["f1_ba", "f1_pa"] : NAMES; // all or nothing of an event
    choice.append(...names.map((name) => el("option", { value: name, selected: name === state.accounts }, TITLES[name])));
    choice.addEventListener("change", () => state.account(choice.value as Name));
    const filter = byId<HTMLSelectElement>("show-rows");
    filter.addEventListener("change", () => this.filter(filter.value as Which));
    for (const head of byId("receipt-head").querySelectorAll<HTMLButtonElement>("button")) {
      head.addEventListener("click", () => this.sort(head.dataset.by as Column));
    }
    byId("more").addEventListener("click", () => {
      this.shown += PAGE;
      this.show();
    });
    byId("receipt").addEventListener("keydown", (key) => this.walk(key));
  }

  filter(which: Which): void {
    byId<HTMLSelectElement>("show-rows").value = this.which = which;
    this.shown = PAGE;
    this.show();
  }

  /** Explain the threshold anew. */
  rebuild(): void {
    const { state } = this;
    const families = state.families();
    const at = state.threshold();
    const exact = () => receipt(state.accounts, families.scores, families.adjusted(state.accounts, state.settings), families.truth, state.settings, at);
    const found = state.current.overview?.receipt(at) ?? exact();
    const total = families.masses(state.accounts, state.settings).counts(at);
    this.rows = this.lines(found, total);
    this.shown = PAGE;
    this.sums(found, total);
    this.order();
    this.show();
  }

  /** The series in which most was lost: where a reader of many wants to begin. */
  get worstSeries(): number {
    const [worst] = [...this.rows].sort((a, b) => b.lost - a.lost);
    return worst ? this.seriesAt(worst.start) : 0;
  }

  private seriesAt(point: number): number {
    return firstAfter(this.state.data.wholes, point) - 1;
  }

  /** The axis of the series that a point lies in. */
  private axis(point: number): Axis {
    const series = this.seriesAt(point);
    if (!this.axes.has(series)) this.axes.set(series, axisOf(this.state.data, series, false));
    return this.axes.get(series)!;
  }

  when(start: number, stop: number): string {
    const first = this.state.data.wholes[this.seriesAt(start)];
    return this.axis(start).between(start - first, stop - first);
  }

  private lines({ events, alarms }: Receipt, total: Counts): Row[] {
    const { offset } = this.state;
    const { delays, alarms: runs } = this.looks.of();
    const now = rates(total.found, total.wrong, total.truth).f;
    const better = (found: number, wrong: number) => rates(total.found + found, total.wrong - wrong, total.truth).f - now;
    return [
      ...events.map((row, place): Row => {
        const lost = row.weight - row.credit;
        const how = row.found ? Number.isNaN(row.covered) ? "found" : `found, ${percent(row.covered)} covered` : "missed";
        const [start, stop] = [row.start + offset, row.stop + offset];
        return { id: `e${place}`, kind: "event", missed: !row.found, title: `event ${place + 1}`, how, start, stop, from: start, to: stop, length: row.weight, delay: delays[place], earned: row.credit, lost, gain: better(lost, 0), peak: this.peak(row.start, row.stop) };
      }),
      ...alarms.map((row): Row => {
        const [beside, partly] = [row.event >= 0, row.beyond >= 0];
        const points = many(row.stop - row.start, "point");
        const how = beside ? "islands of right alarms" : partly ? `${points} of an alarm that is right about event ${row.beyond + 1}` : points;
        const run = beside || !runs ? -1 : firstAfter(runs.starts, row.start) - 1;
        const id = run < 0 ? `e${row.event}` : `a${runs!.starts[run] + offset}`;
        return { id, kind: "alarm", missed: false, title: beside ? `around event ${row.event + 1}` : partly ? "alarm too wide" : "false alarm", how, start: row.start + offset, stop: row.stop + offset, from: row.from + offset, to: row.to + offset, length: row.stop - row.start, delay: NaN, earned: 0, lost: row.cost, gain: better(0, row.cost), peak: this.peak(row.start, row.stop) };
      }),
    ];
  }

  private peak(start: number, stop: number): number {
    const { scores } = this.state.families();
    let highest = -Infinity;
    for (let i = start; i < stop; i++) if (scores[i] > highest) highest = scores[i];
    return highest;
  }

  private sums(found: Receipt, { found: right, wrong, truth }: Counts): void {
    const value = rates(right, wrong, truth).f;
    if (!truth) return byId("receipt-sums").replaceChildren(`No event is labelled, so every alarm is false: ${many(found.runs, "alarm")}.`);
    const hit = found.events.filter((row) => row.found).length;
    const wholly = found.alarms.filter((row) => row.event < 0 && row.beyond < 0).length;
    const from = this.state.accounts === "f1_ba" ? "charged" : "false";
    byId("receipt-sums").replaceChildren(
      `${TITLES[this.state.accounts]} = 2 × ${count(right)} / (2 × ${count(right)} + ${count(wrong)} ${from} + ${count(truth - right)} missed) = `,
      el("strong", {}, number(value, metric(value))),
      `. Of ${many(found.events.length, "event")} ${count(hit)} found, earning ${count(right)} of ${many(truth, "point")}; ` +
        `${this.state.current.overview ? "" : `${count(wholly)} of ${many(found.runs, "alarm")} false; `}${many(wrong, "point")} counted wrongly.`,
    );
  }

  private sort(by: Column): void {
    this.falling = this.by === by ? !this.falling : by !== "start";
    this.by = by;
    this.order();
    this.show();
  }

  private order(): void {
    const sign = this.falling ? -1 : 1;
    const key = (row: Row) => (Number.isNaN(row[this.by]) ? -Infinity : row[this.by]);
    this.rows.sort((a, b) => sign * (key(a) - key(b)) || a.start - b.start);
    for (const head of byId("receipt-head").querySelectorAll<HTMLButtonElement>("button")) {
      const own = head.dataset.by === this.by;
      set(head.closest("th")!, { "aria-sort": own ? (this.falling ? "descending" : "ascending") : undefined });
    }
  }

  private get listed(): Row[] {
    const { which } = this;
    if (which === "all") return this.rows;
    return this.rows.filter((row) => (which === "trouble" ? row.lost > 0 || row.kind === "alarm" || row.missed : row.kind === which));
  }

  private show(): void {
    const listed = this.listed;
    const rows = listed.slice(0, this.shown);
    byId("receipt").replaceChildren(...rows.map((row) => this.line(row)));
    const hidden = listed.length - rows.length;
    byId("more").hidden = hidden <= 0;
    byId("more").textContent = `show ${Math.min(PAGE, hidden)} more of ${count(hidden)}`;
    const none = byId("receipt-none");
    none.hidden = listed.length > 0;
    none.textContent = this.rows.length ? "No event is missed and no alarm is false." : "Nothing was to be found and nothing was flagged.";
    this.mark();
  }

  private line(row: Row): HTMLTableRowElement {
    const { data, everySeries } = this.state;
    const button = el("button", { type: "button", class: "quiet where", "aria-pressed": "false" }, this.when(row.start, row.stop));
    const place = el("td", {}, button);
    if (row.lost && row.kind === "alarm" && (row.from !== row.start || row.to !== row.stop)) place.append(el("small", {}, `charged: ${this.when(row.from, row.to)}`));
    if (everySeries && data.series.length > 1) place.append(el("small", {}, el("bdi", {}, data.series[this.seriesAt(row.start)])));
    const line = el(
      "tr",
      { class: `${row.kind} ${row.missed ? "missed" : ""} ${row.lost ? "lossy" : ""}`, "data-id": row.id, "data-start": row.start, "data-stop": row.stop, "data-from": row.from, "data-to": row.to },
      el("th", { scope: "row" }, row.title, el("small", {}, row.how)),
      place,
      el("td", { "data-label": "points" }, count(row.length)),
      el("td", { "data-label": "delay" }, Number.isNaN(row.delay) ? "" : lengthWords(row.delay, this.looks.timed)),
      el("td", { "data-label": "earned" }, row.kind === "event" ? count(row.earned) : ""),
      el("td", { "data-label": "lost" }, count(row.lost)),
      el("td", { "data-label": "gain if fixed" }, row.gain ? `+${fixed(row.gain, 4)}` : ""),
      el("td", { class: "words" }, this.change(row)),
    );
    line.addEventListener("click", () => this.open(row));
    return line;
  }

  private change(row: Row): string {
    if (this.state.current.flags || !Number.isFinite(row.peak)) return "";
    const peak = general(row.peak, 4);
    if (row.kind === "alarm") return `silent at ${peak} and above`;
    return row.missed ? `found below ${peak}` : "";
  }

  /** Press the row of what is pointed at, wherever that was done. */
  mark(): void {
    for (const row of byId("receipt").children as HTMLCollectionOf<HTMLElement>) {
      const pressed = this.state.picked !== null && row.dataset.id === this.state.picked;
      row.classList.toggle("pointed", pressed);
      const button = row.querySelector("button");
      if (button) set(button, { "aria-pressed": String(pressed) });
    }
  }

  /** Bring the row that is pointed at into the table, if it is not there. */
  reveal(): void {
    const { picked } = this.state;
    const own = (rows: Row[]) => rows.findIndex(({ id }) => id === picked);
    if (picked && own(this.listed) < 0 && own(this.rows) >= 0) this.filter("all");
    const place = own(this.listed);
    if (place >= this.shown) {
      this.shown = place + 1;
      this.show();
    }
    this.mark();
  }

  private walk(key: KeyboardEvent): void {
    const step = key.key === "ArrowDown" ? 1 : key.key === "ArrowUp" ? -1 : 0;
    const buttons = [...byId("receipt").querySelectorAll<HTMLButtonElement>("button.where")];
    const next = buttons[buttons.indexOf(document.activeElement as HTMLButtonElement) + step];
    if (!step || !next) return;
    key.preventDefault();
    next.focus();
  }
}
