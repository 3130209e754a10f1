// Which of many series is on show: a search over their names and a list of what it finds.

import { byId, el } from "../dom";
import { count, many } from "../numbers";
import type { State } from "./state";

const MOST = 200; // names in the list at once; the search narrows

export class SeriesChoice {
  private readonly search = byId<HTMLInputElement>("series-search");
  private readonly list = byId<HTMLSelectElement>("series-list");

  constructor(private readonly state: State) {
    this.search.addEventListener("input", () => this.fill());
    this.search.addEventListener("keydown", (key) => {
      if (key.key === "ArrowDown") this.list.focus();
      if (key.key === "Enter" && this.list.options.length) this.open(this.list.options[0].value);
    });
    this.list.addEventListener("change", () => this.open(this.list.value));
    this.fill();
  }

  private open(value: string): void {
    this.state.openSeries(Number(value));
  }

  /** Show which series is open, after a receipt row opened another. */
  show(): void {
    this.list.value = String(this.state.series);
    byId("series-open").replaceChildren(el("bdi", {}, this.state.data.series[this.state.series]));
  }

  private fill(): void {
    const { series, truth, wholes } = this.state.data;
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = [...series.keys()].filter((s) => words.every((word) => series[s].toLowerCase().includes(word)));
    const events = (s: number) => truth.starts.filter((start) => start >= wholes[s] && start < wholes[s + 1]).length;
    this.list.replaceChildren(
      ...found.slice(0, MOST).map((s) => {
        const points = wholes[s + 1] - wholes[s];
        return el("option", { value: s, dir: "auto" }, `${series[s]} (${many(points, "point")}, ${many(events(s), "event")})`);
      }),
    );
    const rest = found.length > MOST ? `; the first ${MOST} are listed, type to narrow` : "";
    byId("series-found").textContent = `${count(found.length)} of ${count(series.length)} series${rest}`;
    this.show();
  }
}
