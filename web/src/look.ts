// Names and words that all pages share with the terminal and the figures: declared once, in look.json.

import { count } from "./numbers";
import look from "../../src/adjudge/tables/look.json";

export type Score = keyof typeof look.scores;

/** What the four F1 scores are called. */
export const SCORES: Record<Score, string> = look.scores;

/** What a verdict is called: "better than chance", and so on. */
export const WORDS = look.words;

/** The same at the start of a sentence. */
export const started = (words: string): string => words[0].toUpperCase() + words.slice(1);

/** "None of 2,015 time-shifted copies scored as high": of so many others. */
export function asHigh(reached: number, others: number): string {
  const share = (100 * reached) / others;
  if (share >= 0.95) return `${share.toFixed(0)} % of time-shifted copies scored as high`;
  return `${reached ? count(reached) : "None"} of ${count(others)} time-shifted copies scored as high`;
}
