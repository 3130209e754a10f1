// Every metric at the threshold, beside chance, beside an always-on alarm, beside the best one.

import { byId, el, number, say, set, whenQuiet } from "../dom";
import { fixed, metric as shown } from "../numbers";
import type { Metric } from "./metric";
import { shownThreshold } from "./scale";
import type { State } from "./state";

const COLUMNS = { value: "value", precision: "precision", recall: "recall", chance: "by chance", always: "always-on alarm", best: "best" };

export class Values {
  private readonly announce = whenQuiet(() => this.speak(), 500);

  constructor(private readonly state: State) {}

  show(): void {
    byId("values").replaceChildren(...this.state.current.metrics.map((one) => this.row(one)));
    this.announce();
  }

  private row(one: Metric): HTMLTableRowElement {
    const { state } = this;
    const place = state.place();
    const chance = state.hindsight() ? null : one.chance(place); // in hindsight every place has its own threshold
    const here = chance?.place === place ? chance : null;
    const band = here && !Number.isNaN(here.low) ? ` (${fixed(here.low, 2)} to ${fixed(here.high, 2)})` : "";
    const cells: Record<keyof typeof COLUMNS, [number, string]> = {
      value: [one.at(place), shown(one.at(place))],
      precision: [one.precision(place), Number.isNaN(one.precision(place)) ? "" : shown(one.precision(place))],
      recall: [one.recall(place), Number.isNaN(one.recall(place)) ? "" : shown(one.recall(place))],
      chance: [here?.level ?? NaN, here ? `${one.short(here.level)}${band}` : ""],
      always: [one.always, shown(one.always)],
      best: [one.at(one.best), shown(one.at(one.best))],
    };
    const head = el("th", { scope: "row" }, el("span", { class: `key ${one.class}` }), one.title, el("small", {}, one.spec));
    const columns = (Object.entries(cells) as [keyof typeof COLUMNS, [number, string]][]).map(([column, [value, text]]) => {
      const cell = el("td", { class: column, "data-label": COLUMNS[column] }, number(value, text));
      if (column === "best") cell.append(" ", this.jump(one));
      return cell;
    });
    return el("tr", { "data-metric": one.spec }, head, ...columns);
  }

  private jump(one: Metric): HTMLButtonElement {
    const { current } = this.state;
    const button = el("button", { type: "button", class: "quiet" }, `at ${current.levels.texts[one.best]}`);
    set(button, { title: `move to the best threshold of ${one.title}`, "data-at": current.levels.at[one.best] });
    button.hidden = current.flags;
    button.addEventListener("click", () => this.state.moveTo(one.best));
    return button;
  }

  private speak(): void {
    const { state } = this;
    const words = state.current.metrics.map((one) => `${one.title} ${shown(one.at(state.place()))}`);
    say(byId("spoken"), `Threshold ${shownThreshold(state.current, state.asked(), state.place())}: ${words.join(", ")}.`);
  }
}
