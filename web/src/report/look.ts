// A look: everything that the page says of one detector at one threshold. Python counted it all; here it is looked up.

import { type Alarms, alarmsOf } from "../alarms";
import type { ChanceAt, Metric } from "./metric";
import type { State } from "./state";

export interface Look {
  readonly detector: number;
  /** The number of the level. */
  readonly place: number;
  readonly metric: Metric;
  readonly value: number;
  /** Null: chance is not known. */
  readonly chance: ChanceAt | null;
  /** Where alarms are, to draw; null: the series is shown in overview. */
  readonly alarms: Alarms | null;
  readonly missed: boolean[];
  readonly found: number;
  readonly wrong: number;
  readonly right: number;
  readonly flagged: number;
  /** False alarms in a week of watched time; NaN without times. */
  readonly perWeek: number;
  /** From the start of each event to its first flag, in seconds or points; NaN: missed, or not known. */
  readonly delays: Float64Array;
  readonly delay: number;
  readonly slowest: number;
}

export class Looks {
  private readonly known = new Map<number, Look>();

  constructor(private readonly state: State) {}

  get timed(): boolean {
    return this.state.data.calendar !== null;
  }

  /** The detector as it is now. */
  of(detector = this.state.detector): Look {
    const place = this.state.place(detector);
    const known = this.known.get(detector);
    if (known?.place === place) return known;
    const look = this.at(detector, place);
    this.known.set(detector, look);
    return look;
  }

  private at(detector: number, place: number): Look {
    const { truth, detectors } = this.state.data;
    const { levels, metrics, codes, overview, scores } = detectors[detector];
    const [metric] = metrics;
    const alarms = overview ? null : alarmsOf(scores, truth, levels.at[place]);
    const of = (column: Parameters<typeof levels.of>[0]) => levels.of(column, place);
    return {
      detector,
      place,
      metric,
      alarms,
      value: metric.at(place),
      chance: metric.chance(place),
      missed: Array.from(codes, (code) => code > place),
      found: of("found"),
      wrong: of("wrong"),
      right: of("right"),
      flagged: of("flagged"),
      perWeek: of("per_week"),
      delays: this.delays(alarms),
      delay: of("delay"),
      slowest: of("slowest"),
    };
  }

  private delays(alarms: Alarms | null): Float64Array {
    const { time, truth } = this.state.data;
    const when = (point: number) => (this.timed && time ? time[point] : point);
    return Float64Array.from(truth.starts, (start, e) => (alarms && alarms.first[e] >= 0 ? when(alarms.first[e]) - when(start) : NaN));
  }
}
