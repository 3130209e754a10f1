// The report: what the reader changes, and which parts of the page follow.

import { byId, el, whenQuiet } from "../dom";
import { floats, type Packed, payload } from "../payload";
import { startTheme } from "../theme";
import { AnswerPanel } from "./answer";
import { lengthWords } from "./axis";
import { Bar } from "./bar";
import { Curves } from "./curves";
import { type Data, type Given, readData } from "./data";
import { type Look, Looks } from "./look";
import { Machine, type Pile } from "./machine";
import { Matrix } from "./matrix";
import type { Metric } from "./metric";
import { ReceiptTable, type Row } from "./receipt_table";
import { startSaving } from "./saving";
import { sceneOf } from "./scene";
import { SeriesChoice } from "./series_choice";
import { shownThreshold } from "./scale";
import { type Change, State } from "./state";
import { startThings } from "./things";
import { Timeline } from "./timeline";
import { Values } from "./values";
import { answer, citation, level } from "./verdict";
import { Why } from "./why";
import { Windows } from "./windows";
import { general } from "../numbers";

class Report {
  private readonly looks: Looks;
  private readonly bar: Bar;
  private readonly panel: AnswerPanel;
  private readonly timeline: Timeline;
  private readonly values: Values;
  private readonly curves: Curves;
  private readonly receipt: ReceiptTable;
  private readonly matrix: Matrix;
  private readonly machine = new Machine();
  private readonly why: Why;
  private readonly series: SeriesChoice | null;
  private readonly windows: Windows | null;
  private readonly rest = whenQuiet(() => this.state.tell("threshold"), 400);

  constructor(
    private readonly state: State,
    private readonly data: Data,
  ) {
    this.looks = new Looks(state);
    this.detector();
    state.read(location.hash);
    this.bar = new Bar(state);
    this.panel = new AnswerPanel((id) => this.openId(id));
    this.values = new Values(state);
    this.curves = new Curves(state);
    this.receipt = new ReceiptTable(state, this.looks, (row) => this.openRow(row));
    this.matrix = new Matrix(this.looks.timed, (detector, event) => this.openCell(detector, event));
    this.why = new Why((bar) => this.openBar(bar));
    this.timeline = new Timeline(this.scene(), {
      look: (view) => state.look(view),
      pick: (id) => this.pick(id),
      move: (value, resting) => state.move(value, resting ? "threshold" : "moving"),
      read: (place) => this.read(place),
    });
    this.series = data.series.length > 1 ? new SeriesChoice(state) : null;
    this.windows = data.windows && new Windows(data.windows, data.detectors.map(({ name }) => name));
  }

  /** Begin with the detector that scores best. */
  private detector(): void {
    const [main] = this.data.detectors[0].metrics;
    const values = this.data.detectors.map((_, d) => this.looks.of(d).value || 0);
    const best = (main.lower ? Math.min : Math.max)(...values);
    this.state.detector = this.data.compared ? this.data.detectors.length - 1 : Math.max(0, values.indexOf(best));
  }

  start(): void {
    startSaving(() => this.taken());
    this.state.listen((change) => this.follow(change));
    addEventListener("hashchange", () => {
      this.state.read(location.hash);
      this.series?.show();
      this.all();
    });
    byId("fold").addEventListener("click", () => this.state.fold(!this.state.folded));
    this.startOverlay();
    this.receipt.rebuild();
    if (this.series && !new URLSearchParams(location.hash.slice(1)).has("s")) this.state.openSeries(this.receipt.worstSeries);
    else this.all();
  }

  /** Whose scores are drawn behind. */
  private startOverlay(): void {
    const choice = byId<HTMLSelectElement>("overlay");
    const others = this.data.detectors.flatMap(({ name, flags, overview }, d) => (flags || overview ? [] : [el("option", { value: d, dir: "auto" }, name)]));
    choice.append(el("option", { value: "" }, "none"), ...others);
    choice.addEventListener("change", () => this.state.lay(choice.value === "" ? null : Number(choice.value)));
    byId("overlay-box").hidden = others.length < 2;
    if (this.data.compared && this.state.overlay === null) this.state.overlay = 0;
  }

  private scene() {
    return sceneOf(this.state, this.looks, this.looks.of());
  }

