// What the reader has chosen, and who wants to know when it changes.

import type { Settings } from "../sweep/adjust";
import { Families, type Name } from "../sweep/families";
import { rounded } from "../sweep/thresholds";
import { type Data, type Detector, withinSeries } from "./data";

export type Change = "threshold" | "settings" | "detector" | "series" | "scope" | "stretch" | "receipt";

export interface Stretch {
  start: number;
  stop: number;
}

export class State {
  detector = 0;
  series = 0;
  /** Count the points of all series together, or of the chosen one. */
  everySeries = true;
  settings: Settings;
  /** The score that the receipt explains. */
  accounts: Name = "f1_ba";
  stretch: Stretch | null = null;
  private readonly thresholds: number[];
  private readonly listeners: ((change: Change) => void)[] = [];
  private readonly parts = new Map<number, { series: number; families: Families }>();

  constructor(readonly data: Data) {
    this.settings = { ...data.settings };
    this.thresholds = data.detectors.map((one) => one.given);
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

  move(threshold: number): void {
    this.thresholds[this.detector] = this.current.overview?.nearest(threshold) ?? threshold;
    this.tell("threshold");
  }

  change(settings: Partial<Settings>): void {
    this.settings = { ...this.settings, ...settings };
    this.tell("settings");
  }

  choose(detector: number): void {
    this.detector = detector;
    this.tell("detector");
  }

  openSeries(series: number): void {
    this.series = series;
    this.stretch = null;
    this.tell("series");
  }

  countEverySeries(every: boolean): void {
    this.everySeries = every;
    this.tell("scope");
  }

  account(name: Name): void {
    this.accounts = name;
    this.tell("receipt");
  }

  point(stretch: Stretch | null): void {
    this.stretch = stretch;
    this.tell("stretch");
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
    return this.everySeries ? 0 : this.data.truth.bounds[this.series];
  }

  /** The points of the series on show, first and past the last. */
  get view(): Stretch {
    const { bounds } = this.data.truth;
    return { start: bounds[this.series], stop: bounds[this.series + 1] };
  }
}
