// The receipt as a table: what each event earned, what each alarm cost, and what fixing it would bring.

import { byId, el, number, set, whenQuiet } from "../dom";
import { count, fixed, general, many, metric, percent } from "../numbers";
import { NAMES, type Name, TITLES } from "../sweep/families";
import { type Counts, rates } from "../sweep/masses";
import { type Receipt, receipt } from "../sweep/receipt";
import type { State } from "./state";
import { seriesAt, spanWords, stretchWords } from "./time";

const PAGE = 20;

interface Row {
  kind: "event" | "alarm";
  title: string;
  how: string;
  start: number;
  stop: number;
  length: number;
  delay: number;
  earned: number;
  lost: number;
  gain: number;
}

type Column = "start" | "length" | "delay" | "earned" | "lost" | "gain";

export class ReceiptTable {
  private rows: Row[] = [];
  private shown = PAGE;
  private by: Column = "lost";
  private falling = true;
  readonly refresh = whenQuiet(() => this.rebuild(), 120);

  constructor(private readonly state: State) {
    const choice = byId<HTMLSelectElement>("accounts");
    const names: readonly Name[] = state.current.overview ? ["f1_ba", "f1_pa"] : NAMES; // all or nothing of an event
    choice.append(...names.map((name) => el("option", { value: name, selected: name === state.accounts }, TITLES[name])));
    choice.addEventListener("change", () => state.account(choice.value as Name));
    for (const head of byId("receipt-head").querySelectorAll<HTMLButtonElement>("button")) {
      head.addEventListener("click", () => this.sort(head.dataset.by as Column));
    }
    byId("more").addEventListener("click", () => {
      this.shown += PAGE;
      this.show();
    });
    byId("receipt").addEventListener("keydown", (key) => this.walk(key));
  }

  /** Account for the threshold anew. */
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
    return this.rows.length ? seriesAt(this.state.data, this.rows[0].start) : 0;
  }

  private lines({ events, alarms }: Receipt, total: Counts): Row[] {
    const { offset } = this.state;
    const now = rates(total.found, total.wrong, total.truth).f;
    const better = (found: number, wrong: number) => rates(total.found + found, total.wrong - wrong, total.truth).f - now;
    return [
      ...events.map((row, place): Row => {
        const lost = row.weight - row.credit;
        const how = row.found ? Number.isNaN(row.covered) ? "found" : `found, ${percent(row.covered)} covered` : "missed";
        return { kind: "event", title: `event ${place + 1}`, how, start: row.start + offset, stop: row.stop + offset, length: row.weight, delay: row.delay, earned: row.credit, lost, gain: better(lost, 0) };
      }),
      ...alarms.map((row): Row => {
        const beside = row.event >= 0;
        const partly = row.beyond >= 0;
        const how = beside ? "islands of right alarms" : `${partly ? "part of an alarm on it" : "false"}, ${many(row.stop - row.start, "point")} flagged`;
        const [start, stop] = [row.from + offset, row.to + offset];
        return { kind: "alarm", title: beside ? `around event ${row.event + 1}` : partly ? `beyond event ${row.beyond + 1}` : "false alarm", how, start, stop, length: row.to - row.from, delay: NaN, earned: 0, lost: row.cost, gain: better(0, row.cost) };
      }),
    ];
  }

  private sums(found: Receipt, { found: right, wrong, truth }: Counts): void {
    const value = rates(right, wrong, truth).f;
    const hit = found.events.filter((row) => row.found).length;
    const wholly = found.alarms.filter((row) => row.event < 0 && row.beyond < 0).length;
    byId("receipt-sums").replaceChildren(
      `${TITLES[this.state.accounts]} = 2 × ${count(right)} / (2 × ${count(right)} + ${count(wrong)} + ${count(truth - right)}) = `,
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

  private show(): void {
    const rows = this.rows.slice(0, this.shown);
    byId("receipt").replaceChildren(...rows.map((row) => this.line(row)));
    const hidden = this.rows.length - rows.length;
    byId("more").hidden = hidden <= 0;
    byId("more").textContent = `show ${Math.min(PAGE, hidden)} more of ${count(hidden)}`;
    byId("receipt-none").hidden = this.rows.length > 0;
    this.mark();
  }

  private line(row: Row): HTMLTableRowElement {
    const { data, everySeries } = this.state;
    const where = stretchWords(data, row.start, row.stop);
    const button = el("button", { type: "button", class: "quiet where", "aria-pressed": "false" }, where);
    button.addEventListener("click", () => this.open(row));
    const place = el("td", {}, button);
    if (everySeries && data.series.length > 1) place.append(el("small", {}, el("bdi", {}, data.series[seriesAt(data, row.start)])));
    return el(
      "tr",
      { class: `${row.kind} ${row.lost ? "lossy" : ""}`, "data-start": row.start, "data-stop": row.stop },
      el("th", { scope: "row" }, row.title, el("small", {}, row.how)),
      place,
      el("td", {}, count(row.length)),
      el("td", {}, Number.isNaN(row.delay) ? "" : general(row.delay), el("small", {}, spanWords(data, row.start, row.delay))),
      el("td", {}, row.kind === "event" ? count(row.earned) : ""),
      el("td", {}, count(row.lost)),
      el("td", {}, row.gain ? `+${fixed(row.gain, 4)}` : ""),
    );
  }

  private open(row: Row): void {
    const home = seriesAt(this.state.data, row.start);
    if (home !== this.state.series) this.state.openSeries(home);
    const { stretch } = this.state;
    const same = stretch?.start === row.start && stretch.stop === row.stop;
    this.state.point(same ? null : { start: row.start, stop: row.stop });
  }

  /** Press the row of the stretch that is pointed at, wherever that was done. */
  mark(): void {
    const { stretch } = this.state;
    for (const row of byId("receipt").children as HTMLCollectionOf<HTMLElement>) {
      const [start, stop] = [Number(row.dataset.start), Number(row.dataset.stop)];
      const pressed = stretch !== null && start < stretch.stop && stretch.start < stop;
      row.classList.toggle("pointed", pressed);
      set(row.querySelector("button")!, { "aria-pressed": String(pressed) });
    }
  }

  /** Bring the row that is pointed at into the page, if it lies beyond what is shown. */
  reveal(): void {
    const { stretch } = this.state;
    const place = stretch ? this.rows.findIndex((row) => row.start < stretch.stop && stretch.start < row.stop) : -1;
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