  private drawTime(): void {
    const { state } = this;
    const fold = byId("fold");
    fold.hidden = !state.axis.gaps.length;
    fold.setAttribute("aria-pressed", String(state.folded));
    byId("zone").textContent = this.data.calendar ? `times: ${this.data.calendar.words}` : state.data.time ? "axis: as in the file" : "axis: points, no times given";
    byId("hole-key").hidden = !state.axis.gaps.length;
    byId<HTMLSelectElement>("overlay").value = state.overlay === null ? "" : String(state.overlay);
    this.timeline.show(this.scene(), state.view, state.picked);
    byId("dense-key").hidden = !this.timeline.crowded;
  }

  private answer(look: Look, moving = false): void {
    this.panel.show(answer(this.state, this.looks, look, moving));
    byId("cite").textContent = citation(this.state, look);
    const other = this.state.data.detectors.some((_, d) => this.state.moved(d));
    document.body.classList.toggle("not-as-judged", other);
    byId("as-judged").textContent = other ? `Computed at the thresholds as given (${this.data.detectors.map((one) => (one.flags ? "0/1 flags" : one.givenText)).join(", ")}), not at the one on screen.` : "";
  }

  /** What moves with the slider while a hand is on it. */
  private moving(): void {
    document.body.classList.add("moving");
    const look = this.looks.of();
    this.bar.show();
    this.answer(look, true);
    this.timeline.show(sceneOf(this.state, this.looks, look), this.state.view, this.state.picked);
    this.curves.move();
    this.rest();
  }

  /** Everything that belongs to the threshold. */
  private resting(): void {
    document.body.classList.remove("moving");
    const look = this.looks.of();
    this.bar.show();
    this.answer(look);
    this.values.show();
    this.drawTime();
    this.curves.move();
    this.receipt.rebuild();
    this.showMatrix();
    this.showWhy(look);
    this.address();
  }

  private all(): void {
    this.curves.draw();
    this.windows?.show(this.state.detector);
    this.resting();
  }

  private follow(change: Change): void {
    if (change === "moving") return this.moving();
    if (change === "threshold") return this.resting();
    if (change === "look") this.drawTime();
    if (change === "picked") {
      this.drawTime();
      this.receipt.reveal();
    }
    if (change === "receipt") this.receipt.rebuild();
    if (change === "series") this.series?.show();
    if (change === "detector" || change === "series") this.all();
    this.address();
  }

  private address(): void {
    history.replaceState(null, "", this.state.address);
  }

  private showMatrix(): void {
    const { state, data } = this;
    if (data.detectors.length < 2) return this.matrix.show([], [], []);
    const looks = data.detectors.map((_, d) => this.looks.of(d));
    const seen = data.detectors.map(({ metrics, family }) => (family ? [family[2], family[1]] : [metrics[0]]));
    const rows = looks.map((look, d) => ({
      name: data.detectors[d].name,
      above: data.detectors[d].flags ? "0/1 flags" : shownThreshold(data.detectors[d], state.asked(d), state.place(d)),
      cells: look.missed.map((missed, e) => (missed ? null : look.delays[e])),
      found: look.found,
      wrong: look.wrong,
      perWeek: look.perWeek,
      scores: seen[d].map((one) => ({ value: one.at(look.place), text: one.short(one.at(look.place)) })),
      chance: look.metric.isShare ? level(state, data.detectors[d], look) : null,
      chosen: d === state.detector,
    }));
    const events = looks[0].missed.map((_, e) => this.eventHead(e));
    this.matrix.show(rows, events, seen[0].map(({ title }) => title), looks[0].metric.lower);
  }

  private eventHead(e: number): { head: string; title: string } {
    const point = this.data.truth.starts[e];
    const { calendar, time, series } = this.data;
    const head = calendar && time && series.length < 2 ? calendar.day(time[point]) : String(e + 1);
    return { head, title: `event ${e + 1}${series.length > 1 ? "" : `, ${this.state.axis.when(point - this.state.first)}`}` };
  }

  private showWhy(look: Look): void {
    const { state } = this;
    const { family, machine, verdict } = state.current;
    const oracle = state.hindsight(); // chance is then of many thresholds
    byId("why-section").hidden = !look.missed.length || !family;
    byId("machine-oracle").hidden = !(oracle && verdict.tested && look.missed.length && look.flagged);
    const three = <T>(of: (one: Metric) => T) => (family ? { f1: of(family[0]), f1_pa: of(family[1]), f1_ba: of(family[2]) } : null);
    const values = three((one) => one.at(look.place));
    if (values) this.why.show({ values, chance: oracle ? null : three((one) => (one.chance(look.place) ?? { level: NaN }).level) });
    const step = state.axis.step;
    const length = (points: number) => lengthWords(this.looks.timed ? points * step : points, this.looks.timed);
    const slides = machine && !state.moved() && !oracle && look.flagged;
    this.machine.show(slides ? { name: this.data.detectors.length > 1 ? state.current.name : "yours", truth: this.data.truth, alarms: look.alarms, exact: machine.exact, piles: machine.of.map((metric, k) => this.pile(metric, machine.metrics[k].values, k, machine.of.length)), length } : null);
  }

