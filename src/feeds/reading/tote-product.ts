// Maps tote product names of Entain (AU, NZ) and TAB to ours (D27). Data; unknown names stay unknown.

export type ToteProduct =
  | { readonly kind: 'straight'; readonly market: 'WIN' | 'PLC' }
  | { readonly kind: 'exotic'; readonly code: 'QN' | 'EX' | 'TF' | 'FF' }
  /**
   * Each leg is `apart` races after the previous one: one race in all 1,770 recorded pools, two in all 301 recorded
   * daily doubles.
   */
  | { readonly kind: 'multi'; readonly code: string; readonly type: string; readonly apart: 1 | 2 };

const multi = (code: string, type: string, apart: 1 | 2 = 1): ToteProduct => ({ kind: 'multi', code, type, apart });
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
  ['dailydouble', multi('DD', 'Daily Double', 2)],
]);

/** `Tote Win`, `Pool Win` and `Win` are the same product; so are `First Four`, `FirstFour` and `Pool First4`. */
export function toteProduct(name: string | null): ToteProduct | null {
  const folded = name?.toLowerCase().replace(/^(tote|pool) /, '') ?? '';
  return BY_NAME.get(folded.replace(/[^a-z0-9]/g, '')) ?? null;
}

/**
 * Race numbers of a multi-leg bet that ends with race `last`; empty (unknown) if it would begin before the first race.
 */
export function legsUpTo(last: number, legs: number, apart: 1 | 2): { raceNumber: number }[] {
  const first = last - (legs - 1) * apart;
  return first < 1 ? [] : Array.from({ length: legs }, (_, i) => ({ raceNumber: first + i * apart }));
}
