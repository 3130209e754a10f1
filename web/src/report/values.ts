// The four F1 scores at the threshold, beside chance, beside an always-on alarm, beside the best one.

import { byId, el, nameOf, number, say, set, whenQuiet } from "../dom";
import { fixed, general, metric } from "../numbers";
import { type Name, NAMES, settingsKey, TITLES } from "../sweep/families";
import type { Band } from "./data";
import type { State } from "./state";

const MEANING: Record<Name, string> = {
  f1: "every point by itself",
  f1_pa: "one hit earns the whole event",
  f1_kpa: "a hit share of K earns the whole event",
  f1_ba: "a hit earns its event, a false alarm is charged with its neighbourhood",
};
const COLUMNS = {
  f: "F1",
  precision: "precision",
  recall: "recall",
  chance: "by chance",
  always: "always-on alarm",
  best: "best",
};
type Column = keyof typeof COLUMNS;

export class Values {
  private readonly cells = new Map<string, HTMLDataElement>();
  private readonly jumps = new Map<Name, HTMLButtonElement>();
  /** The choices for which the other detectors' values were written. */
  private shown = "";
  private readonly announce = whenQuiet(() => this.speak(), 500);

  constructor(private readonly state: State) {
    byId("values").append(...NAMES.map((name) => this.row(name)));
    if (state.data.detectors.length > 1) this.detectors();
  }

  private row(name: Name): HTMLTableRowElement {
    const head = el("th", { scope: "row" }, el("span", { class: `key ${name}` }), TITLES[name]);
    head.append(el("small", {}, MEANING[name]));
    const cells = Object.entries(COLUMNS).map(([column, label]) => {
      const cell = number(NaN, "");
      this.cells.set(`${name} ${column}`, cell);
      const td = el("td", { class: column, "data-label": label }, cell);
      if (column === "best") td.append(" ", this.jump(name));
      return td;
    });
    return el("tr", { "data-metric": name }, head, ...cells);
  }

  private jump(name: Name): HTMLButtonElement {
    const button = el("button", { type: "button", class: "quiet" }, "");
    button.addEventListener("click", () => this.state.move(this.masses(name).best().threshold));
    this.jumps.set(name, button);
    return button;
  }

  private masses(name: Name) {
    return this.state.families().masses(name, this.state.settings);
  }

  /** What changes with the threshold: called on every frame of a moving slider. */
  show(): void {
    const at = this.state.threshold();
    for (const name of NAMES) {
      const { f, precision, recall } = this.masses(name).at(at);
      this.write(name, "f", f, metric(f));
      this.write(name, "precision", precision, metric(precision));
      this.write(name, "recall", recall, metric(recall));
      this.chance(name, at);
    }
    this.showDetectors();
    this.announce();
  }

  /** What changes with the settings only. */
  showSettings(): void {
    for (const name of NAMES) {
      const best = this.masses(name).best();
      const always = this.masses(name).at(-Infinity).f;
      this.write(name, "always", always, metric(always));
      this.write(name, "best", best.value, metric(best.value));
      const button = this.jumps.get(name)!;
      say(button, `at ${general(best.threshold)}`);
      button.hidden = this.state.current.flags;
      set(button, { title: `move to the best threshold of ${TITLES[name]}`, "data-at": best.threshold });
    }
    this.show();
  }

  private chance(name: Name, at: number): void {
    const band = this.band(name);
    const place = band ? Math.max(0, band.thresholds.findIndex((level) => level <= at)) : -1;
    if (!band || place < 0) return this.write(name, "chance", NaN, "");
    const [low, high] = [fixed(band.low[place], 2), fixed(band.high[place], 2)];
    const mean = band.mean[place];
    this.write(name, "chance", mean, Number.isNaN(mean) ? "" : `${fixed(mean, 2)} (${low} to ${high})`);
  }

  /** The chance band, as long as the settings are those that Python computed it with. */
  band(name: Name): Band | undefined {
    const { data, settings, current, everySeries } = this.state;
    const same = settingsKey(name, settings) === settingsKey(name, data.settings);
    return same && (everySeries || data.series.length < 2) ? current.bands[name] : undefined;
  }

  private write(name: Name, column: Column, value: number, text: string): void {
    const cell = this.cells.get(`${name} ${column}`)!;
    cell.value = String(value);
    say(cell, text);
  }

  private detectors(): void {
    const { state } = this;
    const body = byId("detectors");
    state.data.detectors.forEach((one, place) => {
      const choice = el("input", { type: "radio", name: "detector", id: `detector-${place}`, value: place });
      choice.checked = place === state.detector;
      choice.addEventListener("change", () => state.choose(place));
      const head = el("th", { scope: "row" }, choice, el("label", { for: choice.id }, nameOf(one.name)));
      const cells = ["at", ...NAMES].map((column) => {
        const cell = number(NaN, "");
        this.cells.set(`${place} ${column}`, cell);
        return el("td", { "data-label": column === "at" ? "flagged above" : TITLES[column as Name] }, cell);
      });
      body.append(el("tr", {}, head, ...cells));
    });
  }

  private showDetectors(): void {
    const { state } = this;
    if (state.data.detectors.length < 2) return;
    state.data.detectors.forEach((_, place) => {
      if (place !== state.detector && this.shown === this.key()) return; // only one threshold moves
      const at = state.threshold(place);
      say(this.cells.get(`${place} at`)!, state.data.detectors[place].flags ? "0/1 flags" : general(state.asked(place)));
      for (const name of NAMES) {
        const { f } = state.families(place).masses(name, state.settings).at(at);
        const cell = this.cells.get(`${place} ${name}`)!;
        cell.value = String(f);
        say(cell, metric(f));
      }
    });
    this.shown = this.key();
  }

  private key(): string {
    const { settings, everySeries, series } = this.state;
    return JSON.stringify([settings, everySeries, series]);
  }

  private speak(): void {
    const at = general(this.state.asked());
    const words = NAMES.map((name) => `${TITLES[name]} ${metric(this.masses(name).at(this.state.threshold()).f)}`);
    say(byId("spoken"), `Threshold ${at}: ${words.join(", ")}.`);
  }
}
