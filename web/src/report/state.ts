// What the reader has chosen, who wants to know when it changes, and the address that holds it.

import type { Settings } from "../sweep/adjust";
import { Families, type Name } from "../sweep/families";
import { rounded } from "../sweep/thresholds";
import type { Axis } from "./axis";
import { axisOf, type Data, type Detector, withinSeries } from "./data";

/** "moving": the threshold, while a hand moves it; "threshold": when it rests. "look": what of the time axis is on show. */
export type Change = "moving" | "threshold" | "settings" | "detector" | "series" | "scope" | "look" | "picked" | "receipt";

export class State {
  detector = 0;
  series = 0;
  /** Count the points of all series together, or of the chosen one. */
  everySeries = true;
  settings: Settings;
  /** The score that the receipt explains. */
  accounts: Name = "f1_ba";
  /** The row that is pointed at: "e3" an event, "a120" the alarm that begins at a point. */
  picked: string | null = null;
  /** What of the axis is on show; null: all. */
  view: [number, number] | null = null;
  folded = false;
  /** The detector whose scores are drawn behind those of the chosen one. */
  overlay: number | null = null;
  axis: Axis;
  private readonly thresholds: number[];
  private readonly listeners: ((change: Change) => void)[] = [];
  private readonly shown = new WeakMap<Float64Array, { series: number; part: Float64Array }>();
  private readonly parts = new Map<number, { series: number; families: Families }>();

  constructor(readonly data: Data) {
    this.settings = { ...data.settings };
    this.thresholds = data.detectors.map((one) => one.given);
    this.axis = axisOf(data, 0, false);
  }

  listen(listener: (change: Change) => void): void {
    this.listeners.push(listener);
  }

  tell(change: Change): void {
    this.listeners.forEach((listener) => listener(change));
  }

  get current(): Detector {
    return this.data.detectors[this.detector];
  }

  /** The threshold as the reader chose it. */
  asked(detector = this.detector): number {
    return this.thresholds[detector];
  }

  /** The threshold as it is compared with the scores. */
  threshold(detector = this.detector): number {
    return rounded(this.thresholds[detector], this.data.detectors[detector].precision);
  }

  /** Whether the threshold is another than the one that was given. */
  moved(detector = this.detector): boolean {
    return this.thresholds[detector] !== this.data.detectors[detector].given;
  }

  /** Whether a detector stands at the threshold that was best in hindsight, as it was judged. */
  hindsight(detector = this.detector): boolean {
    return this.data.detectors[detector].chosenBy === "oracle" && !this.moved(detector) && this.asJudged;
  }

  /** Whether settings and series are those that Python judged. */
  get asJudged(): boolean {
    const { settings, data } = this;
    const same = (Object.keys(settings) as (keyof Settings)[]).every((key) => settings[key] === data.settings[key]);
    return same && (this.everySeries || data.series.length < 2);
  }

  move(threshold: number, change: "moving" | "threshold" = "threshold"): void {
    this.thresholds[this.detector] = this.current.overview?.nearest(threshold) ?? threshold;
    this.tell(change);
  }

  change(settings: Partial<Settings>): void {
    this.settings = { ...this.settings, ...settings };
    this.tell("settings");
  }

  choose(detector: number): void {
    if (detector === this.detector) return;
    this.detector = detector;
    this.tell("detector");
  }

  openSeries(series: number): void {
    [this.series, this.view, this.picked] = [series, null, null];
    this.axis = axisOf(this.data, series, this.folded);
    this.tell("series");
  }

  fold(folded: boolean): void {
    [this.folded, this.view] = [folded, null];
    this.axis = axisOf(this.data, this.series, folded);
    this.tell("look");
  }

  lay(over: number | null): void {
    this.overlay = over;
    this.tell("look");
  }

  countEverySeries(every: boolean): void {
    this.everySeries = every;
    this.tell("scope");
  }

  account(name: Name): void {
    this.accounts = name;
    this.tell("receipt");
  }

