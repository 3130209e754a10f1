// The answer: a verdict in plain words, four tiles, and what to change.

import { byId, el, nameOf, number, set, svg } from "../dom";
import { count, fixed, many } from "../numbers";
import { lengthWords } from "./axis";
import type { Level } from "./metric";

const FEW = 20; // events from which on their number is not worth a word

export interface Box {
  id: string;
  found: boolean;
  title: string;
}

export interface Answer {
  /** "Better than chance." */
  lead: string;
  tone: "good" | "unclear" | "plain";
  /** Who, and what it does. */
  who: string;
  said: string;
  fine: string;
  /** What to do; null: as it was said last. */
  advice: (string | Node)[] | null;
  events: number;
  noun: string;
  boxes: Box[];
  found: number;
  unwatched: number;
  /** When the first missed ones were; "" if none was. */
  missed: string;
  wrong: number;
  right: number;
  perWeek: number;
  watched: number;
  timed: boolean;
  delay: number;
  slowest: number;
  /** The main metric: what it is called, its value, and that as a text. */
  title: string;
  score: number;
  scoreText: string;
  /** Whether it lies between 0 and 1. */
  isShare: boolean;
  chance: Level | null;
  /** Said where chance is not known at this threshold, or known at another. */
  chanceSaid: string;
  /** The 95 % interval of the value; NaN where it is not known. */
  low: number;
  high: number;
}

/** "Only 8 events: the true score is plausibly 0.32 to 0.92 (95 % CI).": where there are few, and an interval. */
export const fewEvents = ({ events, noun, low, high }: Answer): string =>
  events >= FEW || Number.isNaN(low) ? "" : `Only ${many(events, noun)}: the true score is plausibly ${two(low)} to ${two(high)} (95 % CI).`;

export const two = (value: number): string => (Number.isNaN(value) ? "–" : fixed(value, 2));

/** "3 a week"; what is rarer, a month or a year. */
export function rateWords(perWeek: number): string {
  if (perWeek > 0 && perWeek < 0.02) return `${short(perWeek * 52.18)} a year`;
  if (perWeek > 0 && perWeek < 0.1) return `${short(perWeek * 4.348)} a month`;
  return `${short(perWeek)} a week`;
}

export const short = (value: number): string => (value >= 9.95 ? count(Math.round(value)) : String(+value.toFixed(1)));

/** "finds 6 of 8 events, typically 10 min after they begin, and raises about 3 false alarms a week". */
export function deeds(one: Answer): string {
  const late = one.found && !Number.isNaN(one.delay) ? `, typically ${lengthWords(one.delay, one.timed)} after they begin` : "";
  const found = `finds ${count(one.found)} of ${many(one.events, one.noun)}${late}`;
  if (!one.wrong) return `${found}, and raises no false alarm`;
  if (!one.timed) return `${found}, and raises ${many(one.wrong, "false alarm")} in ${many(one.watched, "point")}`;
  const rate = rateWords(one.perWeek);
  return `${found}, and raises about ${rate.replace(" a ", rate.startsWith("1 ") ? " false alarm a " : " false alarms a ")}`;
}

export class AnswerPanel {
  private boxes = "";

  constructor(private readonly pick: (id: string) => void) {
    byId("boxes").addEventListener("click", (click) => {
      const box = (click.target as HTMLElement).closest<HTMLElement>("[data-id]");
      if (box) this.pick(box.dataset.id!);
    });
  }

  show(one: Answer): void {
    byId("tile-score-title").textContent = one.title;
    byId("verdict").replaceChildren(el("b", { class: one.tone }, one.lead), " ", ...(one.who ? [nameOf(one.who), " "] : []), one.said);
    byId("fine").textContent = one.fine;
    if (one.advice) {
      byId("advice").replaceChildren(...one.advice);
      byId("advice").hidden = !one.advice.length;
    }
    this.found(one);
    this.alarms(one);
    this.delay(one);
    this.score(one);
  }

  private found(one: Answer): void {
    const none = !one.events;
    big("tile-found", none ? null : count(one.found), none ? `no ${one.noun}s` : ` of ${many(one.events, one.noun)}`, one.found);
    const key = [one.missed, one.events, one.unwatched, ...one.boxes.map(({ title }) => title)].join("|");
    if (key === this.boxes) return;
    this.boxes = key;
    byId("boxes").replaceChildren(
      ...one.boxes.map(({ id, found, title }) => el("button", { type: "button", class: found ? "found" : "missed", title, "aria-label": title, "data-id": id })),
      ...(one.events > one.boxes.length ? [el("small", {}, `and ${count(one.events - one.boxes.length)} more`)] : []),
      ...(one.missed ? [el("small", { class: "missed-ones" }, `missed: ${one.missed}`)] : []),
      ...(one.unwatched ? [el("small", {}, `${one.unwatched} unwatched`)] : []),
    );
  }

