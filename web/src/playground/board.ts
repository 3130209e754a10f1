// The board: events and alarms that are dragged, scores that are drawn, and four rows of what is counted.

import { byId, set, svg } from "../dom";
import { metric } from "../numbers";
import { type Name, TITLES } from "./arithmetic/families";
import { levelOf, outcomes, scoresOf, truthOf } from "./counted";
import { type Interval, type Scene, tidy } from "./state";

const ROW = 26;
const SCORES = 120;
type Kind = "events" | "alarms";

export class Board {
  private drag: { kind: Kind; index: number; edge: "start" | "stop" | "both"; from: number; was: Interval } | null = null;
  private drawn: number | null = null;
  private cursor = 0;

  constructor(
    private readonly scene: () => Scene,
    private readonly changed: () => void,
  ) {
    for (const kind of ["events", "alarms"] as const) this.listen(kind);
    this.listenScores();
  }

  show(): void {
    const scene = this.scene();
    this.intervals("events");
    this.intervals("alarms");
    byId("row-alarms").parentElement!.hidden = scene.scores !== null;
    byId("row-scores").parentElement!.hidden = scene.scores === null;
    if (scene.scores) this.scores();
    for (const one of outcomes(scene)) this.outcome(one.name, one.counted, one.rates, one.chance);
  }

  private canvas(id: string, height: number): SVGSVGElement {
    const root = byId(id) as unknown as SVGSVGElement;
    set(root, { viewBox: `0 0 ${this.scene().n} ${height}`, preserveAspectRatio: "none" });
    return root;
  }

  private intervals(kind: Kind): void {
    const root = this.canvas(`row-${kind}`, ROW);
    const word = kind === "events" ? "event" : "alarm";
    const focused = Number((document.activeElement as HTMLElement | null)?.dataset.index ?? -1);
    const own = root.contains(document.activeElement);
    root.replaceChildren(
      ...this.scene()[kind].map(([start, stop], index) =>
        svg("rect", {
          x: start, width: stop - start, y: 0, height: ROW, class: word, tabindex: "0", role: "button", "data-index": index,
          "aria-label": `${word} from ${start} to ${stop}: arrow keys move it, with shift they move its end, delete removes it`,
        }),
      ),
    );
    if (own) root.querySelector<SVGElement>(`[data-index="${focused}"]`)?.focus();
  }

  private outcome(name: Name, counted: boolean[], rates: { f: number; precision: number; recall: number }, chance: number): void {
    const root = this.canvas(`row-${name}`, ROW);
    const { label } = truthOf(this.scene());
    const scores = scoresOf(this.scene());
    const level = levelOf(this.scene());
    const kind = (i: number) => (label[i] ? (counted[i] ? "right" : "missed") : !counted[i] ? "" : scores[i] > level ? "wrong" : "island");
    const rects: SVGRectElement[] = [];
    for (let i = 0; i < this.scene().n; i++) {
      const start = i;
      const own = kind(i);
      while (i + 1 < this.scene().n && kind(i + 1) === own) i++;
      if (own) rects.push(svg("rect", { x: start, width: i + 1 - start, y: own === "island" ? 6 : 0, height: own === "island" ? ROW - 12 : ROW, class: own }));
    }
    root.replaceChildren(...rects);
    const values = [rates.f, chance, rates.precision, rates.recall];
    byId(`values-${name}`).querySelectorAll("data").forEach((cell, place) => {
      cell.value = String(values[place]);
      cell.textContent = place === 1 && Number.isNaN(chance) ? "–" : metric(values[place]);
    });
    set(root, { "aria-label": `${TITLES[name]} is ${metric(rates.f)}: ${rects.length} stretches counted` });
  }

  private scores(): void {
    const { scores, n, threshold } = this.scene();
    const root = this.canvas("row-scores", SCORES);
    const bars = (scores ?? []).map((score, i) => svg("rect", { x: i + 0.1, width: 0.8, y: SCORES * (1 - score), height: SCORES * score, class: score > threshold ? "above" : "below" }));
    const level = SCORES * (1 - threshold);
    root.replaceChildren(...bars, svg("line", { x1: 0, x2: n, y1: level, y2: level, class: "level" }), svg("rect", { x: this.cursor, width: 1, y: 0, height: SCORES, class: "cursor" }));
  }

  private point(root: Element, mouse: PointerEvent): number {
    const box = root.getBoundingClientRect();
    return Math.max(0, Math.min(this.scene().n - 1, Math.floor(((mouse.clientX - box.left) / box.width) * this.scene().n)));
  }

  private listen(kind: Kind): void {
    const root = byId(`row-${kind}`);
    root.addEventListener("pointerdown", (mouse) => this.grab(kind, root, mouse));
    root.addEventListener("pointermove", (mouse) => this.pull(kind, root, mouse));
    root.addEventListener("pointerup", () => this.drop(kind));
    root.addEventListener("pointercancel", () => this.drop(kind));
    root.addEventListener("keydown", (key) => this.key(kind, key));
    byId(`add-${kind}`).addEventListener("click", () => {
      this.place(kind, [...this.scene()[kind], this.gap(kind)]);
    });
  }

