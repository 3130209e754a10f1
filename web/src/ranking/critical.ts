// The critical-difference diagram: mean ranks on a line, joined where they are tied.

import { byId, svg } from "../dom";
import { count, fixed, general } from "../numbers";
import type { Ranking } from "./data";

const WIDTH = 860;
const SIDE = 230; // room for names on either side
const ROW = 22;

/** Past so many detectors the diagram is crowded, and the map of pairs says the same. */
const MOST = 15;

export function showCritical(data: Ranking, chosen: number): void {
  const lines = data.boards[chosen].filter((line) => !Number.isNaN(line.mean_rank)).sort((a, b) => a.mean_rank - b.mean_rank);
  const { difference, series, p } = data.critical[chosen];
  const box = byId("cd");
  byId("cd-section").hidden = lines.length > MOST;
  if (lines.length > MOST) return;
  if (lines.length < 2) {
    box.replaceChildren();
    byId("cd-note").textContent = "Mean ranks need at least two detectors that share a series.";
    return;
  }
  const ranks = lines.map((line) => line.mean_rank);
  const names = lines.map((line) => data.detectors[line.detector]);
  box.replaceChildren(diagram(names, ranks, difference));
  const told = Number.isNaN(difference) ? "" : ` Ranks closer than ${fixed(difference, 2)} (Nemenyi, 0.05) are joined by a bar: statistically tied.`;
  const friedman = Number.isNaN(p) ? "" : ` Friedman's test that all are alike: p = ${general(p, 3)}.`;
  byId("cd-note").textContent = `Mean rank over the ${count(series)} series on which every detector has a value; 1 is best.${told}${friedman}`;
}

function diagram(names: string[], ranks: number[], difference: number): SVGSVGElement {
  const k = ranks.length;
  const [low, high] = [Math.floor(ranks[0]), Math.ceil(ranks[k - 1])];
  const x = (rank: number) => SIDE + ((rank - low) / (high - low || 1)) * (WIDTH - 2 * SIDE);
  const groups = joined(ranks, difference);
  const top = 44;
  const first = top + 14 + 9 * groups.length + 12;
  const half = Math.ceil(k / 2);
  const height = first + half * ROW + 8;
  const title = `critical-difference diagram, best first: ${names.map((name, i) => `${name} ${fixed(ranks[i], 2)}`).join(", ")}`;
  const root = svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": title, class: "cd" });
  root.append(svg("line", { x1: x(low), x2: x(high), y1: top, y2: top, class: "axis" }));
  const every = Math.ceil((high - low) / 12) || 1;
  for (let rank = low; rank <= high; rank += every) {
    root.append(svg("line", { x1: x(rank), x2: x(rank), y1: top - 6, y2: top, class: "axis" }), svg("text", { x: x(rank), y: top - 10, "text-anchor": "middle" }, String(rank)));
  }
  groups.forEach(([from, to], g) => {
    const y = top + 12 + 9 * g;
    root.append(svg("line", { x1: x(ranks[from]) - 4, x2: x(ranks[to]) + 4, y1: y, y2: y, class: "bar" }));
  });
  names.forEach((name, i) => {
    const left = i < half;
    const y = first + (left ? i : k - 1 - i) * ROW;
    const edge = left ? SIDE - 10 : WIDTH - SIDE + 10;
    const anchor = left ? "end" : "start";
    const label = name.length > 26 ? `${name.slice(0, 25)}…` : name;
    root.append(
      svg("path", { d: `M${x(ranks[i])} ${top}V${y}H${edge}`, class: "lead" }),
      svg("text", { x: left ? edge - 4 : edge + 4, y: y + 4, "text-anchor": anchor, class: "who" }, left ? `${label}  ${fixed(ranks[i], 2)}` : `${fixed(ranks[i], 2)}  ${label}`),
    );
  });
  return root;
}

/** The longest runs of ranks no farther apart than the critical difference. */
function joined(ranks: number[], difference: number): [number, number][] {
  const runs: [number, number][] = [];
  for (let from = 0; from < ranks.length; from++) {
    let to = from;
    while (to + 1 < ranks.length && ranks[to + 1] - ranks[from] <= difference) to++;
    if (to > from && (runs.at(-1)?.[1] ?? -1) < to) runs.push([from, to]);
  }
  return runs;
}
