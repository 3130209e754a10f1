// How it counts: K, island width, reading and margin, each refused in words when it makes no sense.

import { byId, set } from "../dom";
import type { Reading, Settings } from "../sweep/adjust";
import type { State } from "./state";

interface Field {
  id: string;
  rule: string;
  fits: (value: number) => boolean;
}

const FIELDS: Record<"k" | "width" | "margin", Field> = {
  k: { id: "k", rule: "a share above 0 and at most 1", fits: (k) => k > 0 && k <= 1 },
  width: { id: "width", rule: "a whole number, at least 1", fits: (w) => Number.isInteger(w) && w >= 1 },
  margin: { id: "margin", rule: "a whole number, at least 0", fits: (m) => Number.isInteger(m) && m >= 0 },
};

export function startSettings(state: State): void {
  byId<HTMLFieldSetElement>("settings").disabled = state.current.overview !== null;
  const islands = byId<HTMLSelectElement>("islands");
  for (const [key, field] of Object.entries(FIELDS)) {
    const input = byId<HTMLInputElement>(field.id);
    input.addEventListener("change", () => {
      const value = input.value.trim() === "" ? NaN : Number(input.value);
      const wrong = !field.fits(value);
      set(input, { "aria-invalid": wrong ? "true" : undefined });
      byId("settings-problem").textContent = wrong ? `${key} must be ${field.rule}, got ${JSON.stringify(input.value)}` : "";
      if (!wrong) state.change({ [key]: Math.min(value, 2 ** 31 - 1) });
    });
  }
  islands.addEventListener("change", () => state.change({ islands: islands.value as Reading }));
  byId("reset").addEventListener("click", () => {
    state.change(state.data.settings);
    fill(state.settings);
  });
  fill(state.settings);
}

function fill(settings: Settings): void {
  for (const [key, field] of Object.entries(FIELDS)) {
    const input = byId<HTMLInputElement>(field.id);
    input.value = String(settings[key as keyof typeof FIELDS]);
    set(input, { "aria-invalid": undefined });
  }
  byId<HTMLSelectElement>("islands").value = settings.islands;
  byId("settings-problem").textContent = "";
}
