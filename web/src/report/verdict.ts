// The verdict of points and scores: the command line's at the threshold that was given; elsewhere what the page can say.

import { el } from "../dom";
import { count, general, many } from "../numbers";
import type { Chance } from "../sweep/chance";
import { type Answer, type Box, deeds, few, type Level, two } from "./answer";
import { lengthWords } from "./axis";
import type { Detector } from "./data";
import type { Look, Looks } from "./look";
import { below, shownThreshold } from "./scale";
import type { State } from "./state";

const HARDLY = 0.1; // of the way from chance to perfect
const FEW = 20; // events from which on their number is not worth a word

/** What the page answers; while a hand moves the threshold, what to change is not looked for. */
export function answer(state: State, looks: Looks, look: Look, moving = false): Answer {
  const one = state.data.detectors[look.detector];
  const { delays } = look;
  const known = [...delays].filter((late) => !Number.isNaN(late));
  const judged = !state.moved(look.detector) && state.asJudged && one.verdict.tested;
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
    watched: look.watched,
    timed: looks.timed,
    delay: look.delay,
    slowest: known.length ? Math.max(...known) : NaN,
    ba: look.rates.f1_ba.f,
    chance: level(state, one, look),
    chanceSaid: chanceSaid(state, one),
    low: judged ? one.verdict.low : NaN,
    high: judged ? one.verdict.high : NaN,
  };
  return { ...draft, ...words(state, one, look, draft, judged), fine: fine(state, one, draft, judged), advice: moving ? null : advice(state, looks, look, draft) };
}

/** One chance: of the alarms on screen, moved; of a page that starts at the best threshold, each place with its own best. */
export function level(state: State, one: Detector, look: Look): Level | null {
  const { verdict } = one;
  if (!look.flagged || !look.missed.length) return null;
  if (state.hindsight(look.detector)) return Number.isNaN(verdict.chance) ? null : { level: verdict.chance, low: verdict.chance_low, high: verdict.chance_high };
  const { chance } = look;
  if (chance) {
    const ends = look.rates.f1_ba.f - chance.values.f1_ba[0]; // islands are cut at the ends of a series, on a circle they are not
    return { level: chance.level.f1_ba, low: Math.max(0, chance.low.f1_ba + ends), high: chance.high.f1_ba + ends };
  }
  const given = !state.moved(look.detector) && state.asJudged && !Number.isNaN(verdict.chance);
  return given ? { level: verdict.chance, low: NaN, high: NaN } : null;
}

function chanceSaid(state: State, one: Detector): string {
  if (!state.asJudged) return "chance is not known for these settings";
  const { chance } = one.verdict;
  return Number.isNaN(chance) ? "chance was not computed" : `chance ${two(chance)} at ${shownThreshold(one, one.given)}, as given`;
}

function boxes(state: State, look: Look, timed: boolean): Box[] {
  return look.missed.map((missed, e) => {
    const start = look.truth.starts[e] + look.offset;
    const when = state.data.series.length > 1 ? "" : `, ${state.axis.when(start)}`;
    const late = look.delays[e];
    const how = missed ? "missed" : Number.isNaN(late) ? "found" : `found after ${lengthWords(late, timed)}`;
    return { id: `e${e}`, found: !missed, title: `event ${e + 1}${when}: ${how}` };
  });
}

function missed(state: State, look: Look): string {
  const all = look.missed.flatMap((one, e) => (one ? [e] : []));
  if (state.data.series.length > 1) return all.length ? `event ${few(all.map((e) => String(e + 1)))}` : "";
  return few(all.map((e) => state.axis.brief(state.axis.times[look.truth.starts[e] + look.offset])));
}

type Words = Pick<Answer, "lead" | "tone" | "who" | "said">;

