// The threshold: a slider, a typed value, and jumps to places worth seeing.

import { byId, eachFrame, el, nameOf, set } from "../dom";
import { count, exact, fine, general } from "../numbers";
import { quantile } from "../sweep/thresholds";
import { flagged } from "./data";
import { type Evenly, fitting, type Scale, scale } from "./scale";
import type { State } from "./state";

export class ThresholdPanel {
  private readonly slider = byId<HTMLInputElement>("threshold");
  private readonly typed = byId<HTMLInputElement>("typed");
  private readonly evenly = byId<HTMLSelectElement>("evenly");
  private readonly said = byId("flagged");
  private readonly scales = new Map<number, Scale>();

  constructor(private readonly state: State) {
    const slide = eachFrame(() => state.move(this.scale.threshold(Number(this.slider.value))));
    this.slider.addEventListener("input", slide);
    this.typed.addEventListener("change", () => this.read());
    this.evenly.addEventListener("change", () => {
      this.scales.set(state.detector, scale(state.current, this.evenly.value as Evenly));
      state.tell("detector");
    });
    this.jumps();
  }

  get scale(): Scale {
    const { detector, current } = this.state;
    const known = this.scales.get(detector) ?? scale(current, fitting(current));
    this.scales.set(detector, known);
    return known;
  }

  show(): void {
    const { state } = this;
    const at = state.asked();
    const points = flagged(state.current, state.threshold());
    const total = state.current.ascending.length;
    const own = state.current.flags && at === 0;
    const words = `${count(points)} of ${count(total)} points flagged (${fine(points / total)})`;
    this.slider.value = String(Math.round(this.scale.step(state.threshold())));
    if (document.activeElement !== this.typed) this.typed.value = exact(at);
    this.said.textContent = own ? `${words}: the detector's own 0/1 decision` : words;
    set(this.slider, { "aria-valuetext": `${general(at)}, ${words}` });
  }

  showDetector(): void {
    const { current, data } = this.state;
    const several = data.detectors.length > 1;
    byId("which").replaceChildren(...(several ? [" of ", nameOf(current.name)] : []));
    byId("lowest").textContent = "all flagged";
    byId("highest").textContent = "none flagged";
    this.evenly.value = this.scale.evenly;
    const fixed = current.flags; // a decision has no threshold to move
    this.slider.disabled = this.typed.disabled = this.evenly.disabled = fixed;
    for (const jump of byId("jumps").children) (jump as HTMLButtonElement).disabled = fixed;
    this.show();
  }

  private read(): void {
    const text = this.typed.value.trim().toLowerCase().replace(/^([+-]?)inf(inity)?$/, "$1Infinity");
    const value = text === "" ? NaN : Number(text);
    const wrong = Number.isNaN(value);
    set(this.typed, { "aria-invalid": wrong ? "true" : undefined });
    byId("typed-problem").textContent = wrong ? `threshold must be a number, got ${JSON.stringify(this.typed.value)}` : "";
    if (!wrong) this.state.move(value);
  }

  private jumps(): void {
    const { state } = this;
    const places: [string, string, () => number][] = [
      ["as given", "the threshold that the report was written with", () => state.current.given],
      ["best BA", "the threshold with the highest BA: chosen with the labels in hand", () => state.families().masses("f1_ba", state.settings).best().threshold],
      ["top 1 %", "quantile(0.99): at most one point in a hundred is flagged", () => quantile(state.current.ascending, 0.99)],
      ["top 0.1 %", "quantile(0.999): at most one point in a thousand is flagged", () => quantile(state.current.ascending, 0.999)],
    ];
    byId("jumps").append(
      ...places.map(([label, title, place]) => {
        const button = el("button", { type: "button", title }, label);
        button.addEventListener("click", () => state.move(place()));
        return button;
      }),
    );
  }
}
