// What stands on the time axis: traces of values, lanes of bars, and what can be pointed at.

import { type Alarms, outside } from "../sweep/alarms";
import { many } from "../numbers";
import { type Axis, lengthWords } from "./axis";
import type { Look, Looks } from "./look";
import { shownThreshold } from "./scale";
import type { State } from "./state";

export type Kind = "event" | "missed" | "right" | "wrong" | "island" | "unwatched";

export interface Bar {
  from: number;
  to: number;
  kind: Kind;
}

export interface Lane {
  name: string;
  bars: Bar[];
  /** A lane of another detector. */
  thin?: boolean;
  /** Where this lane was not watched. */
  holes?: [number, number][];
}

export interface Trace {
  name: string;
  kind: "score" | "signal";
  /** One value per point of the axis; or the lowest and highest of columns of points. */
  values: Float64Array;
  /** The scores of another detector, drawn behind on the same scale. */
  behind?: Float64Array;
  columns?: { starts: Int32Array; low: Float64Array; high: Float64Array };
}

/** Something that can be pointed at. */
export interface Mark {
  id: string;
  from: number;
  to: number;
  words: string;
}

export interface Scene {
  axis: Axis;
  traces: Trace[];
  lanes: Lane[];
  marks: Mark[];
  threshold: number | null;
  /** The threshold in so few letters as fit its handle. */
  handle: string;
  /** What the map of the whole shows, if not the first two lanes. */
  map?: Bar[];
  /** Where time was not watched, or there are no data. */
  holes: [number, number][];
  said: string;
}

/** A text that is not rounded: what does not fit is left out, and that is shown. */
const cut = (text: string): string => (text.length > 6 ? `${text.slice(0, 5)}…` : text);

const MOST = 4; // other detectors with a lane

export function sceneOf(state: State, looks: Looks, look: Look): Scene {
  const { axis, data, series, current } = state;
  const [first, stop] = [data.wholes[series], data.wholes[series + 1]];
  const own = (values: Float64Array) => state.part(values);
  const traces: Trace[] = data.signals.map(({ name, values }) => ({ name, kind: "signal", values: own(values) }));
  const { overview } = current;
  if (overview) traces.push({ name: "score", kind: "score", values: new Float64Array(0), columns: overview.extremes(first, stop) });
  else if (!current.flags) traces.push({ name: "score", kind: "score", values: own(current.scores), ...behind(state) });
  return {
    axis,
    traces,
    lanes: new Lanes(state, looks, first, stop).of(look),
    marks: marks(state, looks, look, first, stop),
    threshold: current.flags ? null : state.threshold(),
    handle: cut(shownThreshold(current, state.asked())),
    holes: axis.gaps.map((point) => [axis.start(point - 1) + axis.step, axis.start(point)]),
    said: `score, events and alarms over time: ${look.found} of ${many(look.missed.length, "event")} found${Number.isNaN(look.wrong) ? "" : `, ${many(look.wrong, "false alarm")}`}; the table below lists them`,
  };
}

function behind(state: State): { behind?: Float64Array } {
  const other = state.overlay === null ? null : state.data.detectors[state.overlay];
  return other && other !== state.current && other.scores.length && !other.flags ? { behind: state.part(other.scores) } : {};
}

class Lanes {
  private readonly axis: Axis;

  constructor(
    private readonly state: State,
    private readonly looks: Looks,
    private readonly first: number,
    private readonly stop: number,
  ) {
    this.axis = state.axis;
  }

