// The four F1 scores against the threshold, with the chance band; and precision against recall.

import { Chart, tableBehind } from "../chart";
import { byId } from "../dom";
import { general, metric } from "../numbers";
import { type Name, NAMES, TITLES } from "../sweep/families";
import { rounded } from "../sweep/thresholds";
import { type Scale, STEPS } from "./scale";
import type { State } from "./state";
import type { Values } from "./values";

const SAMPLES = 250;
const ROWS = 20;

export class Curves {
  private readonly scores = new Chart("the four F1 scores against the threshold", "threshold", "F1");
  private readonly trade = new Chart("precision against recall", "recall", "precision");

  constructor(
    private readonly state: State,
    private readonly scale: () => Scale,
    private readonly values: Values,
  ) {
    const head = ["threshold", ...NAMES.map((name) => TITLES[name])];
    byId("curve-scores").append(this.scores.root, tableBehind("these curves as a table", head, () => this.rows("f")));
    const pairs = NAMES.flatMap((name) => [`${TITLES[name]} precision`, "recall"]);
    byId("curve-trade").append(this.trade.root, tableBehind("these curves as a table", ["threshold", ...pairs], () => this.rows("pair")));
    this.trade.ticks([0, 0.25, 0.5, 0.75, 1].map((at) => ({ at, label: String(at) })));
  }

  private masses(name: Name) {
    return this.state.families().masses(name, this.state.settings);
  }

  /** The thresholds of evenly spaced steps of the slider. */
  private samples(count: number): { at: number; threshold: number }[] {
    const { precision } = this.state.current;
    return Array.from({ length: count + 1 }, (_, i) => {
      const at = i / count;
      return { at, threshold: rounded(this.scale().threshold(at * STEPS), precision) };
    });
  }

  draw(): void {
    byId("curves").hidden = this.state.current.flags;
    byId("curves-none").hidden = !this.state.current.flags;
    if (this.state.current.flags) return;
    const samples = this.samples(SAMPLES);
    const at = (name: Name) => samples.map(({ threshold }) => this.masses(name).at(threshold));
    const all = NAMES.map((name) => ({ class: name, rates: at(name) }));
    this.scores.draw(all.map(({ class: kind, rates }) => ({ class: kind, points: rates.map(({ f }, i) => [samples[i].at, f]) })));
    this.trade.draw(all.map(({ class: kind, rates }) => ({ class: kind, points: rates.map(({ precision, recall }) => [recall, precision]) })));
    this.scores.ticks([0, 0.2, 0.4, 0.6, 0.8, 1].map((place) => ({ at: place, label: general(this.scale().threshold(place * STEPS), 3) })));
    this.chance();
    this.move();
  }

  private chance(): void {
    const band = this.values.band("f1_ba");
    const place = (i: number) => this.scale().step(band!.thresholds[i]) / STEPS;
    const line = (heights: number[]): [number, number][] => heights.map((height, i) => [place(i), height]);
    this.scores.band(band ? line(band.low) : [], band ? line(band.high) : []);
    this.scores.level(this.masses("f1_ba").at(-Infinity).f);
    const other = this.state.current.bands.f1_ba ? " The band of shifted alarms was computed for other settings, and is not shown." : "";
    const shaded = `Shaded: what BA gives the same alarms at other places in time (${this.state.data.shifts} circular shifts, 5 % to 95 %).`;
    byId("band-note").textContent = `${band ? shaded : ""} Dashed: BA of an always-on alarm.${band ? "" : other}`;
  }

  /** What moves with the threshold. */
  move(): void {
    if (this.state.current.flags) return;
    const at = this.state.threshold();
    const step = this.scale().step(at) / STEPS;
    const rates = NAMES.map((name) => ({ class: name, rates: this.masses(name).at(at) }));
    this.scores.mark(rates.map((one) => ({ class: one.class, at: [step, one.rates.f] })), step);
    this.trade.mark(rates.map((one) => ({ class: one.class, at: [one.rates.recall, one.rates.precision] })));
  }

  private rows(what: "f" | "pair"): string[][] {
    return this.samples(ROWS).map(({ threshold }) => {
      const cells = NAMES.flatMap((name) => {
        const { f, precision, recall } = this.masses(name).at(threshold);
        return what === "f" ? [metric(f)] : [metric(precision), metric(recall)];
      });
      return [general(threshold), ...cells];
    });
  }
}
