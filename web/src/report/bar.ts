// The bar that stays in view: the detector, and its threshold by slider, by number, or by name.

import { byId, eachFrame, el, set } from "../dom";
import { count, fine } from "../numbers";
import { colour, onTheme } from "../theme";
import { along, MARKS, markAt, placeAt, points, shownThreshold, STEPS, stepped } from "./scale";
import type { State } from "./state";

const HEIGHT = 34;
const EDGE = 6; // half of the thumb

export class Bar {
  private readonly slider = byId<HTMLInputElement>("threshold");
  private readonly typed = byId<HTMLInputElement>("typed");
  private readonly choice = byId<HTMLSelectElement>("detector");
  private readonly track = byId<HTMLCanvasElement>("track");
  private drawn = "";

  constructor(private readonly state: State) {
    const slide = eachFrame(() => state.moveTo(placeAt(state.current, Number(this.slider.value) / STEPS), "moving"));
    this.slider.addEventListener("input", slide);
    this.slider.addEventListener("change", () => state.moveTo(placeAt(state.current, Number(this.slider.value) / STEPS)));
    this.slider.addEventListener("keydown", (key) => this.step(key));
    this.typed.addEventListener("change", () => this.read());
    this.choice.append(...state.data.detectors.map(({ name }, place) => el("option", { value: place, dir: "auto" }, name)));
    this.choice.addEventListener("change", () => state.choose(Number(this.choice.value)));
    byId("as-given").addEventListener("click", () => state.move(state.current.given));
    byId("in-hindsight").addEventListener("click", () => state.moveTo(state.current.metrics[0].best));
    const again = eachFrame(() => this.show());
    new ResizeObserver(again).observe(this.track.parentElement!);
    onTheme(again);
  }

  /** Follow the state. */
  show(): void {
    const { state } = this;
    const { current, data } = state;
    byId("bar").hidden = current.flags && data.detectors.length < 2;
    byId("choice").hidden = data.detectors.length < 2;
    for (const part of byId("bar").querySelectorAll<HTMLElement>(".of-scores")) part.hidden = current.flags; // a decision has no threshold to move
    this.choice.value = String(state.detector);
    if (current.flags) return;
    byId("in-hindsight").hidden = !data.truth.starts.length;
    const [flagged, all] = [current.levels.of("flagged", state.place()), points(current)];
    const words = `${count(flagged)} of ${count(all)} points flagged (${fine(flagged / all)})`;
    const text = shownThreshold(current, state.asked(), state.place());
    this.slider.value = String(Math.round(STEPS * along(current, state.place())));
    set(this.slider, { "aria-valuetext": `${text}, ${words}` });
    if (document.activeElement !== this.typed) this.typed.value = text;
    byId("flagged").textContent = words;
    byId<HTMLButtonElement>("as-given").disabled = !state.moved();
    this.draw();
  }

  private step(key: KeyboardEvent): void {
    const { current } = this.state;
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[key.key];
    const end = { Home: current.levels.last, End: 0 }[key.key];
    if (by === undefined && end === undefined) return;
    key.preventDefault();
    this.state.moveTo(end ?? stepped(current, this.state.place(), by!));
  }

  private read(): void {
    const text = this.typed.value.trim().toLowerCase().replace(",", ".").replace(/^([+-]?)inf(inity)?$/, "$1Infinity");
    const value = text === "" ? NaN : Number(text);
    const wrong = Number.isNaN(value);
    set(this.typed, { "aria-invalid": wrong ? "true" : undefined });
    byId("typed-problem").textContent = wrong ? `threshold must be a number, got ${JSON.stringify(this.typed.value)}` : "";
    if (wrong) return;
    this.state.move(value);
    this.typed.value = shownThreshold(this.state.current, this.state.asked(), this.state.place()); // a chosen level may be another
  }

  /** The main metric at every place of the slider, and where the given threshold stands. */
  private draw(): void {
    const { state, track } = this;
    const width = track.parentElement!.clientWidth;
    const key = JSON.stringify([state.detector, width, devicePixelRatio, colour("paper")]);
    if (!width || key === this.drawn) return;
    this.drawn = key;
    const ratio = Math.max(1, devicePixelRatio);
    [track.width, track.height] = [Math.round(width * ratio), HEIGHT * ratio];
    const pen = track.getContext("2d")!;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const x = (share: number) => EDGE + share * (width - 2 * EDGE);
    pen.fillStyle = colour("panel");
    pen.fillRect(0, 0, width, HEIGHT);
    const [main] = state.current.metrics;
    pen.fillStyle = colour("luck");
    for (let px = 0; px < width - 2 * EDGE && main.isShare; px++) {
      const value = main.at(placeAt(state.current, px / (width - 2 * EDGE)));
      if (value > 0) pen.fillRect(EDGE + px, HEIGHT - value * (HEIGHT - 13), 1, value * (HEIGHT - 13));
    }
    pen.font = "10.5px system-ui, sans-serif";
    pen.textBaseline = "top";
    pen.fillStyle = colour("ink-soft");
    let free = 0;
    for (const [part, mark] of MARKS) {
      const label = mark.endsWith("%") ? `${mark} of points` : mark;
      const at = x(markAt(state.current, part));
      const room = pen.measureText(label).width;
      if (part * points(state.current) < 1 || at < free || at + room > width - 80) continue;
      pen.fillRect(at, 0, 1, 5);
      pen.fillText(label, at + 3, 1);
      free = at + room + 10;
    }
    pen.textAlign = "right";
    if (width > 190) pen.fillText("none", x(1), 1);
    pen.fillStyle = colour("ink");
    pen.fillRect(x(along(state.current, state.current.givenPlace)) - 0.75, HEIGHT - 8, 1.5, 8);
    set(track, { title: `${main.title} at every threshold; the best is ${main.short(main.at(main.best))}` });
  }
}
