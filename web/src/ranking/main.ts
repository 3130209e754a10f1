// The ranking: one metric is chosen, and leaderboard, ranks and heat map follow it.

import { byId, el, say } from "../dom";
import { metric as shown } from "../numbers";
import { startTheme } from "../theme";
import { showAgreement, showFlips } from "./agreement";
import { showCritical } from "./critical";
import { readRanking } from "./data";
import { Heat } from "./heat";
import { Leaderboard } from "./leaderboard";

function start(): void {
  startTheme();
  const data = readRanking();
  const board = new Leaderboard(data);
  const heat = new Heat(data);
  const choice = byId<HTMLSelectElement>("metric");
  choice.append(...data.metrics.map((name, m) => el("option", { value: m, selected: m === data.main }, name)));
  const follow = () => {
    const chosen = Number(choice.value);
    board.show(chosen);
    showCritical(data, chosen);
    heat.show(chosen);
    say(byId("metric-note"), data.better[chosen] === "higher" ? "higher is better" : "lower is better");
    const first = data.boards[chosen][0];
    if (first) say(byId("spoken"), `By ${data.metrics[chosen]} first: ${data.detectors[first.detector]}, mean ${shown(first.mean)}.`);
  };
  choice.addEventListener("change", follow);
  follow();
  showAgreement(data);
  showFlips(data);
  document.documentElement.dataset.ready = "yes";
}

try {
  start();
} finally {
  document.documentElement.dataset.shown = "yes"; // whatever went wrong, what is there can be read
}
