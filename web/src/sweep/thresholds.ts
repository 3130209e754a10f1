// Thresholds: rounded to the scores' own precision, or chosen by a rule that never sees the labels.

/** The type of the scores; or cells of equal width, of which each holds one distinct score at most. */
export type Precision = "f8" | "f4" | "f2" | { low: number; step: number };

/** Round a threshold as the scores were rounded: 0.1 as float32 is not 0.1. */
export function rounded(threshold: number, precision: Precision): number {
  if (precision === "f8" || !Number.isFinite(threshold)) return threshold;
  if (typeof precision === "object") return precision.low + (Math.floor((threshold - precision.low) / precision.step) + 0.5) * precision.step;
  const near = precision === "f4" ? Math.fround(threshold) : half(threshold);
  return Number.isFinite(near) ? near : threshold;
}

/** Round to half precision: 11 significant bits, steps of 2^-24 near zero, ties to even. */
function half(value: number): number {
  if (value === 0) return value;
  const exponent = Math.max(Math.floor(Math.log2(Math.abs(value))), -14);
  const step = 2 ** (exponent - 10);
  const near = toEven(value / step) * step;
  return Math.abs(near) > 65504 ? Math.sign(value) * Infinity : near;
}

function toEven(value: number): number {
  const low = Math.floor(value);
  const over = value - low;
  return over > 0.5 || (over === 0.5 && low % 2 !== 0) ? low + 1 : low;
}

/** The smallest score that at least a share q of the points do not exceed. */
export function quantile(ascending: Float64Array, q: number): number {
  const n = ascending.length;
  let rank = Math.ceil(q * n);
  rank += Number(rank / n < q) - Number((rank - 1) / n >= q);
  return ascending[Math.max(rank, 1) - 1];
}
