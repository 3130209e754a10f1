// Fewer points to draw, none of them lost: each column of pixels keeps its lowest and highest value.

/** Whether a score can be drawn: not an infinity, nor the lowest float, as which -inf is read. */
export const drawable = (score: number): boolean => Number.isFinite(score) && score !== -Number.MAX_VALUE;

/** The highest value of each column over the points where the mask is 1; -inf where there is none. */
export function columnMax(
  values: Float64Array,
  mask: Uint8Array,
  start: number,
  stop: number,
  columns: number,
): Float64Array {
  const highest = new Float64Array(columns).fill(-Infinity);
  const per = (stop - start) / columns;
  if (per < 1) {
    for (let c = 0; c < columns; c++) {
      const i = Math.min(stop - 1, start + Math.floor(c * per));
      if (mask[i]) highest[c] = values[i];
    }
    return highest;
  }
  for (let i = start; i < stop; i++) {
    const c = Math.min(columns - 1, Math.floor((i - start) / per));
    if (mask[i] && values[i] > highest[c]) highest[c] = values[i];
  }
  return highest;
}

/** The places of the lowest and the highest drawable value of each column, in order. */
export function extremes(values: Float64Array, start: number, stop: number, columns: number): number[] {
  const places: number[] = [];
  if (stop - start <= 2 * columns) {
    for (let i = start; i < stop; i++) places.push(i);
    return places;
  }
  for (let c = 0; c < columns; c++) {
    const from = start + Math.floor((c * (stop - start)) / columns);
    const to = start + Math.floor(((c + 1) * (stop - start)) / columns);
    let [low, high] = [from, from];
    for (let i = from; i < to; i++) {
      if (!drawable(values[i])) continue;
      if (values[i] < values[low] || !drawable(values[low])) low = i;
      if (values[i] > values[high] || !drawable(values[high])) high = i;
    }
    places.push(Math.min(low, high));
    if (low !== high) places.push(Math.max(low, high));
  }
  return places;
}
