// Means by data set: a row per detector, a column per data set, the best of each framed.

import { byId, el, nameOf } from "../dom";
import { count, fixed } from "../numbers";
import type { Ranking } from "./data";

export function showSets(data: Ranking, chosen: number, group: number): void {
  byId("sets-section").hidden = data.groups.length === 0;
  if (!data.groups.length) return;
  const sign = data.better[chosen] === "higher" ? 1 : -1;
  const means = data.groupBoards[chosen].map((lines) => new Map(lines.map((line) => [line.detector, line.mean])));
  const sizes = data.groups.map((_, g) => data.group_of.filter((own) => own === g).length);
  const order = [...data.groups.keys()].sort((a, b) => sizes[b] - sizes[a] || a - b);
  const every = means.flatMap((own) => [...own.values()]).filter((value) => !Number.isNaN(value));
  const [low, high] = every.every((value) => value >= 0 && value <= 1) ? [0, 1] : [Math.min(...every), Math.max(...every)];
  const best = means.map((own) => Math.max(...[...own.values()].map((value) => (Number.isNaN(value) ? -Infinity : sign * value))));
  const head = el("tr", {}, el("th", { scope: "col" }, "detector"), ...order.map((g) => el("th", { scope: "col", class: g === group ? "turned picked" : "turned" }, el("span", {}, nameOf(data.groups[g]), ` (${count(sizes[g])})`))));
  const rows = data.boards[chosen].map(({ detector }) =>
    el("tr", {}, el("th", { scope: "row" }, nameOf(data.detectors[detector])), ...order.map((g) => {
      const value = means[g].get(detector) ?? NaN;
      const share = (value - low) / (high - low || 1);
      const good = sign > 0 ? share : 1 - share;
      const td = el("td", { class: Number.isNaN(value) ? "none" : sign * value === best[g] ? "best" : "" }, Number.isNaN(value) ? "–" : fixed(value, 2));
      td.style.setProperty("--good", `${Math.round(100 * (good || 0))}%`);
      return td;
    })),
  );
  byId("sets").replaceChildren(el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows)));
}
