// How far computed figures are rounded, here at the edge and nowhere before: prices and percentages to 2 decimals, probabilities to 12, so
// that they still sum to 1 within a billionth.

const to =
  (decimals: number) =>
  <T extends number | null>(value: T): T =>
    (value === null ? null : Math.round(value * 10 ** decimals) / 10 ** decimals) as T;

export const roundPrice = to(2);
export const roundPct = to(2);
export const roundProbability = to(12);
