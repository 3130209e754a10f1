// Incidents and alerts: things with their own times, judged by the command line. Nothing is recounted here.

import { byId, el, nameOf } from "../dom";
import { SCORES, started, WORDS } from "../look";
import { many } from "../numbers";
import { real } from "../payload";
import { type Answer, AnswerPanel, deeds, fewEvents, two } from "./answer";
import { Axis, Calendar, lengthWords } from "./axis";
import { Matrix } from "./matrix";
import type { Level } from "./metric";
import { startSaving } from "./saving";
import type { Bar, Lane, Mark, Scene } from "./scene";
import { Timeline } from "./timeline";
import { type GivenWindows, Windows } from "./windows";

interface GivenIncident {
  id: string;
  service: string;
  start: number;
  end: number;
  open: boolean;
  outcome: "found" | "missed" | "unwatched";
  delay: number | null;
  first: string;
}

interface GivenAlert {
  id: string;
  service: string;
  start: number;
  end: number;
  outcome: "right" | "false" | "not counted";
  incident: string;
}

interface GivenThingsDetector {
  name: string;
  at: string;
  numbers: { judged: number; found: number; missed: number; unwatched: number; alerts_right: number; alerts_false: number; alerts_not_counted: number; false_per_week: number | null; delay_median_seconds: number | null };
  incidents: GivenIncident[];
  alerts: GivenAlert[];
  verdict: { tested: boolean; better: boolean; below: boolean; value: number | null; chance: number | null; chance_low: number | null; chance_high: number | null; low: number | null; high: number | null; p: number | null; cite: string };
}

export interface GivenThings {
  timed: boolean;
  zone: string | null;
  span: [number, number];
  services: string[];
  /** Seconds (or points) in which somebody watched. */
  watched: number;
  /** Per service, the stretches in which nobody did. */
  outages: [string, number, number][];
  detectors: GivenThingsDetector[];
}

const SERVICES = 6; // services with lanes of their own

export function startThings(given: GivenThings, title: string, windows: GivenWindows | null): void {
  new ThingsPage(given, title, windows && new Windows(windows, given.detectors.map(({ name }) => name))).start();
}

class ThingsPage {
  private detector: number;
  private picked: string | null = null;
  private view: [number, number] | null = null;
  private which = "trouble";
  private readonly axis: Axis;
  private readonly timeline: Timeline;
  private readonly panel: AnswerPanel;
  private readonly matrix: Matrix;

  constructor(
    private readonly given: GivenThings,
    private readonly title: string,
    private readonly windows: Windows | null,
  ) {
    this.detector = this.best();
    this.axis = new Axis(new Float64Array(0), given.timed ? new Calendar(given.zone) : null, false, given.span);
    (this.axis as { step: number }).step = (given.span[1] - given.span[0]) / 2000;
    this.panel = new AnswerPanel((id) => this.open(id));
    this.matrix = new Matrix(given.timed, (detector, event) => {
      this.detector = detector;
      this.show();
      if (event !== null) this.open(`e${event}`);
    });
    this.timeline = new Timeline(this.scene(), {
      look: (view) => {
        this.view = view;
        this.draw();
      },
      pick: (id) => this.pick(id),
      read: (place) => [this.axis.words(place)],
    });
  }

  private best(): number {
    const values = this.given.detectors.map(({ verdict }) => real(verdict.value) || 0);
    return Math.max(0, values.indexOf(Math.max(...values)));
  }

  private get one(): GivenThingsDetector {
    return this.given.detectors[this.detector];
  }

  start(): void {
    this.read();
    const choice = byId<HTMLSelectElement>("detector");
    choice.append(...this.given.detectors.map(({ name }, place) => el("option", { value: place, dir: "auto" }, name)));
    choice.addEventListener("change", () => {
      this.detector = Number(choice.value);
      this.show();
    });
    byId("bar").hidden = this.given.detectors.length < 2;
    for (const part of byId("bar").querySelectorAll<HTMLElement>(".of-scores")) part.hidden = true;
    for (const part of document.querySelectorAll<HTMLElement>(".of-points")) part.hidden = true;
    const filter = byId<HTMLSelectElement>("show-rows");
    filter.addEventListener("change", () => {
      this.which = filter.value;
      this.rows();
    });
    startSaving(() => ({ name: this.title, title: `${this.title}: ${this.one.name}`, cite: this.one.verdict.cite, picture: this.timeline.picture, svg: this.timeline.svg(), rows: this.table() }));
    this.show();
  }

