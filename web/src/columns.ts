// Which scores can be drawn.

/** Whether a score can be drawn: not an infinity, nor the lowest float, as which -inf is read. */
export const drawable = (score: number): boolean => Number.isFinite(score) && score !== -Number.MAX_VALUE;
