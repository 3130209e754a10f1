// The four F1 scores at the threshold, beside chance, beside an always-on alarm, beside the best one.

import { byId, el, number, say, set, whenQuiet } from "../dom";
import { fixed, general, metric } from "../numbers";
import { type Name, NAMES, TITLES } from "../sweep/families";
import type { Looks } from "./look";
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
  private readonly announce = whenQuiet(() => this.speak(), 500);

  constructor(
    private readonly state: State,
    private readonly looks: Looks,
  ) {
    byId("values").append(...NAMES.map((name) => this.row(name)));
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
      this.chance(name);
    }
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

  /** What the alarms on screen score at other times; K%-PA is not moved here. */
  private chance(name: Name): void {
    const chance = this.state.hindsight() ? null : this.looks.of().chance; // in hindsight every place has its own threshold
    const [level, low, high] = chance && name !== "f1_kpa" ? [chance.level[name], chance.low[name], chance.high[name]] : [NaN, NaN, NaN];
    this.write(name, "chance", level, Number.isNaN(level) ? "" : `${fixed(level, 2)} (${fixed(low, 2)} to ${fixed(high, 2)})`);
  }

  private write(name: Name, column: Column, value: number, text: string): void {
    const cell = this.cells.get(`${name} ${column}`)!;
    cell.value = String(value);
    say(cell, text);
  }

  private speak(): void {
    const at = general(this.state.asked());
    const words = NAMES.map((name) => `${TITLES[name]} ${metric(this.masses(name).at(this.state.threshold()).f)}`);
    say(byId("spoken"), `Threshold ${at}: ${words.join(", ")}.`);
  }
}