  private read(): void {
    const said = new URLSearchParams(location.hash.slice(1));
    const place = this.given.detectors.findIndex(({ name }) => name === said.get("d"));
    if (place >= 0) this.detector = place;
    const [from, to] = [Number(said.get("from") || NaN), Number(said.get("to") || NaN)];
    if (to > from) this.view = [from, to];
    this.picked = said.get("row");
  }

  private draw(): void {
    this.timeline.show(this.scene(), this.view, this.picked);
    const said = new URLSearchParams();
    if (this.given.detectors.length > 1) said.set("d", this.one.name);
    if (this.view) this.view.forEach((end, side) => said.set(side ? "to" : "from", String(+end.toPrecision(12))));
    if (this.picked) said.set("row", this.picked);
    history.replaceState(null, "", `#${said}`);
  }

  private show(): void {
    byId<HTMLSelectElement>("detector").value = String(this.detector);
    this.panel.show(this.answer());
    byId("cite").textContent = this.one.verdict.cite;
    this.matrix.show(
      this.given.detectors.map((one, d) => ({
        name: one.name,
        above: "",
        cells: one.incidents.map(({ outcome, delay }) => (outcome === "unwatched" ? undefined : outcome === "missed" ? null : delay ?? NaN)),
        found: one.numbers.found,
        wrong: one.numbers.alerts_false,
        perWeek: real(one.numbers.false_per_week),
        scores: [{ value: real(one.verdict.value), text: two(real(one.verdict.value)) }],
        chance: level(one),
        chosen: d === this.detector,
      })),
      this.one.incidents.map(({ id, start }, e) => ({ head: id || String(e + 1), title: `${id || `incident ${e + 1}`}, ${this.axis.words(start)}` })),
      [SCORES.f1_ba],
      false,
      true,
    );
    this.rows();
    this.draw();
    this.legend();
    this.windows?.show(this.detector);
  }

  private legend(): void {
    byId("hole-key").hidden = !this.given.outages.length;
    byId("zone").textContent = this.given.timed ? `times: ${this.axis.calendar!.words}` : "axis: points";
  }

  private answer(): Answer {
    const { one, given } = this;
    const { numbers, verdict } = one;
    const late = one.incidents.flatMap(({ delay }) => (delay === null ? [] : [delay]));
    const [score, chance] = [real(verdict.value), level(one)];
    const draft: Answer = {
      lead: "",
      tone: "plain",
      who: one.name,
      said: "",
      fine: "",
      advice: this.advice(),
      events: numbers.judged,
      noun: "incident",
      boxes: one.incidents.flatMap(({ id, outcome, delay, start }, e) => (outcome === "unwatched" ? [] : [{ id: `e${e}`, found: outcome === "found", title: `${id || `incident ${e + 1}`}, ${this.axis.words(start)}: ${outcome}${delay === null ? "" : ` after ${lengthWords(delay, given.timed)}`}` }])),
      found: numbers.found,
      unwatched: numbers.unwatched,
      missed: "", // the line below names them
      wrong: numbers.alerts_false,
      right: numbers.alerts_right,
      perWeek: real(numbers.false_per_week),
      watched: given.watched,
      timed: given.timed,
      delay: real(numbers.delay_median_seconds),
      slowest: late.length ? Math.max(...late) : NaN,
      title: `balanced score (${SCORES.f1_ba})`,
      score,
      scoreText: two(score),
      isShare: true,
      chance,
      chanceSaid: chance ? "" : "chance was not computed",
      low: real(verdict.low),
      high: real(verdict.high),
    };
    const who = given.detectors.length === 1 && one.name === "alerts" ? "The alerting" : one.name;
    return { ...draft, who, ...this.words(draft) };
  }

