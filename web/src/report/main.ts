// The report: what the reader changes, and which parts of the page follow.

import { startTheme } from "../theme";
import { Curves } from "./curves";
import { readData } from "./data";
import { ReceiptTable } from "./receipt_table";
import { SeriesChoice } from "./series_choice";
import { startSettings } from "./settings_form";
import { type Change, State } from "./state";
import { ThresholdPanel } from "./threshold";
import { Timeline } from "./timeline";
import { Values } from "./values";

function start(): void {
  startTheme();
  const state = new State(readData());
  const panel = new ThresholdPanel(state);
  const values = new Values(state);
  const timeline = new Timeline(state);
  const curves = new Curves(state, () => panel.scale, values);
  const table = new ReceiptTable(state);
  const series = state.data.series.length > 1 ? new SeriesChoice(state) : null;
  startSettings(state);

  const follow: Record<Change, () => void> = {
    threshold() {
      panel.show();
      values.show();
      timeline.move();
      curves.move();
      table.refresh();
    },
    settings() {
      values.showSettings();
      timeline.rebuild();
      curves.draw();
      table.refresh();
    },
    detector() {
      panel.showDetector();
      values.showSettings();
      timeline.redraw();
      curves.draw();
      table.rebuild();
    },
    series() {
      series?.show();
      timeline.openSeries();
      if (!state.everySeries) follow.scope();
    },
    scope() {
      values.showSettings();
      curves.draw();
      table.rebuild();
    },
    stretch() {
      timeline.showStretch();
      table.reveal();
    },
    receipt: () => table.rebuild(),
  };
  state.listen((change) => follow[change]());
  panel.showDetector();
  values.showSettings();
  curves.draw();
  table.rebuild();
  if (series) state.openSeries(table.worstSeries);
  performance.mark("first-plot");
  document.documentElement.dataset.ready = "yes";
}

try {
  start();
} finally {
  document.documentElement.dataset.shown = "yes"; // whatever went wrong, what is there can be read
}