  of(look: Look): Lane[] {
    const events = this.bars(look.missed.map((missed, e) => [look.truth.starts[e], look.truth.stops[e], missed ? "missed" : "event"]), look.offset);
    const credit = events.map((bar): Bar => (bar.kind === "event" ? { ...bar, kind: "right" } : bar));
    const lanes: Lane[] = [{ name: "events", bars: events }];
    const several = this.state.data.detectors.length > 1;
    const name = several ? this.state.current.name : "alarms";
    if (!look.alarms) return [...lanes, ...this.columns()];
    const flags = this.bars(this.alarms(look.alarms), look.offset);
    lanes.push({ name, bars: flags });
    const wrong = this.bars([...look.alarms.starts].flatMap((start, a) => outside(start, look.alarms!.stops[a], look.truth).map(([from, to]): [number, number, Kind] => [from, to, "wrong"])), look.offset);
    if (look.missed.length) {
      lanes.push({ name: "what PA counts", bars: [...credit, ...wrong] });
      lanes.push({ name: "what BA counts", bars: [...credit, ...this.islands(look), ...wrong] });
    }
    return [...lanes, ...this.others(look)];
  }

  private alarms({ starts, stops, touched }: Alarms): [number, number, Kind][] {
    return Array.from(starts, (start, a) => [start, stops[a], touched[a] < 0 ? "wrong" : "right"]);
  }

  private others(look: Look): Lane[] {
    const { detectors } = this.state.data;
    const rest = [...detectors.keys()].filter((d) => d !== look.detector).slice(0, MOST);
    return rest.map((d) => {
      const { alarms, offset } = this.looks.of(d);
      return { name: detectors[d].name, bars: alarms ? this.bars(this.alarms(alarms), offset) : [], thin: true };
    });
  }

  /** Normal points that islands mark, run by run. */
  private islands(look: Look): Bar[] {
    const { state } = this;
    const counted = state.families(look.detector).adjusted("f1_ba", state.settings);
    const at = state.threshold(look.detector);
    const runs: [number, number, Kind][] = [];
    const { normal } = look.truth;
    const [from, to] = [this.first - look.offset, this.stop - look.offset];
    for (let i = from; i < to; i++) {
      if (!(normal[i] && counted[i] > at)) continue;
      const start = i;
      while (i < to && normal[i] && counted[i] > at) i++;
      runs.push([start, i, "island"]);
    }
    return this.bars(runs, look.offset);
  }

  /** Of a series in overview: columns that hold an alarm. */
  private columns(): Lane[] {
    const { state } = this;
    const { overview } = state.current;
    const at = state.threshold();
    const lane = (kind: "hits" | "falls" | "counted" | "islands", as: Kind) => this.bars(overview!.above(kind, at, this.first, this.stop).map(([from, to]): [number, number, Kind] => [from, to, as]), 0);
    const several = state.data.detectors.length > 1;
    return [
      { name: several ? state.current.name : "alarms", bars: [...lane("hits", "right"), ...lane("falls", "wrong")] },
      { name: "what BA counts", bars: [...lane("islands", "island"), ...lane("counted", "right"), ...lane("falls", "wrong")] },
    ];
  }

  private bars(stretches: [number, number, Kind][], offset: number): Bar[] {
    const { first, stop, axis } = this;
    const inside = stretches.filter(([from, to]) => to + offset > first && from + offset < stop);
    return inside.map(([from, to, kind]) => ({ from: axis.start(from + offset - first), to: axis.end(to + offset - first), kind }));
  }
}

/** The events and alarms of the series on show, in words. */
function marks(state: State, looks: Looks, look: Look, first: number, stop: number): Mark[] {
  const { axis } = state;
  const found: Mark[] = [];
  const add = (id: string, start: number, end: number, words: string) => {
    const [from, to] = [start + look.offset - first, end + look.offset - first];
    if (to > 0 && from < stop - first) found.push({ id, from: axis.start(from), to: axis.end(to), words });
  };
  look.missed.forEach((missed, e) => add(`e${e}`, look.truth.starts[e], look.truth.stops[e], `event ${e + 1}: ${missed ? "missed" : Number.isNaN(look.delays[e]) ? "found" : `found after ${lengthWords(look.delays[e], looks.timed)}`}`));
  look.alarms?.starts.forEach((start, a) => {
    const event = look.alarms!.touched[a];
    add(`a${start + look.offset}`, start, look.alarms!.stops[a], event < 0 ? "false alarm" : `alarm, right about event ${event + 1}`);
  });
  return found;
}