  private words(draft: Answer): Partial<Answer> {
    const { verdict, numbers, at } = this.one;
    if (!draft.events) return { lead: "Nothing to find.", who: "", said: "No incident was watched, so alerts can be counted, and nothing else.", fine: "" };
    const silent = !numbers.alerts_right && !numbers.alerts_false;
    const score = draft.chance ? ` It scores ${draft.scoreText}; the same alerts at other times score ${draft.chance.level.toFixed(2)}.` : "";
    const few = fewEvents(draft);
    const outside = numbers.alerts_not_counted ? `${many(numbers.alerts_not_counted, "alert")} outside watched time ${numbers.alerts_not_counted === 1 ? "is" : "are"} not counted.` : "";
    const fine = `${at ? `Alerts with a score above ${at}. ` : "Alerts as given. "}${few && `${few} `}${outside}`;
    const said = silent ? "raised no alert in watched time." : `${deeds(draft)}.${score}`;
    if (silent) return { lead: "Silent.", tone: "unclear", said, fine };
    if (!verdict.tested) return { lead: "Not compared with chance.", tone: "unclear", said, fine };
    if (verdict.better) return { lead: `${started(WORDS.better)}.`, tone: "good", said, fine };
    return { lead: `${started(verdict.below ? WORDS.below : WORDS.unclear)}.`, tone: "unclear", said, fine };
  }

  /** Which were missed, by name: there is no threshold to move. */
  private advice(): (string | Node)[] {
    const missed = this.one.incidents.filter(({ outcome }) => outcome === "missed");
    const noisy = new Map<string, number>();
    for (const { outcome, service } of this.one.alerts) if (outcome === "false") noisy.set(service, (noisy.get(service) ?? 0) + 1);
    const [worst] = [...noisy].sort((a, b) => b[1] - a[1]);
    const parts: (string | Node)[] = [];
    if (missed.length) {
      const named = missed.slice(0, 3).map(({ id, service, start }) => `${[id, service].filter(Boolean).join(", ")}${id || service ? ", " : ""}${this.axis.words(start)}`);
      parts.push(el("b", {}, "Missed: "), `${named.join("; ")}${missed.length > 3 ? `; and ${missed.length - 3} more` : ""}. `);
    }
    if (worst && noisy.size > 1) parts.push(el("b", {}, "Look first at "), nameOf(worst[0]), `: ${worst[1]} of its alerts were false. `);
    return parts.length ? [el("p", {}, ...parts)] : [];
  }

  private scene(): Scene {
    const { given, one, axis } = this;
    const several = given.services.length > 1 && given.services.length <= SERVICES;
    const lanes = several ? given.services.flatMap((service) => this.lanes(one, service)) : this.lanes(one, null);
    const others = given.detectors.filter((other) => other !== one).slice(0, 4);
    return {
      axis,
      traces: [],
      lanes: [...lanes, ...others.map((other): Lane => ({ name: other.name, bars: this.alerts(other, null), thin: true }))],
      marks: () => this.marks(),
      threshold: null,
      handle: "",
      map: lanes.flatMap(({ bars }) => bars),
      holes: given.services.length > 1 ? [] : given.outages.map(([, from, to]) => [from, to]),
      said: `incidents and alerts over time: ${one.numbers.found} of ${many(one.numbers.judged, "incident")} found, ${many(one.numbers.alerts_false, "false alarm")}; the table below lists them`,
    };
  }

  private lanes(one: GivenThingsDetector, service: string | null): Lane[] {
    const kinds = { found: "event", missed: "missed", unwatched: "unwatched" } as const;
    const incidents = one.incidents.filter((row) => service === null || row.service === service).map(({ start, end, outcome }): Bar => ({ from: start, to: end, kind: kinds[outcome] }));
    const holes = this.given.outages.filter(([where]) => where === service).map(([, from, to]): [number, number] => [from, to]);
    return [{ name: service ?? "incidents", bars: incidents, holes }, { name: service === null ? "alerts" : "its alerts", bars: this.alerts(one, service), holes }];
  }

  private alerts(one: GivenThingsDetector, service: string | null): Bar[] {
    const kinds = { right: "right", false: "wrong", "not counted": "unwatched" } as const;
    return one.alerts.filter((row) => service === null || row.service === service).map(({ start, end, outcome }) => ({ from: start, to: end, kind: kinds[outcome] }));
  }

