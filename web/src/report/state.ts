// What the reader has chosen, who wants to know when it changes, and the address that holds it.

import type { Axis } from "./axis";
import { axisOf, type Data, type Detector, placeOf } from "./data";

/** "moving": the threshold, while a hand moves it; "threshold": when it rests. "look": what of the time axis is on show. */
export type Change = "moving" | "threshold" | "detector" | "series" | "look" | "picked" | "receipt";

export class State {
  detector = 0;
  series = 0;
  /** The metric that the receipt explains. */
  accounts = 0;
  /** The row that is pointed at: "e3" an event, "a120" the alarm that begins at a point. */
  picked: string | null = null;
  /** What of the axis is on show; null: all. */
  view: [number, number] | null = null;
  folded = false;
  /** The detector whose scores are drawn behind those of the chosen one. */
  overlay: number | null = null;
  axis: Axis;
  private readonly thresholds: number[];
  private readonly places: number[];
  private readonly listeners: ((change: Change) => void)[] = [];
  private readonly shown = new WeakMap<Float64Array, { series: number; part: Float64Array }>();

  constructor(readonly data: Data) {
    this.thresholds = data.detectors.map((one) => one.given);
    this.places = data.detectors.map((one) => one.givenPlace);
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

  /** The number of its level. */
  place(detector = this.detector): number {
    return this.places[detector];
  }

  /** The level, with which scores are compared. */
  threshold(detector = this.detector): number {
    return this.data.detectors[detector].levels.at[this.places[detector]];
  }

  /** Whether the threshold is another than the one that was given. */
  moved(detector = this.detector): boolean {
    return this.thresholds[detector] !== this.data.detectors[detector].given;
  }

  /** Whether a detector stands at the threshold that was best in hindsight, as it was judged. */
  hindsight(detector = this.detector): boolean {
    return this.data.detectors[detector].chosenBy === "oracle" && !this.moved(detector);
  }

  /** Choose a threshold; among chosen levels it becomes one of them. */
  move(threshold: number, change: "moving" | "threshold" = "threshold"): void {
    this.take(threshold);
    this.tell(change);
  }

  /** Choose a level. */
  moveTo(place: number, change: "moving" | "threshold" = "threshold"): void {
    const { current } = this;
    this.move(place === current.givenPlace ? current.given : current.levels.at[place], change);
  }

  private take(threshold: number): void {
    const { current, detector } = this;
    this.places[detector] = placeOf(current, threshold);
    this.thresholds[detector] = threshold === current.given || current.levels.exact ? threshold : this.threshold();
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

  account(metric: number): void {
    this.accounts = metric;
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
    if (view) view.forEach((end, side) => said.set(side ? "to" : "from", String(+end.toPrecision(12))));
    if (this.folded) said.set("fold", "1");
    if (this.overlay !== null) said.set("over", data.detectors[this.overlay].name);
    if (this.picked) said.set("row", this.picked);
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
    if (!Number.isNaN(at) && !this.current.flags) this.take(at);
    this.folded = said.has("fold");
    this.axis = axisOf(data, this.series, this.folded);
    const [from, to] = [Number(said.get("from") || NaN), Number(said.get("to") || NaN)];
    this.view = to > from && to > this.axis.from && from < this.axis.to ? [from, to] : null;
    this.picked = said.get("row");
  }
}
