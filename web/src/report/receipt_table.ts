// The receipt as a table: what each event earned, what each alarm cost, and what fixing it would bring. Costs are Python's,
// at the thresholds where it knows them; elsewhere the rows say what was found, and where alarms are.

import { firstAfter } from "../alarms";
import { byId, el, number, set, whenQuiet } from "../dom";
import { count, fixed, general, many, metric as shown, percent } from "../numbers";
import { type Axis, lengthWords } from "./axis";
import { axisOf } from "./data";
import type { Looks } from "./look";
import type { Metric, Receipt } from "./metric";
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
  /** NaN: not known at this threshold. */
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
    byId<HTMLSelectElement>("accounts").addEventListener("change", () => state.account(Number(byId<HTMLSelectElement>("accounts").value)));
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

  /** The metrics that have receipts. */
  private choices(): void {
    const { metrics } = this.state.current;
    byId("accounts").replaceChildren(...metrics.flatMap((one, place) => (one.stops.length ? [el("option", { value: place, selected: place === this.state.accounts }, one.title)] : [])));
  }

  /** Explain the threshold that is on screen. */
  rebuild(): void {
    const { state } = this;
    const metric = state.current.metrics[state.accounts];
    const known = metric.receipt(state.place());
    this.choices();
    this.rows = [...this.events(known), ...(known ? this.charged(known) : this.alarms())];
    this.shown = PAGE;
    this.sums(metric, known);
    this.order();
    this.show();
  }

  /** The series in which most was lost: where a reader of many wants to begin. */
  get worstSeries(): number {
    const [worst] = [...this.rows].sort((a, b) => (b.lost || 0) - (a.lost || 0));
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

  private events(known: Receipt | null): Row[] {
    const { truth } = this.state.data;
    const { missed, delays } = this.looks.of();
    const row = (e: number, k: number): Row => {
      const [start, stop] = [truth.starts[e], truth.stops[e]];
      const cell = (name: "earned" | "lost" | "gain" | "covered") => (known && k >= 0 ? known.events[name][k] : NaN);
      const covered = cell("covered");
      const lost = known && k >= 0 ? !known.events.found[k] : missed[e];
      const how = lost ? "missed" : Number.isNaN(covered) ? "found" : `found, ${percent(covered)} covered`;
      return { id: `e${e}`, kind: "event", missed: lost, title: `event ${e + 1}`, how, start, stop, from: start, to: stop, length: stop - start, delay: delays[e], earned: cell("earned"), lost: cell("lost"), gain: cell("gain"), peak: this.state.current.peaks[e] };
    };
    const listed = new Map(known ? Array.from(known.events.event, (e, k) => [e, k]) : []);
    return Array.from(missed, (_, e) => row(e, listed.get(e) ?? -1));
  }

  /** Alarms as a metric charges them. */
  private charged({ alarms }: Receipt): Row[] {
    return Array.from(alarms.start, (start, k): Row => {
      const [stop, event, touches, cost] = [alarms.stop[k], alarms.event[k], alarms.touches[k], alarms.cost[k]];
      const [beside, partly] = [event >= 0, touches >= 0];
      const points = many(stop - start, "point");
      const how = beside ? "right alarms, charged around the event" : partly ? `${points} of an alarm that is right about event ${touches + 1}` : points;
      const title = beside ? `around event ${event + 1}` : partly ? "alarm too wide" : "false alarm";
      return { id: beside ? `e${event}` : `a${alarms.alarm[k]}`, kind: "alarm", missed: false, title, how, start, stop, from: alarms.from[k], to: alarms.to[k], length: stop - start, delay: NaN, earned: NaN, lost: cost, gain: alarms.gain[k], peak: alarms.peak[k] };
    });
  }

  /** False alarms where costs are not known. */
  private alarms(): Row[] {
    const { alarms } = this.looks.of();
    if (!alarms) return [];
    return [...alarms.starts.keys()].filter((a) => alarms.touched[a] < 0).map((a): Row => {
      const [start, stop] = [alarms.starts[a], alarms.stops[a]];
      return { id: `a${start}`, kind: "alarm", missed: false, title: "false alarm", how: many(stop - start, "point"), start, stop, from: start, to: stop, length: stop - start, delay: NaN, earned: NaN, lost: NaN, gain: NaN, peak: NaN };
    });
  }

  private sums(metric: Metric, known: Receipt | null): void {
    const { state } = this;
    const { levels } = state.current;
    const value = metric.at(state.place());
    const said = known ? `: ${known.sums}.` : ".";
    byId("receipt-sums").replaceChildren(`${metric.title} = `, el("strong", {}, number(value, shown(value))), said);
    const stops = metric.stops.map((place) => {
      const button = el("button", { type: "button", class: "quiet" }, levels.texts[place]);
      button.addEventListener("click", () => state.moveTo(place));
      return button;
    });
    byId("receipt-stops").replaceChildren(...(known || !stops.length ? [] : ["What each row costs is known at some thresholds: ", ...stops.flatMap((one) => [one, " "])]));
  }

  private sort(by: Column): void {
    this.falling = this.by === by ? !this.falling : by !== "start";
    this.by = by;
    this.order();
    this.show();
  }

  private order(): void {
    const sign = this.falling ? -1 : 1;
    const key = (row: Row) => (Number.isNaN(row[this.by]) ? -Number.MAX_VALUE : row[this.by]);
    this.rows.sort((a, b) => sign * (key(a) - key(b)) || Number(b.missed) - Number(a.missed) || a.start - b.start);
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
    const { data } = this.state;
    const button = el("button", { type: "button", class: "quiet where", "aria-pressed": "false" }, this.when(row.start, row.stop));
    const place = el("td", {}, button);
    if (row.lost && row.kind === "alarm" && (row.from !== row.start || row.to !== row.stop)) place.append(el("small", {}, `charged: ${this.when(row.from, row.to)}`));
    if (data.series.length > 1) place.append(el("small", {}, el("bdi", {}, data.series[this.seriesAt(row.start)])));
    const amount = (value: number) => (Number.isNaN(value) ? "" : Number.isInteger(value) ? count(value) : general(value, 4));
    const line = el(
      "tr",
      { class: `${row.kind} ${row.missed ? "missed" : ""} ${row.lost ? "lossy" : ""}`, "data-id": row.id, "data-start": row.start, "data-stop": row.stop, "data-from": row.from, "data-to": row.to },
      el("th", { scope: "row" }, row.title, el("small", {}, row.how)),
      place,
      el("td", { "data-label": "points" }, count(row.length)),
      el("td", { "data-label": "delay" }, Number.isNaN(row.delay) ? "" : lengthWords(row.delay, this.looks.timed)),
      el("td", { "data-label": "earned" }, amount(row.earned)),
      el("td", { "data-label": "lost" }, amount(row.lost)),
      el("td", { "data-label": "score gained if fixed" }, row.gain ? (Number.isNaN(row.gain) ? "" : `+${fixed(row.gain, 4)}`) : ""),
      el("td", { class: "words" }, this.change(row)),
    );
    line.addEventListener("click", () => this.open(row));
    return line;
  }

  private change(row: Row): string {
    if (this.state.current.flags || !Number.isFinite(row.peak)) return "";
    const peak = general(row.peak, 4);
    if (row.kind === "alarm") return `gone at threshold >= ${peak}`;
    return row.missed ? `caught at threshold < ${peak}` : "";
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
