// Why three scores: F1, what PA credits on top, what BA charges; each bar leads to its rows.

import { byId, el, set, svg } from "../dom";
import { two } from "./answer";

const WIDTH = 540;
const BASE = 190;
const TOP = 24;
const y = (value: number): number => BASE - value * (BASE - TOP);
type Counted = "f1" | "f1_pa" | "f1_ba";
const BARS: [Counted, string, string, string][] = [
  ["f1", "F1", "each point", "by itself"],
  ["f1_pa", "PA", "one hit earns", "the whole event"],
  ["f1_ba", "BA", "a false alarm costs", "about one event"],
];

export interface Fall {
  values: Record<Counted, number>;
  /** What chance scores; null: not known here. */
  chance: Record<Counted, number> | null;
}

export class Why {
  /** Told which bar was chosen: a score, the credit of PA, or the islands of BA. */
  constructor(private readonly open: (bar: Counted | "credit" | "islands") => void) {}

  show({ values, chance }: Fall): void {
    const shown = (name: Counted) => two(values[name]);
    const said = `Counted point by point: ${shown("f1")}. PA credits a whole event for one hit: ${shown("f1_pa")}. PA alone is optimistic, so BA also charges each false alarm with its neighbourhood: ${shown("f1_ba")}.${chance ? " Grey is what chance scores." : ""}`;
    byId("why-note").replaceChildren(said, el("span", { class: "no-print" }, " Choose a bar to see its rows."));
    const chart = svg("svg", { viewBox: `0 0 ${WIDTH} 246`, class: "fall", role: "group", "aria-label": "from F1 to PA to BA" });
    chart.append(svg("line", { x1: 0, x2: WIDTH, y1: BASE, y2: BASE, class: "base" }), svg("line", { x1: 0, x2: WIDTH, y1: TOP, y2: TOP, class: "top" }), svg("text", { x: WIDTH, y: TOP - 6, "text-anchor": "end" }, "1"));
    BARS.forEach(([name, title, ...lines], place) => chart.append(this.score(name, title, values[name], chance?.[name] ?? NaN, 2 * place), words(title, lines, values[name], 2 * place)));
    const steps: [Counted, Counted, "credit" | "islands"][] = [["f1", "f1_pa", "credit"], ["f1_pa", "f1_ba", "islands"]];
    steps.forEach(([from, to, kind], place) => chart.append(this.step(values[from], values[to], kind, 2 * place + 1)));
    byId("why").replaceChildren(chart);
  }

  private group(kind: Counted | "credit" | "islands", said: string): SVGGElement {
    const group = svg("g", { role: "button", tabindex: 0, class: kind, "aria-label": said });
    const act = () => this.open(kind);
    group.addEventListener("click", act);
    group.addEventListener("keydown", (key) => {
      if (key.key !== "Enter" && key.key !== " ") return;
      key.preventDefault();
      act();
    });
    return group;
  }

  private score(name: Counted, title: string, value: number, chance: number, place: number): SVGGElement {
    const [left, width] = bar(place);
    const group = this.group(name, `${title} ${two(value)}${Number.isNaN(chance) ? "" : `, chance ${two(chance)}`}; show its rows`);
    set(group, { "data-value": value });
    if (!Number.isNaN(value)) group.append(svg("rect", { x: left, width, y: y(value), height: BASE - y(value), class: "own" }));
    if (chance > 0) group.append(svg("rect", { x: left, width, y: y(chance), height: BASE - y(chance), class: "luck" }), svg("line", { x1: left, x2: left + width, y1: y(chance), y2: y(chance), class: "level" }));
    return group;
  }

  private step(from: number, to: number, kind: "credit" | "islands", place: number): SVGGElement {
    const [left, width] = bar(place);
    const said = kind === "credit" ? "credited for event points that were not flagged" : "charged around false alarms";
    const by = `${to >= from ? "+" : "−"}${two(Math.abs(to - from))}`;
    const group = this.group(kind, `${by}, ${said}; show its rows`);
    if (Number.isNaN(from) || Number.isNaN(to)) return group;
    const [top, height] = [y(Math.max(from, to)), Math.max(1.5, Math.abs(y(from) - y(to)))];
    group.append(
      svg("rect", { x: left, width, y: top, height, class: "step" }),
      svg("text", { x: left + width / 2, y: top - 6, "text-anchor": "middle" }, by),
      svg("line", { x1: bar(place - 1)[0] + width, x2: left, y1: y(from), y2: y(from), class: "lead" }),
      svg("line", { x1: left + width, x2: bar(place + 1)[0], y1: y(to), y2: y(to), class: "lead" }),
    );
    return group;
  }
}

/** What stands above and below a bar: beside it, not in it, so that a button has one name. */
function words(title: string, lines: string[], value: number, place: number): SVGGElement {
  const [left, width] = bar(place);
  const at = (row: number, text: string, kind: string) => svg("text", { x: left + width / 2, y: row, "text-anchor": "middle", class: kind }, text);
  const group = svg("g", { class: "words" });
  if (!Number.isNaN(value)) group.append(at(y(value) - 6, two(value), "value"));
  group.append(at(BASE + 17, title, "value"), ...lines.map((line, row) => at(BASE + 34 + 14 * row, line, "")));
  return group;
}

const bar = (place: number): [number, number] => [WIDTH * (0.04 + 0.197 * place), WIDTH * 0.13]; // room for the words of the last one