  private pile(place: number, values: Packed, k: number, many: number): Pile {
    const metric = this.state.current.metrics[place];
    const chance = metric.chance(this.state.place())!;
    const value = metric.at(this.state.place());
    return { title: metric.title, colour: k + 1 < many ? "pa" : "ba", value, text: metric.short(value), values: floats(values), chance: chance.level, chanceText: metric.short(chance.level), again: chance.again, others: chance.others };
  }

  private read(place: number): string[] {
    const { state, data } = this;
    const { axis, current } = state;
    if (!axis.places.length) return [];
    const i = axis.nearest(place);
    if (Math.abs(axis.places[i] - place) > 2 * axis.step) return ["no data here"];
    const signals = data.signals.map(({ name, values }) => `${name} ${general(values[state.first + i], 4)}`);
    if (current.overview) return [axis.when(i), ...signals];
    const score = current.scores[state.first + i];
    const flag = score > state.threshold();
    return [axis.when(i), ...signals, current.flags ? (flag ? "flagged" : "quiet") : `score ${general(score, 4)}${flag ? ", flagged" : ""}`];
  }

  // From a row, a box, a cell or a bar to the plot

  /** Point at what was clicked; a right alarm has no row of its own, so its event is meant. */
  private pick(clicked: string | null): void {
    const { alarms } = this.looks.of();
    const alarm = clicked?.startsWith("a") && alarms ? alarms.starts.indexOf(Number(clicked.slice(1))) : -1;
    const listed = this.receipt.rows.some(({ id }) => id === clicked);
    const id = !listed && alarm >= 0 ? `e${alarms!.touched[alarm]}` : clicked;
    this.state.pick(id === this.state.picked ? null : id);
  }

  private openId(id: string): void {
    const row = this.receipt.rows.find((one) => one.id === id);
    if (row) this.openRow(row);
  }

  private openRow(row: Row): void {
    const { state } = this;
    const home = this.data.wholes.findIndex((bound) => bound > row.start) - 1;
    if (home !== state.series) state.openSeries(home);
    const mark = this.scene().marks().find(({ id }) => id === row.id);
    if (!mark) return;
    state.pick(row.id, this.timeline.around(mark));
    this.timeline.bringIntoView();
  }

  private openCell(detector: number, event: number | null): void {
    this.state.choose(detector);
    if (event !== null) this.openId(`e${event}`);
  }

  private openBar(bar: "f1" | "f1_pa" | "f1_ba" | "credit" | "islands"): void {
    const place = { f1: 0, f1_pa: 1, f1_ba: 2, credit: 1, islands: 2 }[bar];
    const { family, metrics } = this.state.current;
    if (family) this.state.account(metrics.indexOf(family[place]));
    this.receipt.filter(bar === "credit" ? "event" : bar === "islands" ? "alarm" : "all");
    byId("receipt-title").scrollIntoView({ block: "start" });
  }

  private taken() {
    const { state, data } = this;
    const look = this.looks.of();
    const name = `${data.title}${data.detectors.length > 1 ? ` ${state.current.name}` : ""}`;
    const rows = this.receipt.rows.map((row) => [row.title, this.receipt.when(row.start, row.stop), row.start, row.stop, row.how, row.length, row.delay, row.earned, row.lost, row.gain, row.peak]);
    return {
      name,
      title: `${name}: ${look.found} of ${look.missed.length} events found, ${look.wrong} false alarms, threshold ${shownThreshold(state.current, state.asked(), state.place())}`,
      cite: citation(state, look),
      picture: this.timeline.picture,
      svg: this.timeline.svg(),
      rows: [["what", "when", "start", "stop", "how", "points", "delay", "earned", "lost", "gain_if_fixed", "peak"], ...rows],
    };
  }
}

async function start(): Promise<void> {
  startTheme();
  const given = await payload<Given>();
  if (given.things) startThings(given.things, given.title, given.windows);
  else {
    const data = readData(given);
    new Report(new State(data), data).start();
  }
  performance.mark("first-plot");
  document.documentElement.dataset.ready = "yes";
}

void start().finally(() => {
  document.documentElement.dataset.shown = "yes"; // whatever went wrong, what is there can be read
});
