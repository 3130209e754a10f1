// The verdict of points and scores: the command line's at the threshold that was given; elsewhere what Python knew of it.

import { general, many } from "../numbers";
import { asHigh, started, WORDS } from "../look";
import { type Answer, type Box, deeds, few, fewEvents } from "./answer";
import { lengthWords } from "./axis";
import type { Detector } from "./data";
import { decision } from "./decision";
import type { Look, Looks } from "./look";
import type { Level } from "./metric";
import { points, shownThreshold } from "./scale";
import type { State } from "./state";

const BOXES = 30;

/** What the page answers; while a hand moves the threshold, what to do is not looked for. */
export function answer(state: State, looks: Looks, look: Look, moving = false): Answer {
  const one = state.data.detectors[look.detector];
  const { metric } = look;
  const judged = !state.moved(look.detector) && one.verdict.tested;
  const draft: Answer = {
    lead: "",
    tone: "plain",
    who: "",
    said: "",
    fine: "",
    advice: [],
    events: look.missed.length,
    noun: "event",
    boxes: boxes(state, look, looks.timed),
    found: look.found,
    unwatched: 0,
    missed: missed(state, look),
    wrong: look.wrong,
    right: look.right,
    perWeek: look.perWeek,
    watched: state.data.watched,
    timed: looks.timed,
    delay: look.delay,
    slowest: look.slowest,
    title: metric.name === "f1_ba" ? `balanced score (${metric.title})` : metric.title,
    score: look.value,
    scoreText: metric.short(look.value),
    isShare: metric.isShare,
    chance: level(state, one, look),
    chanceSaid: chanceSaid(state, one, look),
    low: judged ? one.verdict.low : NaN,
    high: judged ? one.verdict.high : NaN,
  };
  return { ...draft, ...words(state, one, look, draft, judged), fine: fine(state, one, draft, judged), advice: moving ? null : decision(state, look) };
}

/** One chance: of the alarms as they are, moved; of a page that starts at the best threshold, each place with its own best. */
export function level(state: State, one: Detector, look: Look): Level | null {
  const { verdict } = one;
  if (!look.flagged || !look.missed.length) return null;
  if (state.hindsight(look.detector)) return Number.isNaN(verdict.chance) ? null : { level: verdict.chance, low: verdict.chance_low, high: verdict.chance_high };
  if (!state.moved(look.detector) && !look.chance && !Number.isNaN(verdict.chance)) return { level: verdict.chance, low: verdict.chance_low, high: verdict.chance_high };
  return look.chance;
}

/** Where chance is not that of this threshold. */
function chanceSaid(state: State, one: Detector, look: Look): string {
  if (!look.flagged || !look.missed.length || state.hindsight(look.detector)) return "";
  if (!look.chance) return Number.isNaN(one.verdict.chance) ? "chance was not computed" : state.moved(look.detector) ? `chance ${general(one.verdict.chance, 2)} at the threshold as given` : "";
  return look.chance.place === look.place ? "" : `chance at threshold ${one.levels.texts[look.chance.place]}`;
}

function boxes(state: State, look: Look, timed: boolean): Box[] {
  return look.missed.slice(0, BOXES).map((missed, e) => {
    const when = state.data.series.length > 1 ? "" : `, ${state.axis.when(state.data.truth.starts[e])}`;
    const late = look.delays[e];
    const how = missed ? "missed" : Number.isNaN(late) ? "found" : `found after ${lengthWords(late, timed)}`;
    return { id: `e${e}`, found: !missed, title: `event ${e + 1}${when}: ${how}` };
  });
}

function missed(state: State, look: Look): string {
  const all = look.missed.flatMap((one, e) => (one ? [e] : []));
  if (state.data.series.length > 1) return all.length ? `event ${few(all.map((e) => String(e + 1)))}` : "";
  const named = all.slice(0, 4).map((e) => state.axis.brief(state.axis.times[state.data.truth.starts[e]]));
  return few(named, 3, all.length);
}

type Words = Pick<Answer, "lead" | "tone" | "who" | "said">;

function words(state: State, one: Detector, look: Look, draft: Answer, judged: boolean): Words {
  if (!draft.events) return { lead: "Nothing to find.", tone: "plain", who: "", said: "The labels hold no event, so alarms can be counted, and nothing else." };
  const who = state.data.detectors.length === 1 && one.name === "detector" ? "The detector" : one.name;
  if (!look.flagged) return { lead: "Silent.", tone: "unclear", who, said: "flags nothing at this threshold." };
  const said = `${deeds(draft)}. ${scores(state, look, draft)}`;
  if (look.flagged === points(one)) return { lead: "Always on.", tone: "unclear", who, said: `flags every point. ${scores(state, look, draft)}` };
  return { ...lead(one, look, draft, judged), who, said };
}

