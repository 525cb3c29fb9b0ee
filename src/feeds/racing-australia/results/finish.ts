// Reads the Finish column: a place, or a code for a runner without one.
// An undocumented code is never guessed: its field is not final.

export type Finish =
  | { readonly kind: 'placed'; readonly position: number }
  /** It jumped; `abnormal` is the reason for having no place. */
  | { readonly kind: 'unplaced'; readonly abnormal: string }
  | { readonly kind: 'out'; readonly abnormal: string | null }
  | { readonly kind: 'blank' }
  | { readonly kind: 'unknown' };

/**
 * Fell, PulledUp and Disqualified are the contract's terms (reference-shapes 3.4); for other codes we use the plain
 * meaning.
 */
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
 * SB is scratched at the barrier (A 2.11 rule 1). Readers disagree on it; a page of 25 October 2025 settles it: the
 * horse marked SB in a race set for 4:10PM is a late scratching at 4:11PM in the comments, and carries a weight, which
 * earlier scratchings do not.
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
