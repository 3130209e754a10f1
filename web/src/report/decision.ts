// What to do, in one card: keep, retune, lower the threshold, or nothing, for no threshold helps what is not better than chance.

import { el } from "../dom";
import { count, general, many } from "../numbers";
import type { Detector } from "./data";
import type { Look } from "./look";
import type { Metric } from "./metric";
import { copyButton } from "./saving";
import { shownThreshold } from "./scale";
import type { State } from "./state";

const WORTH = 0.01; // what another threshold must bring

export function decision(state: State, look: Look): (string | Node)[] {
  const one = state.data.detectors[look.detector];
  const { metric } = look;
  if (!look.missed.length || one.flags) return [];
  const best = metric.at(metric.best);
  const better = metric.lower ? best < look.value - WORTH : !(best <= look.value + WORTH);
  if (look.flagged && one.verdict.tested && !one.verdict.better) return [el("b", {}, "Not better than chance: "), "no threshold to recommend. Collect more events or try another detector."];
  if (!better) return [el("b", {}, "Keep this threshold: "), `no other threshold scores better here. ${nearestMiss(state, look, one)}`];
  const lead = look.flagged ? "Retune: " : "Lower the threshold: ";
  const said = el("p", {}, el("b", {}, lead), `in hindsight, with the labels in hand, a threshold of ${one.levels.texts[metric.best]} would have been best. ${look.flagged ? nearestMiss(state, look, one) : ""} To pick a threshold for new data: `, el("code", {}, one.command), " ", copyButton(one.command));
  return [said, table(one, look, metric, shownThreshold(one, state.asked(look.detector), look.place))];
}

function table(one: Detector, look: Look, metric: Metric, now: string): HTMLTableElement {
  const row = (name: string, place: number, threshold: string) => el("tr", {}, el("th", { scope: "row" }, name), ...[threshold, `${count(one.levels.of("found", place))} of ${count(look.missed.length)}`, count(one.levels.of("wrong", place)), metric.short(metric.at(place))].map((text) => el("td", {}, text)));
  const head = [el("td"), ...["threshold", "found", "false alarms", metric.title].map((text) => el("th", { scope: "col" }, text))];
  return el("table", { class: "before-after" }, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, row("now", look.place, now), row("best in hindsight", metric.best, one.levels.texts[metric.best])));
}

/** The missed event with the highest score, and what catching it would cost. */
function nearestMiss(state: State, look: Look, one: Detector): string {
  let nearest = -1;
  look.missed.forEach((missed, e) => {
    if (missed && (nearest < 0 || one.peaks[e] > one.peaks[nearest])) nearest = e;
  });
  if (nearest < 0) return look.wrong ? `Nothing is missed; only the ${many(look.wrong, "false alarm")} ${look.wrong === 1 ? "remains" : "remain"}.` : "";
  const more = one.levels.of("wrong", one.levels.below(one.peaks[nearest])) - look.wrong;
  const when = state.data.series.length > 1 ? `event ${nearest + 1}` : state.axis.when(state.data.truth.starts[nearest]);
  return `The nearest miss, ${when}, peaks at ${general(one.peaks[nearest], 4)}: catching it would add ${more > 0 ? many(more, "false alarm") : "no false alarm"}.`;
}