function lead(one: Detector, look: Look, draft: Answer, judged: boolean): Pick<Answer, "lead" | "tone"> {
  const { better, below, hardly } = one.verdict;
  if (judged && better) return hardly ? { lead: `${started(WORDS.better)}, but hardly.`, tone: "unclear" } : { lead: `${started(WORDS.better)}.`, tone: "good" };
  if (judged) return { lead: `${started(below ? WORDS.below : WORDS.unclear)}.`, tone: "unclear" };
  if (!draft.chance || !look.chance?.others) return { lead: "Not compared with chance.", tone: "unclear" };
  const { tone } = look.chance;
  if (tone === "unclear") return { lead: `${started(WORDS.unclear)}.`, tone: "unclear" };
  return tone === "hardly" ? { lead: "Hardly above what chance scores.", tone: "unclear" } : { lead: "Above what chance scores.", tone: "good" };
}

function scores(state: State, look: Look, { chance, scoreText }: Answer): string {
  const { metric } = look;
  const it = metric.isShare && !metric.lower ? (metric.name === "other" ? `Its ${metric.title} is ${scoreText}` : `It scores ${scoreText}`) : `Its ${metric.title} is ${scoreText}${metric.lower ? " (lower is better)" : ""}`;
  if (!chance) return `${it}.`;
  const by = metric.short(chance.level);
  if (state.hindsight(look.detector)) return `${it} at its best threshold; the same alarms at other times, each at its best, score ${by}.`;
  const places = look.chance?.others ? ` ${asHigh(look.chance.again, look.chance.others)}.` : "";
  return `${it}; the same alarms at other times score ${by}.${places}`;
}

function fine(state: State, one: Detector, draft: Answer, judged: boolean): string {
  const parts: string[] = [];
  const place = state.data.detectors.indexOf(one);
  const at = shownThreshold(one, state.asked(place), state.place(place));
  const by = { rule: `by ${one.rule}`, tuned: "tuned on another part" }[one.chosenBy] ?? "as given";
  if (state.moved(place)) parts.push(`Threshold ${at}, moved by hand while looking at the labels: good for learning, not for reporting. The one that was given is ${one.givenText}.`);
  else if (one.flags) parts.push("Alarms as given, without scores.");
  else if (one.chosenBy === "oracle") parts.push(`Threshold ${at}, the best in hindsight: an upper bound, not a result.`);
  else parts.push(`Threshold ${at}, ${by}.`);
  if (judged) parts.push(...evidence(one, draft));
  return [...parts, others(state)].filter(Boolean).join(" ");
}

function evidence({ verdict }: Detector, draft: Answer): string[] {
  const { events } = draft;
  const parts = [fewEvents(draft)];
  const { better, p, p_nearby, p_adjusted, needed } = verdict;
  if (better) return parts;
  if (p <= 0.05 && p_nearby > 0.05) parts.push(`Copies shifted by less than a tenth of the series scored as high (p = ${general(p_nearby, 2)}).`);
  else if (p <= 0.05 && p_adjusted > 0.05) parts.push(`p = ${general(p_adjusted, 2)}, adjusted for several detectors.`);
  else if (p > 0.05 && needed && needed > events) parts.push(`About ${many(needed - events, "more event")} would settle it.`);
  return parts;
}

function others(state: State): string {
  const { detectors, truth, series } = state.data;
  const tested = detectors.filter(({ verdict }) => verdict.tested).length;
  if (detectors.length < 2 || !truth.starts.length || tested < detectors.length) return "";
  const better = detectors.filter(({ verdict }) => verdict.better).length;
  return `${better ? (better === detectors.length ? `All ${better}` : `${better} of ${detectors.length}`) : `None of ${detectors.length}`} detectors ${better > 1 ? "beat" : "beats"} chance${series.length > 1 ? " over all series" : ""}.`;
}

/** The line to cite: the command line's at the threshold that was given, and the same words for what is on screen elsewhere. */
export function citation(state: State, look: Look): string {
  const one = state.data.detectors[look.detector];
  if (!state.moved(look.detector)) return one.verdict.cite;
  const at = shownThreshold(one, state.asked(look.detector), look.place);
  return `to cite: ${look.metric.spec} = ${look.metric.short(look.value)}, threshold ${at} (moved by hand) of ${one.name}, adjudge ${state.data.version}`;
}