  private marks(): Mark[] {
    const { one } = this;
    return [
      ...one.incidents.map(({ id, start, end, outcome, delay }, e) => ({ id: `e${e}`, from: start, to: end, words: `${id || `incident ${e + 1}`}: ${outcome}${delay === null ? "" : ` after ${lengthWords(delay, this.given.timed)}`}` })),
      ...one.alerts.map(({ id, start, end, outcome }, a) => ({ id: `a${a}`, from: start, to: end, words: `alert ${id}: ${outcome}` })),
    ];
  }

  private pick(id: string | null): void {
    this.picked = id;
    this.draw();
    this.mark();
  }

  private open(id: string): void {
    const mark = this.marks().find((one) => one.id === id);
    if (!mark) return;
    this.picked = id;
    this.view = this.timeline.around(mark);
    this.timeline.bringIntoView();
    this.draw();
    this.mark();
  }

  private mark(): void {
    for (const row of byId("receipt").children as HTMLCollectionOf<HTMLElement>) row.classList.toggle("pointed", row.dataset.id === this.picked);
  }

  private rows(): void {
    const { one, which } = this;
    const line = (id: string, kind: string, what: string, how: string, start: number, end: number, service: string, delay: number | null) => {
      const button = el("button", { type: "button", class: "quiet where" }, this.axis.fromTo(start, end));
      const row = el("tr", { class: kind, "data-id": id }, el("th", { scope: "row" }, what, el("small", {}, how)), el("td", {}, button, ...(service ? [el("small", {}, nameOf(service))] : [])), el("td", { "data-label": "delay" }, delay === null ? "" : lengthWords(delay, this.given.timed)));
      row.addEventListener("click", () => this.open(id));
      return row;
    };
    const incidents = one.incidents.map((row, e) => ({ trouble: row.outcome === "missed", kind: "event", make: () => line(`e${e}`, `event ${row.outcome}`, row.id || `incident ${e + 1}`, row.outcome === "found" && row.first ? `found by ${row.first}` : row.outcome, row.start, row.end, row.service, row.delay) }));
    const alerts = one.alerts.map((row, a) => ({ trouble: row.outcome === "false", kind: "alarm", make: () => line(`a${a}`, "alarm", row.outcome === "false" ? "false alarm" : row.outcome === "right" ? "right alarm" : "alarm", [row.id, row.incident ? `about ${row.incident}` : row.outcome === "not counted" ? "outside watched time" : ""].filter(Boolean).join(", "), row.start, row.end, row.service, null) }));
    const listed = [...incidents, ...alerts].filter(({ trouble, kind }) => which === "all" || (which === "trouble" ? trouble : kind === which));
    byId("receipt-head").replaceChildren(el("tr", {}, ...["what", "when", "delay"].map((text) => el("th", { scope: "col" }, text))));
    byId("receipt").replaceChildren(...listed.slice(0, 300).map(({ make }) => make()));
    byId("receipt-none").hidden = listed.length > 0;
    byId("receipt-none").textContent = "No incident is missed and no alert is false.";
    byId("receipt-sums").textContent = `${one.numbers.found} of ${many(one.numbers.judged, "incident")} found; ${many(one.numbers.alerts_false, "alert")} false, ${one.numbers.alerts_right} right${listed.length > 300 ? "; the first 300 rows are listed, the CSV has all" : ""}.`;
    this.mark();
  }

  private table(): (string | number)[][] {
    const { one } = this;
    return [
      ["what", "id", "service", "from", "to", "outcome", "delay"],
      ...one.incidents.map(({ id, service, start, end, outcome, delay }) => ["incident", id, service, this.axis.words(start), this.axis.words(end), outcome, delay ?? NaN]),
      ...one.alerts.map(({ id, service, start, end, outcome }) => ["alert", id, service, this.axis.words(start), this.axis.words(end), outcome, NaN]),
    ];
  }
}

function level({ verdict }: GivenThingsDetector): Level | null {
  const chance = real(verdict.chance);
  return Number.isNaN(chance) ? null : { level: chance, low: real(verdict.chance_low), high: real(verdict.chance_high) };
}
