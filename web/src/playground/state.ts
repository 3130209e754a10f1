// What stands on the playground, and how it travels in a link.

import type { Reading, Settings } from "./arithmetic/adjust";

export type Interval = [start: number, stop: number];

export interface Scene {
  n: number;
  events: Interval[];
  alarms: Interval[];
  /** One score between 0 and 1 per point, or null while alarms are placed by hand. */
  scores: number[] | null;
  threshold: number;
  settings: Settings;
}

const LEVELS = "0123456789abcdefghijklmnopqrstuvwxyz";
const READINGS: Reading[] = ["normal", "spill", "printed", "all"];
export const MOST_POINTS = 400;

/** Write a scene as the part of a link behind the #. */
export function toHash(scene: Scene): string {
  const { k, width, islands, margin } = scene.settings;
  const parts = [`n=${scene.n}`, `e=${written(scene.events)}`, `a=${written(scene.alarms)}`, `k=${k}`, `w=${width}`, `i=${islands}`, `m=${margin}`];
  if (scene.scores) parts.push(`s=${scene.scores.map((score) => LEVELS[Math.round(score * 35)]).join("")}`, `t=${scene.threshold}`);
  return `#${parts.join("&")}`;
}

/** Read a scene from a link; what makes no sense is left out or set right, and nothing throws. */
export function fromHash(hash: string, otherwise: Scene): Scene {
  const parts = new Map(hash.replace(/^#/, "").split("&").map((part) => part.split("=") as [string, string]));
  if (!parts.has("n")) return otherwise;
  const n = between(Number(parts.get("n")), 3, MOST_POINTS, 80);
  const islands = READINGS.find((one) => one === parts.get("i")) ?? "normal";
  return {
    n: Math.round(n),
    events: read(parts.get("e"), n),
    alarms: read(parts.get("a"), n),
    scores: levels(parts.get("s"), n),
    threshold: between(Number(parts.get("t")), 0, 1, 0.5),
    settings: {
      k: between(Number(parts.get("k")), 0.01, 1, 0.2),
      width: Math.round(between(Number(parts.get("w")), 1, MOST_POINTS, 5)),
      islands,
      margin: Math.round(between(Number(parts.get("m")), 0, MOST_POINTS, 0)),
    },
  };
}

/** Sort, clip to the series and join what overlaps or touches. */
export function tidy(intervals: Interval[], n: number): Interval[] {
  const joined: Interval[] = [];
  const inside = intervals.map(([start, stop]): Interval => [Math.max(0, start), Math.min(n, stop)]);
  for (const [start, stop] of inside.filter(([a, b]) => a < b).sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], stop);
    else joined.push([start, stop]);
  }
  return joined;
}

const written = (intervals: Interval[]): string => intervals.map(([start, stop]) => `${start}-${stop}`).join(",");

function read(text: string | undefined, n: number): Interval[] {
  const pairs = (text ?? "").split(",").map((pair) => pair.split("-").map(Number));
  const whole = pairs.filter((pair) => pair.length === 2 && pair.every(Number.isInteger)) as Interval[];
  return tidy(whole, n);
}

function levels(text: string | undefined, n: number): number[] | null {
  if (!text || text.length !== n) return null;
  return [...text].map((level) => Math.max(0, LEVELS.indexOf(level)) / 35);
}

const between = (value: number, low: number, high: number, otherwise: number): number =>
  Number.isFinite(value) ? Math.max(low, Math.min(high, value)) : otherwise;
