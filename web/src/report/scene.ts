// What stands on the time axis: traces of values, lanes of bars, and what can be pointed at.

import { type Alarms, outside } from "../alarms";
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
  /** What can be pointed at: asked for when somebody points. */
  marks: () => Mark[];
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
  if (overview) traces.push({ name: "score", kind: "score", values: new Float64Array(0), columns: extremes(state, overview) });
  else if (!current.flags) traces.push({ name: "score", kind: "score", values: own(current.scores), ...behind(state) });
  let known: Mark[] | null = null;
  return {
    axis,
    traces,
    lanes: new Lanes(state, looks, first, stop).of(look),
    marks: () => (known ??= marks(state, looks, look, first, stop)),
    threshold: current.flags ? null : state.asked(),
    handle: cut(shownThreshold(current, state.asked(), look.place)),
    holes: axis.gaps.map((point) => [axis.start(point - 1) + axis.step, axis.start(point)]),
    said: `score, events and alarms over time: ${look.found} of ${many(look.missed.length, "event")} found, ${many(look.wrong, "false alarm")}; the table below lists them`,
  };
}

function behind(state: State): { behind?: Float64Array } {
  const other = state.overlay === null ? null : state.data.detectors[state.overlay];
  return other && other !== state.current && other.scores.length && !other.flags ? { behind: state.part(other.scores) } : {};
}

/** The columns that begin in the series on show. */
function within(state: State): number[] {
  const { columns, wholes } = state.data;
  const [first, stop] = [wholes[state.series], wholes[state.series + 1]];
  const found: number[] = [];
  for (let c = 0; c + 1 < columns.length; c++) if (columns[c] >= first && columns[c] < stop) found.push(c);
  return found;
}

const drawn = new WeakMap<object, Trace["columns"] & { series: number }>();

function extremes(state: State, { low, high }: { low: Float64Array; high: Float64Array }): NonNullable<Trace["columns"]> {
  const known = drawn.get(low);
  if (known?.series === state.series) return known;
  const chosen = within(state);
  const of = (values: Float64Array) => Float64Array.from(chosen, (c) => values[c]);
  const found = { starts: Int32Array.from(chosen, (c) => state.data.columns[c] - state.first), low: of(low), high: of(high), series: state.series };
  drawn.set(low, found);
  return found;
}

const kept = new WeakMap<Look, { axis: Axis; bars: Bar[] }>();

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
    const { truth, detectors } = this.state.data;
    const { current } = this.state;
    const lanes: Lane[] = [{ name: "events", bars: this.bars(truth.starts, truth.stops, (e) => (look.missed[e] ? "missed" : "event")) }];
    const name = detectors.length > 1 ? current.name : "alarms";
    const { overview } = current;
    if (overview) lanes.push({ name, bars: [...this.columns(overview.hits, look.place, "right"), ...this.columns(overview.falls, look.place, "wrong")] });
    else lanes.push({ name, bars: this.alarms(look.alarms!) });
    const wrong = overview ? this.columns(overview.falls, look.place, "wrong") : this.wrong(look.alarms!);
    for (const { lanes: own, title } of look.missed.length ? [...current.metrics].reverse() : []) {
      if (own) lanes.push({ name: `what ${title} counts`, bars: [...this.columns(own.credited, look.place, "right"), ...this.columns(own.charged, look.place, "island"), ...wrong] });
    }
    return [...lanes, ...this.others(look)];
  }

  private alarms({ starts, stops, touched }: Alarms): Bar[] {
    return this.bars(starts, stops, (a) => (touched[a] < 0 ? "wrong" : "right"));
  }

  /** What was flagged of normal points. */
  private wrong({ starts, stops }: Alarms): Bar[] {
    const parts = [...starts].flatMap((start, a) => outside(start, stops[a], this.state.data.truth));
    return this.bars(parts.map(([from]) => from), parts.map(([, to]) => to), () => "wrong");
  }

  private others(look: Look): Lane[] {
    const { detectors } = this.state.data;
    const rest = [...detectors.keys()].filter((d) => d !== look.detector).slice(0, MOST);
    return rest.map((d) => ({ name: detectors[d].name, bars: this.still(this.looks.of(d)), thin: true }));
  }

  /** Another detector's alarms, which stay while a hand moves this one's threshold. */
  private still(look: Look): Bar[] {
    const known = kept.get(look);
    if (known?.axis === this.axis) return known.bars;
    const { overview } = this.state.data.detectors[look.detector];
    const bars = look.alarms ? this.alarms(look.alarms) : [...this.columns(overview!.hits, look.place, "right"), ...this.columns(overview!.falls, look.place, "wrong")];
    kept.set(look, { axis: this.axis, bars });
    return bars;
  }

  /** Columns that hold what is flagged at a level: neighbours as one. */
  private columns(codes: Float64Array, place: number, kind: Kind): Bar[] {
    const { columns } = this.state.data;
    const [starts, stops]: [number[], number[]] = [[], []];
    for (let c = 0; c < codes.length; c++) {
      if (codes[c] > place) continue;
      if (stops.at(-1) === columns[c]) stops[stops.length - 1] = columns[c + 1];
      else [starts[starts.length], stops[stops.length]] = [columns[c], columns[c + 1]];
    }
    return this.bars(starts, stops, () => kind);
  }

  private bars(starts: ArrayLike<number>, stops: ArrayLike<number>, kind: (place: number) => Kind): Bar[] {
    const { first, stop, axis } = this;
    const found: Bar[] = [];
    for (let i = 0; i < starts.length; i++) {
      if (stops[i] <= first || starts[i] >= stop) continue;
      found.push({ from: axis.start(Math.max(starts[i], first) - first), to: axis.end(Math.min(stops[i], stop) - first), kind: kind(i) });
    }
    return found;
  }
}

/** The events and alarms of the series on show, in words. */
function marks(state: State, looks: Looks, look: Look, first: number, stop: number): Mark[] {
  const { axis, data } = state;
  const found: Mark[] = [];
  const add = (id: string, start: number, end: number, words: string) => {
    const [from, to] = [start - first, end - first];
    if (to > 0 && from < stop - first) found.push({ id, from: axis.start(from), to: axis.end(to), words });
  };
  look.missed.forEach((missed, e) => add(`e${e}`, data.truth.starts[e], data.truth.stops[e], `event ${e + 1}: ${missed ? "missed" : Number.isNaN(look.delays[e]) ? "found" : `found after ${lengthWords(look.delays[e], looks.timed)}`}`));
  look.alarms?.starts.forEach((start, a) => {
    const event = look.alarms!.touched[a];
    add(`a${start}`, start, look.alarms!.stops[a], event < 0 ? "false alarm" : `alarm, right about event ${event + 1}`);
  });
  return found;
}
