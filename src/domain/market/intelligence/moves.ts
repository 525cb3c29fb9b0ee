// How far a price went, in percent of where it was (A 2.6 rule 1).

/** Negative: the runner shortened. From win probabilities, since a price is the inverse of one; null where either is not known. */
export function movePct(then: number | null, now: number | null): number | null {
  return then === null || now === null ? null : (then / now - 1) * 100;
}