  private grab(kind: Kind, root: HTMLElement, mouse: PointerEvent): void {
    const at = this.point(root, mouse);
    const list = this.scene()[kind];
    let index = list.findIndex(([start, stop]) => at >= start && at < stop);
    let edge: "start" | "stop" | "both" = "both";
    if (index < 0) {
      index = list.push([at, at + 1]) - 1;
      edge = "stop";
    } else {
      const [start, stop] = list[index];
      const reach = Math.min(2, (stop - start) / 4);
      edge = at - start < reach ? "start" : stop - 1 - at < reach ? "stop" : "both";
    }
    this.drag = { kind, index, edge, from: at, was: [...list[index]] };
    root.setPointerCapture(mouse.pointerId);
    this.changed();
  }

  private pull(kind: Kind, root: HTMLElement, mouse: PointerEvent): void {
    if (this.drag?.kind !== kind) return;
    const { index, edge, from, was } = this.drag;
    const by = this.point(root, mouse) - from;
    const [start, stop] = was;
    const n = this.scene().n;
    const shift = Math.max(-start, Math.min(by, n - stop));
    const moved: Interval =
      edge === "both" ? [start + shift, stop + shift]
      : edge === "start" ? [Math.max(0, Math.min(start + by, stop - 1)), stop]
      : [start, Math.min(n, Math.max(stop + by, start + 1))];
    this.scene()[kind][index] = moved;
    this.changed();
  }

  private drop(kind: Kind): void {
    if (!this.drag) return;
    this.drag = null;
    this.place(kind, this.scene()[kind]);
  }

  private key(kind: Kind, key: KeyboardEvent): void {
    const index = Number((key.target as HTMLElement).dataset.index ?? -1);
    const interval = this.scene()[kind][index];
    const step = key.key === "ArrowRight" ? 1 : key.key === "ArrowLeft" ? -1 : 0;
    if (!interval) return;
    const [start, stop] = interval;
    if (key.key === "Delete" || key.key === "Backspace") {
      key.preventDefault();
      this.place(kind, this.scene()[kind].filter((_, place) => place !== index));
    } else if (step) {
      key.preventDefault();
      const moved: Interval = key.shiftKey ? [start, Math.max(start + 1, stop + step)] : [start + step, stop + step];
      if (moved[0] < 0 || moved[1] > this.scene().n) return;
      this.place(kind, this.scene()[kind].map((one, place) => (place === index ? moved : one)));
    }
  }

  private place(kind: Kind, intervals: Interval[]): void {
    this.scene()[kind] = tidy(intervals, this.scene().n);
    this.changed();
  }

  /** Where a new interval fits: the middle of the longest gap. */
  private gap(kind: Kind): Interval {
    const { n } = this.scene();
    const edges = [[0, 0], ...this.scene()[kind], [n, n]];
    const gaps = edges.slice(1).map(([start], i) => [edges[i][1], start] as Interval);
    const [from, to] = gaps.reduce((a, b) => (b[1] - b[0] > a[1] - a[0] ? b : a));
    const middle = Math.floor((from + to) / 2);
    const half = Math.max(1, Math.floor(Math.min(to - from, n / 10) / 2));
    return [middle - half + 1, middle + 1];
  }

  private listenScores(): void {
    const root = byId("row-scores");
    const draw = (mouse: PointerEvent) => {
      const { scores } = this.scene();
      if (!scores) return;
      const at = this.point(root, mouse);
      const box = root.getBoundingClientRect();
      const height = level(1 - (mouse.clientY - box.top) / box.height);
      const [from, to] = [Math.min(this.drawn ?? at, at), Math.max(this.drawn ?? at, at)];
      for (let i = from; i <= to; i++) scores[i] = height;
      this.drawn = this.cursor = at;
      this.changed();
    };
    root.addEventListener("pointerdown", (mouse) => {
      root.setPointerCapture(mouse.pointerId);
      this.drawn = null;
      draw(mouse);
    });
    root.addEventListener("pointermove", (mouse) => this.drawn !== null && mouse.buttons && draw(mouse));
    root.addEventListener("pointerup", () => (this.drawn = null));
    root.addEventListener("keydown", (key) => this.keyScores(key));
  }

  private keyScores(key: KeyboardEvent): void {
    const { scores, n } = this.scene();
    const across = { ArrowLeft: -1, ArrowRight: 1 }[key.key] ?? 0;
    const up = { ArrowUp: 1, ArrowDown: -1 }[key.key] ?? 0;
    if (!scores || (!across && !up)) return;
    key.preventDefault();
    this.cursor = Math.max(0, Math.min(n - 1, this.cursor + across));
    scores[this.cursor] = level(scores[this.cursor] + up / 35);
    byId("score-cursor").textContent = `point ${this.cursor}: score ${scores[this.cursor].toFixed(2)}`;
    this.changed();
  }
}

/** The nearest of 36 levels: what a link can hold. */
const level = (value: number): number => Math.round(Math.max(0, Math.min(1, value)) * 35) / 35;

