// Which metrics agree, and which pairs of detectors swap places.

import { byId, el, nameOf, number } from "../dom";
import { count, fixed, many } from "../numbers";
import type { Ranking } from "./data";

const PAGE = 25;

export function showAgreement(data: Ranking): void {
  const head = el("tr", {}, el("th", { scope: "col" }, "metric"), ...data.metrics.map((name) => el("th", { scope: "col", class: "turned" }, el("span", {}, el("code", {}, name)))));
  const rows = data.metrics.map((name, i) =>
    el("tr", {}, el("th", { scope: "row" }, el("code", {}, name)), ...data.agreement[i].map((tau) => {
      const td = el("td", { class: Number.isNaN(tau) ? "none" : tau < 0 ? "against" : "" }, number(tau, Number.isNaN(tau) ? "–" : fixed(tau, 2)));
      td.style.setProperty("--good", `${Math.round(Math.max(0, tau || 0) * 100)}%`);
      return td;
    })),
  );
  byId("agree").replaceChildren(el("thead", {}, head), el("tbody", {}, ...rows));
}

export function showFlips(data: Ranking): void {
  let shown = PAGE;
  const pairs = (data.detectors.length * (data.detectors.length - 1)) / 2;
  byId("flips").closest("table")!.hidden = data.flips.length === 0;
  byId("flips-said").textContent = data.flips.length
    ? `Of ${many(pairs, "pair")} of detectors ${count(data.flips.length)} swap places between metrics (by the mean over the series that all share).`
    : "Every metric gives every pair of detectors the same order.";
  const specs = (list: number[]) => el("td", {}, ...list.flatMap((m, i) => [i ? ", " : "", el("code", {}, data.metrics[m])]));
  const draw = () => {
    byId("flips").replaceChildren(
      ...data.flips.slice(0, shown).map((flip) => el("tr", {}, el("th", { scope: "row" }, nameOf(data.detectors[flip.one]), " and ", nameOf(data.detectors[flip.other])), specs(flip.for_one), specs(flip.for_other))),
    );
    const hidden = data.flips.length - shown;
    byId("flips-more").hidden = hidden <= 0;
    byId("flips-more").textContent = `show ${Math.min(PAGE, hidden)} more of ${count(hidden)}`;
  };
  byId("flips-more").addEventListener("click", () => {
    shown += PAGE;
    draw();
  });
  draw();
}
