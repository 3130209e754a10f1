// The playground: place events and alarms, and watch what each F1 score makes of them.

import { byId, el, say, set, whenQuiet } from "../dom";
import { asHigh, WORDS } from "../look";
import { fixed, metric } from "../numbers";
import type { Reading } from "./arithmetic/adjust";
import { TITLES } from "./arithmetic/families";
import { startTheme } from "../theme";
import { Board } from "./board";
import { chanceOf, outcomes, scoresOf } from "./counted";
import { PRESETS } from "./presets";
import { fromHash, type Scene, toHash } from "./state";

let scene: Scene = fromHash(location.hash, PRESETS[0].scene());
const board = new Board(() => scene, () => changed());
const announce = whenQuiet(() => {
  const words = outcomes(scene).map(({ name, rates }) => `${TITLES[name]} ${metric(rates.f)}`);
  say(byId("spoken"), `${words.join(", ")}.`);
}, 500);
const remember = whenQuiet(() => {
  history.replaceState(null, "", toHash(scene)); // the address always holds what is shown
}, 200);

/** Say whether the alarms do better here than at other places. */
function chanceWords(): string {
  const chance = chanceOf(scene);
  if (!chance) return "By chance: nothing to compare, without an event and an alarm, and with islands on normal points, margin 0.";
  const { reached, places, level, values } = chance;
  const verdict = reached.f1_ba <= 0.05 * places ? WORDS.better : WORDS.unclear;
  return `Time-shifted copies of these alarms score PA ${fixed(level.f1_pa, 2)} and BA ${fixed(level.f1_ba, 2)} on average. By PA, ${asHigh(reached.f1_pa - 1, places - 1).toLowerCase()}; by BA (${fixed(values.f1_ba[0], 2)}), ${asHigh(reached.f1_ba - 1, places - 1).toLowerCase()}: ${verdict}.`;
}

function changed(): void {
  board.show();
  say(byId("chance-words"), chanceWords());
  fill();
  remember();
  announce();
}

/** Write the settings into their fields, but not into the one that is being typed in. */
function fill(): void {
  const { k, width, islands, margin } = scene.settings;
  const fields: Record<string, string> = { k: String(k), width: String(width), islands, margin: String(margin), points: String(scene.n), threshold: String(scene.threshold), mode: scene.scores ? "scores" : "alarms" };
  for (const [id, value] of Object.entries(fields)) {
    const field = byId<HTMLInputElement>(id);
    if (document.activeElement !== field) field.value = value;
  }
  byId("threshold").parentElement!.hidden = !scene.scores;
  byId("add-alarms").hidden = scene.scores !== null;
  say(byId("threshold-said"), scene.threshold.toFixed(2));
}

function number(id: string, rule: string, fits: (value: number) => boolean, take: (value: number) => void): void {
  const field = byId<HTMLInputElement>(id);
  field.addEventListener("change", () => {
    const value = field.value.trim() === "" ? NaN : Number(field.value);
    const wrong = !fits(value);
    set(field, { "aria-invalid": wrong ? "true" : undefined });
    say(byId("settings-problem"), wrong ? `${id} must be ${rule}, got ${JSON.stringify(field.value)}` : "");
    if (wrong) return;
    take(value);
    changed();
  });
}

function chooseMode(mode: string): void {
  if (mode === "scores") scene.scores = Array.from(scoresOf(scene), (flag) => (flag ? 0.8 : 0.2)).map((value) => Math.round(value * 35) / 35);
  else {
    const flags = scoresOf(scene).map((score) => (score > scene.threshold ? 1 : 0));
    scene.alarms = [];
    for (let i = 0; i < scene.n; i++) {
      const start = i;
      while (i < scene.n && flags[i]) i++;
      if (i > start) scene.alarms.push([start, i]);
    }
    scene.scores = null;
  }
  changed();
}

function resize(n: number): void {
  const inside = (list: [number, number][]) => list.filter(([start]) => start < n).map(([a, b]): [number, number] => [a, Math.min(b, n)]);
  scene.events = inside(scene.events);
  scene.alarms = inside(scene.alarms);
  if (scene.scores) scene.scores = Array.from({ length: n }, (_, i) => scene.scores?.[i] ?? 0);
  scene.n = n;
}

function start(): void {
  startTheme();
  const whole = (low: number, high: number) => (value: number) => Number.isInteger(value) && value >= low && value <= high;
  number("k", "a share above 0 and at most 1", (k) => k > 0 && k <= 1, (k) => (scene.settings.k = k));
  number("width", "a whole number from 1 to 400", whole(1, 400), (width) => (scene.settings.width = width));
  number("margin", "a whole number from 0 to 400", whole(0, 400), (margin) => (scene.settings.margin = margin));
  number("points", "a whole number from 3 to 400", whole(3, 400), resize);
  byId<HTMLSelectElement>("islands").addEventListener("change", (event) => {
    scene.settings.islands = (event.target as HTMLSelectElement).value as Reading;
    changed();
  });
  byId<HTMLSelectElement>("mode").addEventListener("change", (event) => chooseMode((event.target as HTMLSelectElement).value));
  byId<HTMLInputElement>("threshold").addEventListener("input", (event) => {
    scene.threshold = Number((event.target as HTMLInputElement).value);
    changed();
  });
  for (const preset of PRESETS) {
    const button = el("button", { type: "button" }, preset.name);
    button.addEventListener("click", () => {
      scene = preset.scene();
      say(byId("preset-words"), preset.words);
      changed();
    });
    byId("presets").append(button);
  }
  window.addEventListener("hashchange", () => {
    scene = fromHash(location.hash, scene);
    changed();
  });
  byId("copy").addEventListener("click", () => void share());
  say(byId("preset-words"), location.hash ? "As the link has it. Drag, or choose another scene." : PRESETS[0].words);
  changed();
  document.documentElement.dataset.ready = "yes";
}

async function share(): Promise<void> {
  const link = location.href.replace(/#.*$/, "") + toHash(scene);
  try {
    await navigator.clipboard.writeText(link);
    say(byId("copied"), "The link is copied.");
  } catch {
    say(byId("copied"), "The link is in the address bar: copy it from there.");
  }
}

try {
  start();
} finally {
  document.documentElement.dataset.shown = "yes"; // whatever went wrong, what is there can be read
}
