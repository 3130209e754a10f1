// What Python put into the page: typed arrays as base64, inside one block of JSON, which is deflated.

export interface Packed {
  /** Numbers, bits, or whole numbers of one to six bytes. */
  type: "f8" | "f4" | "i4" | "bits" | `u${1 | 2 | 3 | 4 | 5 | 6}`;
  length: number;
  data: string;
  /** Of whole numbers: how many digits stand behind the point, and what is added before. */
  digits?: number;
  least?: number;
  /** Of cells: the lowest and the highest value, and how many there are. */
  low?: number;
  high?: number;
  cells?: number;
}

export async function payload<T>(): Promise<T> {
  const packed = new Blob([bytes(document.getElementById("payload")!.textContent!) as BlobPart]);
  const text = await new Response(packed.stream().pipeThrough(new DecompressionStream("deflate"))).text();
  return JSON.parse(text) as T;
}

export function floats(packed: Packed): Float64Array {
  const buffer = bytes(packed.data).buffer as ArrayBuffer;
  if (packed.type === "f8") return new Float64Array(buffer);
  if (packed.type === "f4") return Float64Array.from(new Float32Array(buffer));
  if (packed.digits !== undefined) return wholes(packed).map((value) => (value + packed.least!) / 10 ** packed.digits!);
  if (packed.type === "i4") return Float64Array.from(new Int32Array(buffer));
  return packed.type === "bits" ? Float64Array.from(mask(packed)) : wholes(packed);
}

/** Scores to draw: those in cells are the upper ends of theirs, and every level is one of these. */
export function scores(packed: Packed, levels: Float64Array): Float64Array {
  const { low, high, cells } = packed;
  if (low === undefined || high === undefined || cells === undefined) return floats(packed);
  const step = (high - low) / cells || 1;
  const even = Array.from({ length: cells + 1 }, (_, i) => low + step * (i - 1));
  const own = levels.filter((level) => level >= low && level <= high);
  const ends = Float64Array.from(new Set(Float64Array.from([...even, high, ...own]).sort()));
  return wholes(packed).map((cell) => (cell === ends.length ? Infinity : cell ? ends[cell] : -Number.MAX_VALUE));
}

/** A column of a table: a short one came as a list. */
export const column = (given: Packed | (number | string | null)[]): Float64Array => (Array.isArray(given) ? Float64Array.from(given, real) : floats(given));

function wholes(packed: Packed): Float64Array {
  const raw = bytes(packed.data);
  const size = Number(packed.type.slice(1));
  const values = new Float64Array(packed.length);
  for (let i = 0; i < values.length; i++) for (let place = size - 1; place >= 0; place--) values[i] = 256 * values[i] + raw[i * size + place];
  return values;
}

export const integers = (packed: Packed): Int32Array =>
  new Int32Array(bytes(packed.data).buffer as ArrayBuffer);

export function mask(packed: Packed): Uint8Array {
  const raw = bytes(packed.data);
  return Uint8Array.from({ length: packed.length }, (_, i) => (raw[i >> 3] >> (i & 7)) & 1);
}

/** Infinities travel as text, which JSON can hold; what is undefined as null. */
export const real = (value: number | string | null): number =>
  value === null ? NaN : value === "inf" ? Infinity : value === "-inf" ? -Infinity : Number(value);

function bytes(text: string): Uint8Array {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out;
}
