// Numbers as the terminal prints them: Python's "{:.4f}" and "{:.6g}", and a word for what is undefined.

/** Print with so many decimals; exact halves go to the even digit, as in Python. */
export function fixed(value: number, digits: number): string {
  if (!Number.isFinite(value)) return plain(value);
  const exact = Math.abs(value) < 1e15 ? value.toFixed(60) : "";
  const rest = exact.slice(exact.indexOf(".") + 1 + digits);
  if (!/^50*$/.test(rest)) return value.toFixed(digits);
  const low = digits ? exact.slice(0, exact.length - rest.length) : exact.slice(0, exact.indexOf("."));
  return "02468".includes(low.at(-1) ?? "") ? low : value.toFixed(digits);
}

/** A value of a metric. */
export const metric = (value: number): string => (Number.isNaN(value) ? "undefined" : fixed(value, 4));

/** Print at most so many significant digits, without trailing zeros. */
export function general(value: number, digits = 6): string {
  if (!Number.isFinite(value) || value === 0) return plain(value);
  const [mantissa, power] = value.toExponential(digits - 1).split("e") as [string, string];
  const exponent = Number(power);
  if (exponent >= -4 && exponent < digits) return trimmed(value.toFixed(digits - 1 - exponent));
  return `${trimmed(mantissa)}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** Every digit that is needed to read the same number back. */
export const exact = (value: number): string => (Number.isFinite(value) ? String(value) : plain(value));

const COMMAS = new Intl.NumberFormat("en-GB"); // made once: each would take longer than what it writes

/** A count with commas between thousands. */
export const count = (value: number): string => COMMAS.format(value);

export const percent = (share: number): string => `${fixed(100 * share, 0)} %`;

/** A share that may be small: "0.36 %", "12 %". */
export const fine = (share: number): string => (share >= 0.1 ? percent(share) : `${general(100 * share, 2)} %`);

/** "1 point", "2 points". */
export const many = (value: number, word: string): string => `${count(value)} ${word}${value === 1 ? "" : "s"}`;

const trimmed = (text: string): string => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);

const plain = (value: number): string =>
  Number.isNaN(value) ? "undefined" : value === 0 ? "0" : value < 0 ? "-inf" : "inf";
