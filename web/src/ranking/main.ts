// The ranking: a metric and a data set are chosen, and everything on the page follows.

import { byId, el, say } from "../dom";
import { count, metric as shown } from "../numbers";
import { startTheme } from "../theme";
import { showAgreement, showFlips } from "./agreement";
import { showCritical } from "./critical";
import { type Ranking, readRanking } from "./data";
import { Heat } from "./heat";
import { Leaderboard } from "./leaderboard";
import { Pairs } from "./pairs";
import { showSets } from "./sets";

async function start(): Promise<void> {
  startTheme();
  const data = await readRanking();
  const [board, heat, pairs] = [new Leaderboard(data), new Heat(data), new Pairs(data)];
  const [choice, group] = [byId<HTMLSelectElement>("metric"), byId<HTMLSelectElement>("group")];
  fill(data, choice, group);
  const follow = () => {
    const [chosen, own] = [Number(choice.value), Number(group.value)];
    board.show(chosen, own);
    showCritical(data, chosen);
    pairs.show(chosen);
    showSets(data, chosen, own);
    heat.show(chosen, own);
    tell(data, chosen, own);
    remember(data, chosen, own);
  };
  for (const one of [choice, group]) one.addEventListener("change", follow);
  addEventListener("hashchange", () => {
    recall(data, choice, group);
    follow();
  });
  recall(data, choice, group);
  follow();
  for (const id of ["agree-section", "flips-section"]) byId(id).hidden = data.metrics.length < 2;
  showAgreement(data);
  showFlips(data);
  document.documentElement.dataset.ready = "yes";
}

function fill(data: Ranking, choice: HTMLSelectElement, group: HTMLSelectElement): void {
  choice.append(...data.metrics.map((name, m) => el("option", { value: m, selected: m === data.main }, name)));
  const sizes = data.groups.map((_, g) => data.group_of.filter((own) => own === g).length);
  group.append(el("option", { value: -1 }, `all (${count(data.series.length)} series)`), ...data.groups.map((name, g) => el("option", { value: g }, `${name} (${count(sizes[g])})`)));
  byId("group-choice").hidden = data.groups.length === 0;
}

/** Say who leads, of all series or of one data set. */
function tell(data: Ranking, chosen: number, group: number): void {
  const better = data.better[chosen] === "higher" ? "higher is better" : "lower is better";
  say(byId("metric-note"), better);
  const lines = group < 0 ? data.boards[chosen] : data.groupBoards[chosen][group];
  const first = lines[0];
  const who = first ? `${data.detectors[first.detector]}, mean ${shown(first.mean)}` : "nobody";
  say(byId("spoken"), `By ${data.metrics[chosen]} first: ${who}.`);
  const [lead, chance] = data.leads[chosen];
  const here = `On ${data.groups[group]} alone the best mean rank is that of ${who}. Tests and ranks below the leaderboard are about all series.`;
  say(byId("lead"), group < 0 ? lead : here);
  say(byId("lead-chance"), chance);
  byId("notes").replaceChildren(...data.notes[chosen].map((note) => el("li", {}, note)));
}

/** The address holds what was chosen, so that it can be sent to somebody. */
function remember(data: Ranking, chosen: number, group: number): void {
  const said = new URLSearchParams();
  if (chosen !== data.main) said.set("m", data.metrics[chosen]);
  if (group >= 0) said.set("g", data.groups[group]);
  const hash = said.toString();
  if (hash === location.hash.replace(/^#/, "")) return;
  try {
    history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
  } catch {
    // a frame may forbid it; then the address stays as it was
  }
}

function recall(data: Ranking, choice: HTMLSelectElement, group: HTMLSelectElement): void {
  const said = new URLSearchParams(location.hash.replace(/^#/, ""));
  const metric = data.metrics.indexOf(said.get("m") ?? "");
  choice.value = String(metric < 0 ? data.main : metric);
  group.value = String(data.groups.indexOf(said.get("g") ?? ""));
}

void start().finally(() => {
  document.documentElement.dataset.shown = "yes"; // whatever went wrong, what is there can be read
});