function words(state: State, one: Detector, look: Look, draft: Answer, judged: boolean): Words {
  if (!draft.events) return { lead: "Nothing to find.", tone: "plain", who: "", said: "The labels hold no event, so alarms can be counted, and nothing else." };
  const who = state.data.detectors.length === 1 && one.name === "detector" ? "The detector" : one.name;
  if (!look.flagged) return { lead: "Silent.", tone: "unclear", who, said: "flags nothing at this threshold." };
  const said = `${deeds(draft)}. ${scores(state, look, draft)}`;
  const always = one.ascending[0] > state.threshold(look.detector);
  if (always) return { lead: "Always on.", tone: "unclear", who, said: `flags every point. ${scores(state, look, draft)}` };
  return { ...lead(one, look, draft, judged), who, said };
}

function lead(one: Detector, look: Look, draft: Answer, judged: boolean): Pick<Answer, "lead" | "tone"> {
  const { chance, ba } = draft;
  const hardly = chance !== null && (ba - chance.level) / (1 - chance.level) < HARDLY;
  if (judged) {
    const { better, below } = one.verdict;
    if (better) return hardly ? { lead: "Better than chance, but hardly.", tone: "unclear" } : { lead: "Better than chance.", tone: "good" };
    return { lead: below ? "Worse than chance." : "Cannot be told from chance.", tone: "unclear" };
  }
  if (!chance || !look.chance) return { lead: "Not compared with chance.", tone: "unclear" };
  const above = look.chance.reached.f1_ba <= 0.05 * look.chance.places;
  if (!above) return { lead: "Within what chance scores.", tone: "unclear" };
  return hardly ? { lead: "Hardly above what chance scores.", tone: "unclear" } : { lead: "Above what chance scores.", tone: "good" };
}

function scores(state: State, look: Look, { ba, chance }: Answer): string {
  if (!chance) return `It scores ${two(ba)}.`;
  if (state.hindsight(look.detector)) return `It scores ${two(ba)} at its best threshold; the same alarms at other times, each at its best, score ${two(chance.level)}.`;
  return `It scores ${two(ba)}; the same alarms at other times score ${two(chance.level)}${look.chance ? `, and do as well ${asWell(look.chance)}` : ""}.`;
}

/** "at none of the 2,015 other times". */
function asWell({ reached, places, exact }: Chance): string {
  const others = places - 1;
  const again = reached.f1_ba - 1;
  const tried = exact ? "other times" : "other times tried";
  if (!again) return `at none of the ${count(others)} ${tried}`;
  const share = (100 * again) / others;
  return share >= 0.95 ? `at ${share.toFixed(0)} in 100 of them` : `at ${count(again)} of ${count(others)} ${tried}`;
}

function fine(state: State, one: Detector, draft: Answer, judged: boolean): string {
  const parts: string[] = [];
  const place = state.data.detectors.indexOf(one);
  const at = shownThreshold(one, state.asked(place));
  if (state.moved(place)) parts.push(`Threshold ${at}, moved by hand while looking at the labels: good for learning, not for reporting. The one that was given is ${shownThreshold(one, one.given)}.`);
  else if (one.flags) parts.push("Alarms as given, without scores.");
  else if (one.chosenBy === "oracle") parts.push(`Threshold ${at}, the best in hindsight: an upper bound, not a result.`);
  else parts.push(`Threshold ${at}, ${one.chosenBy === "rule" ? `by ${one.givenText}` : one.chosenBy === "tuned" ? "tuned on another part" : "as given"}.`);
  if (!state.asJudged) parts.push(state.everySeries ? "Counted with other settings than were judged." : "This series alone.");
  if (judged) parts.push(...evidence(one, draft));
  return [...parts, others(state)].filter(Boolean).join(" ");
}

function evidence({ verdict }: Detector, { events, low, high }: Answer): string[] {
  const parts: string[] = [];
  if (events < FEW && !Number.isNaN(low)) parts.push(`${many(events, "event")} ${events === 1 ? "is" : "are"} few: very many events of this kind would show a value from ${two(low)} to ${two(high)} (95 % interval).`);
  const { better, p, p_nearby, p_adjusted, needed } = verdict;
  if (better) return parts;
  if (p <= 0.05 && p_nearby > 0.05) parts.push(`Moved within their own part of the series the alarms do as well (p = ${general(p_nearby, 2)}).`);
  else if (p <= 0.05 && p_adjusted > 0.05) parts.push(`p = ${general(p_adjusted, 2)}, as several detectors were tried.`);
  else if (p > 0.05 && needed && needed > events) parts.push(`About ${count(needed)} such events would tell.`);
  return parts;
}

