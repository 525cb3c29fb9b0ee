// What the Finish column says: a place, or a code for a runner without one. A code that nobody has explained is not guessed at: the
// field it stands in is not taken as final.

export type Finish =
  | { readonly kind: 'placed'; readonly position: number }
  /** It jumped; `abnormal` is why it has no place. */
  | { readonly kind: 'unplaced'; readonly abnormal: string }
  | { readonly kind: 'out'; readonly abnormal: string | null }
  | { readonly kind: 'blank' }
  | { readonly kind: 'unknown' };

/** Fell, PulledUp and Disqualified are the contract's words (reference-shapes 3.4); where it has none, ours is the code's plain meaning. */
const UNPLACED: Readonly<Record<string, string>> = {
  FF: 'Fell',
  PU: 'PulledUp',
  DQ: 'Disqualified',
  DSQ: 'Disqualified',
  LR: 'LostRider',
  UR: 'LostRider',
  BD: 'BroughtDown',
  DNF: 'DidNotFinish',
  LP: 'LeftAtPost',
};

/**
 * SB is scratched at the barrier (A 2.11 rule 1). A page of 25 October 2025 settles what readers disagree on: the horse marked SB in a
 * race set for 4:10PM stands in the comments as late scratching at 4:11PM, and carries a weight, which earlier scratchings do not.
 */
const OUT: Readonly<Record<string, string | null>> = {
  SB: 'SB',
  SCR: null,
  SCRATCHED: null,
  LSCR: null,
  DNS: 'DidNotStart',
};

export function readFinish(text: string | null): Finish {
  if (text === null) return { kind: 'blank' };
  const position = /^([1-9]\d?)(?:st|nd|rd|th)?$/i.exec(text)?.[1];
  if (position !== undefined) return { kind: 'placed', position: Number(position) };
  const code = text.toUpperCase();
  if (Object.hasOwn(UNPLACED, code)) return { kind: 'unplaced', abnormal: UNPLACED[code]! };
  return Object.hasOwn(OUT, code) ? { kind: 'out', abnormal: OUT[code]! } : { kind: 'unknown' };
}