  look(view: [number, number] | null): void {
    this.view = view;
    this.tell("look");
  }

  /** Point at a row, or at none; its stretch comes into view if asked. */
  pick(id: string | null, view?: [number, number]): void {
    this.picked = id;
    if (view) this.view = view;
    this.tell("picked");
  }

  /** What is counted: every point of a detector, or those of the chosen series. */
  families(detector = this.detector): Families {
    const one = this.data.detectors[detector];
    if (this.everySeries || this.data.series.length < 2) return one.whole;
    const known = this.parts.get(detector);
    if (known?.series === this.series) return known.families;
    const families = withinSeries(this.data, one, this.series);
    this.parts.set(detector, { series: this.series, families });
    return families;
  }

  /** The first point of what is counted. */
  get offset(): number {
    return this.everySeries ? 0 : this.data.wholes[this.series];
  }

  /** The first point of the series on show. */
  get first(): number {
    return this.data.wholes[this.series];
  }

  /** The values of the series on show; the same array as long as it is. */
  part(values: Float64Array): Float64Array {
    const known = this.shown.get(values);
    if (known?.series === this.series) return known.part;
    const part = values.subarray(this.first, this.data.wholes[this.series + 1]);
    this.shown.set(values, { series: this.series, part });
    return part;
  }

  /** All of it as an address: "#d=score&t=0.7". */
  get address(): string {
    const { data, detector, view } = this;
    const said = new URLSearchParams();
    if (data.series.length > 1) said.set("s", data.series[this.series]);
    if (data.detectors.length > 1) said.set("d", data.detectors[detector].name);
    said.set("t", String(this.asked()));
    if (!this.everySeries) said.set("only", "1");
    if (view) view.forEach((end, side) => said.set(side ? "to" : "from", String(+end.toPrecision(12))));
    if (this.folded) said.set("fold", "1");
    if (this.overlay !== null) said.set("over", data.detectors[this.overlay].name);
    if (this.picked) said.set("row", this.picked);
    for (const key of ["k", "width", "islands", "margin"] as const) if (this.settings[key] !== data.settings[key]) said.set(key, String(this.settings[key]));
    return `#${said}`;
  }

  /** Take what an address says; what it does not know is left as it is. */
  read(address: string): void {
    const said = new URLSearchParams(address.replace(/^#/, ""));
    const { data } = this;
    const place = (names: string[], key: string) => (said.has(key) ? names.indexOf(said.get(key) ?? "") : -1);
    const [series, detector] = [place(data.series, "s"), place(data.detectors.map(({ name }) => name), "d")];
    const over = place(data.detectors.map(({ name }) => name), "over");
    if (over >= 0) this.overlay = over;
    if (series >= 0) this.series = series;
    if (detector >= 0) this.detector = detector;
    const at = Number(said.get("t") || NaN);
    if (!Number.isNaN(at) && !this.current.flags) this.thresholds[this.detector] = this.current.overview?.nearest(at) ?? at;
    this.everySeries = !said.has("only");
    this.folded = said.has("fold");
    this.axis = axisOf(data, this.series, this.folded);
    const [from, to] = [Number(said.get("from") || NaN), Number(said.get("to") || NaN)];
    this.view = to > from && to > this.axis.from && from < this.axis.to ? [from, to] : null;
    this.picked = said.get("row");
    const whole = (key: string, least: number) => (Number.isInteger(Number(said.get(key) || NaN)) && Number(said.get(key)) >= least ? Number(said.get(key)) : undefined);
    const [width, margin, k, islands] = [whole("width", 1), whole("margin", 0), Number(said.get("k") || NaN), said.get("islands")];
    if (width) this.settings.width = width;
    if (margin !== undefined) this.settings.margin = margin;
    if (k > 0 && k <= 1) this.settings.k = k;
    if (islands === "normal" || islands === "spill" || islands === "printed" || islands === "all") this.settings.islands = islands;
  }
}
