// Tote product names of Entain (AU, NZ) and TAB to ours (D27). Data; unknown names stay unknown.

export type ToteProduct =
  | { readonly kind: 'straight'; readonly market: 'WIN' | 'PLC' }
  | { readonly kind: 'exotic'; readonly code: 'QN' | 'EX' | 'TF' | 'FF' }
  /** `consecutive`: the legs are the races up to this one (true of all 1,770 recorded pools); a daily double skips a race. */
  | { readonly kind: 'multi'; readonly code: string; readonly type: string; readonly consecutive: boolean };

const multi = (code: string, type: string, consecutive = true): ToteProduct => ({
  kind: 'multi',
  code,
  type,
  consecutive,
});
const exotic = (code: 'QN' | 'EX' | 'TF' | 'FF'): ToteProduct => ({ kind: 'exotic', code });
const QUADDIE = multi('QD', 'Quaddie');
const EARLY_QUADDIE = multi('EQ', 'Early Quaddie');

const BY_NAME: ReadonlyMap<string, ToteProduct> = new Map([
  ['win', { kind: 'straight', market: 'WIN' }],
  ['place', { kind: 'straight', market: 'PLC' }],
  ['quinella', exotic('QN')],
  ['exacta', exotic('EX')],
  ['trifecta', exotic('TF')],
  ['firstfour', exotic('FF')],
  ['first4', exotic('FF')],
  ['quadrella', QUADDIE],
  ['quaddie', QUADDIE],
  ['earlyquadrella', EARLY_QUADDIE],
  ['earlyquaddie', EARLY_QUADDIE],
  ['big6', multi('B6', 'Big 6')],
  ['giant6', multi('G6', 'Giant 6')],
  ['treble', multi('TR', 'Treble')],
  ['runningdouble', multi('RD', 'Running Double')],
  ['dailydouble', multi('DD', 'Daily Double', false)],
]);

/** `Tote Win`, `Pool Win` and `Win` are one product; so are `First Four`, `FirstFour` and `Pool First4`. */
export function toteProduct(name: string | null): ToteProduct | null {
  const folded = name?.toLowerCase().replace(/^(tote|pool) /, '') ?? '';
  return BY_NAME.get(folded.replace(/[^a-z0-9]/g, '')) ?? null;
}

/** Race numbers of a multi-leg bet that ends with race `last`; empty (unknown) if they cannot be derived. */
export function legsUpTo(last: number, legs: number, consecutive: boolean): { raceNumber: number }[] {
  if (!consecutive || legs > last) return [];
  return Array.from({ length: legs }, (_, i) => ({ raceNumber: last - legs + 1 + i }));
}
