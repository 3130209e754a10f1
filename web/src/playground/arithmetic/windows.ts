// The highest value around each point, within its series.

/** Give each point the maximum over `before` points to its left and `after` to its right. */
export function movingMax(
  values: Float64Array,
  before: number,
  after: number,
  bounds: Int32Array,
): Float64Array {
  const highest = new Float64Array(values.length);
  const queue = new Int32Array(values.length); // places whose values fall: the first is the highest
  for (let s = 0; s + 1 < bounds.length; s++) {
    const stop = bounds[s + 1];
    let head = 0;
    let tail = 0;
    let next = bounds[s];
    for (let i = next; i < stop; i++) {
      for (; next < stop && next <= i + after; next++) {
        while (tail > head && values[queue[tail - 1]] <= values[next]) tail--;
        queue[tail++] = next;
      }
      while (queue[head] < i - before) head++;
      highest[i] = values[queue[head]];
    }
  }
  return highest;
}