  private alarms(one: Answer): void {
    const right = one.events ? `; ${many(one.right, "alarm")} right` : "";
    byId("tile-false-title").textContent = one.events ? "false alarms" : "alarms";
        if (one.timed && !one.events) {
      big("tile-false", short(one.perWeek / 7), " a day", one.perWeek / 7);
      byId("tile-false-more").textContent = `${count(one.wrong)} in ${lengthWords(one.watched, true)}, all of them false`;
    } else if (one.timed) {
      const [value, ...unit] = rateWords(one.perWeek).split(" ");
      big("tile-false", value, ` ${unit.join(" ")}`, one.perWeek);
      byId("tile-false-more").textContent = `${count(one.wrong)} in ${lengthWords(one.watched, true)}${right}`;
    } else {
      big("tile-false", count(one.wrong), ` in ${many(one.watched, "point")}`, one.wrong);
      byId("tile-false-more").textContent = right.slice(2);
    }
  }

  private delay(one: Answer): void {
    const known = one.found > 0 && !Number.isNaN(one.delay);
    big("tile-delay", known ? lengthWords(one.delay, one.timed) : null, known ? "" : one.events ? "nothing found" : "needs events", one.delay);
    const never = one.events - one.found;
    const parts = [known ? `slowest ${lengthWords(one.slowest, one.timed)}` : "", never ? `${count(never)} never found` : ""];
    byId("tile-delay-more").textContent = parts.filter(Boolean).join("; ");
  }

  private score(one: Answer): void {
    if (!one.events) {
      big("tile-score", null, "needs events");
      byId("tile-score-bar").replaceChildren();
      return;
    }
    const beside = one.chance ? ` chance ${two(one.chance.level)}` : "";
    big("tile-score", one.scoreText, beside, one.score);
    const interval = Number.isNaN(one.low) ? "" : "; line: 95 % interval";
    byId("tile-score-bar").replaceChildren(
      ...(one.chance && one.isShare
        ? [chanceBar(one.score, one.chance, [one.low, one.high]), el("small", {}, `from 0 to 1; grey: chance${interval}`)]
        : []),
      ...(one.chanceSaid ? [el("small", { class: "greyed" }, one.chanceSaid)] : []),
    );
  }
}

/** The first few of some, and how many more there are. */
export function few(texts: string[], most = 3, all = texts.length): string {
  return all > most ? `${texts.slice(0, most).join(", ")} and ${count(all - most)} more` : texts.join(", ");
}

/** A large number and what stands behind it; null: there is none, and the words are all. */
function big(id: string, value: string | null, words: string, exact = NaN): void {
  const said = value === null ? [] : [number(exact, value)];
  byId(id).replaceChildren(...said, el("small", {}, words));
}

/** The value on a line from 0 to 1: grey is where chance lies, the stroke its level, thin the interval. */
export function chanceBar(value: number, { level, low, high }: Level, interval: [number, number] = [NaN, NaN]): SVGSVGElement {
  const x = (share: number): number => 200 * Math.max(0, Math.min(1, share));
  const said = `${two(value)}; chance ${two(level)}, mostly ${two(low)} to ${two(high)}`;
  const bar = svg("svg", { viewBox: "0 0 200 16", preserveAspectRatio: "none", role: "img", "aria-label": said, class: "chance-bar" });
  const mark = (kind: string, from: number, to: number, top: number, height: number) => svg("rect", { class: kind, x: from, width: Math.max(0, to - from), y: top, height });
  bar.append(svg("title", {}, said), mark("track", 0, 200, 4, 8));
  if (!Number.isNaN(low)) bar.append(mark("band", x(low), Math.max(x(high), x(low) + 1), 4, 8));
  if (!Number.isNaN(level)) bar.append(mark("level", x(level) - 0.8, x(level) + 0.8, 1, 14));
  if (!Number.isNaN(interval[0])) bar.append(mark("interval", x(interval[0]), x(interval[1]), 7.2, 1.6));
  if (!Number.isNaN(value)) bar.append(mark("value", x(value) - 2.2, x(value) + 2.2, 1, 14));
  set(bar, { "data-above": String(value > high) });
  return bar;
}