function others(state: State): string {
  const { detectors, truth, series } = state.data;
  const tested = detectors.filter(({ verdict }) => verdict.tested).length;
  if (detectors.length < 2 || !truth.starts.length || tested < detectors.length) return "";
  const better = detectors.filter(({ verdict }) => verdict.better).length;
  const said = better ? `${better === detectors.length ? "all" : better} ${better === 1 ? "is" : "are"}` : "none is";
  return `Of ${detectors.length} detectors, each as given${series.length > 1 ? " and on all series" : ""}, ${said} better than chance.`;
}

/** What another threshold would have brought: known only because the labels are. */
function advice(state: State, looks: Looks, look: Look, { events, ba }: Answer): (string | Node)[] {
  const one = state.data.detectors[look.detector];
  if (!events || one.flags || !look.flagged || one.overview) return [];
  const best = state.families(look.detector).masses("f1_ba", state.settings).best();
  const parts: (string | Node)[] = [el("b", {}, "What to change: ")];
  if (best.value > ba + 0.01) {
    const then = looks.at(look.detector, best.threshold);
    parts.push(`in hindsight, a threshold of ${shownThreshold(one, best.threshold)} would have scored ${two(best.value)} (${then.found} of ${events} found, ${many(then.wrong, "false alarm")}). For days to come, choose with `, el("code", {}, looks.timed ? "adjudge decide FILE --time COL --budget 3/week" : "adjudge decide FILE --cost miss=10 --cost false=1"), ". ");
  } else parts.push("no other threshold scores better here. ");
  parts.push(nearestMiss(state, looks, look, one));
  return parts;
}

function nearestMiss(state: State, looks: Looks, look: Look, one: Detector): string {
  const { scores, truth } = state.families(look.detector);
  let [nearest, peak] = [-1, -Infinity];
  look.missed.forEach((missed, e) => {
    if (!missed) return;
    for (let i = truth.starts[e]; i < truth.stops[e]; i++) if (scores[i] > peak) [nearest, peak] = [e, scores[i]];
  });
  if (nearest < 0) return look.wrong ? `Nothing is missed; ${look.wrong === 1 ? "the false alarm is" : `the ${count(look.wrong)} false alarms are`} all there is to fix.` : "";
  const more = looks.at(look.detector, below(one.ascending, peak)).wrong - look.wrong;
  const when = state.data.series.length > 1 ? `event ${nearest + 1}` : state.axis.when(truth.starts[nearest] + look.offset);
  return `The nearest miss, ${when}, peaks at ${general(peak, 3)}: a threshold low enough for it brings ${more > 0 ? many(more, "more false alarm") : "no more false alarms"}.`;
}

/** The line to cite: the command line's at the threshold that was given, and the same words for what is on screen elsewhere. */
export function citation(state: State, look: Look): string {
  const one = state.data.detectors[look.detector];
  if (!state.moved(look.detector) && state.asJudged) return one.verdict.cite;
  const { width, islands, margin } = state.settings;
  const where = { normal: "on normal points", spill: "on any point (spill)", printed: "as printed", all: "of every flag (all)" }[islands];
  const scope = state.everySeries ? "" : `, ${state.data.series[state.series]} alone`;
  return `to cite: F1_BA ${two(look.rates.f1_ba.f)}, w=${width}, islands ${where}, margin ${margin}, threshold ${shownThreshold(one, state.asked(look.detector))} (${state.moved(look.detector) ? "moved by hand" : "as given"}) of ${one.name}${scope}, adjudge ${state.data.version}`;
}
