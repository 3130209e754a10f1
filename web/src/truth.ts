// The truth: events as half-open intervals, the series they lie in, and which points are judged.

export interface Truth {
  readonly n: number;
  readonly starts: Int32Array;
  readonly stops: Int32Array;
  /** Where each series begins, closed by n. */
  readonly bounds: Int32Array;
  /** 1 where a point belongs to an event. */
  readonly label: Uint8Array;
  /** 1 where a point is judged and belongs to no event. */
  readonly normal: Uint8Array;
  readonly judged: Uint8Array | null;
}

export function truth(
  n: number,
  starts: Int32Array,
  stops: Int32Array,
  bounds: Int32Array,
  judged: Uint8Array | null,
): Truth {
  const label = new Uint8Array(n);
  const normal = new Uint8Array(n);
  starts.forEach((start, e) => label.fill(1, start, stops[e]));
  for (let i = 0; i < n; i++) normal[i] = label[i] || (judged && !judged[i]) ? 0 : 1;
  return { n, starts, stops, bounds, label, normal, judged };
}

/** The events and points of one series, counted from its first point. */
export function oneSeries(all: Truth, first: number, stop: number): Truth {
  const inside = [...all.starts.keys()].filter((e) => all.starts[e] >= first && all.stops[e] <= stop);
  return truth(
    stop - first,
    Int32Array.from(inside, (e) => all.starts[e] - first),
    Int32Array.from(inside, (e) => all.stops[e] - first),
    all.bounds.filter((bound) => bound >= first && bound <= stop).map((bound) => bound - first),
    all.judged && all.judged.slice(first, stop),
  );
}

