// What Python put into the page: typed arrays as base64, inside one block of JSON.

export interface Packed {
  type: "f8" | "f4" | "i4" | "u1" | "bits";
  length: number;
  data: string;
}

export function payload<T>(): T {
  return JSON.parse(document.getElementById("payload")?.textContent ?? "null") as T;
}

export function floats(packed: Packed): Float64Array {
  const buffer = bytes(packed.data).buffer as ArrayBuffer;
  if (packed.type === "f8") return new Float64Array(buffer);
  if (packed.type === "f4") return Float64Array.from(new Float32Array(buffer));
  if (packed.type === "i4") return Float64Array.from(new Int32Array(buffer));
  return Float64Array.from(mask(packed));
}

export const integers = (packed: Packed): Int32Array =>
  new Int32Array(bytes(packed.data).buffer as ArrayBuffer);

export function mask(packed: Packed): Uint8Array {
  const raw = bytes(packed.data);
  if (packed.type === "u1") return raw;
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
