// How far two names may be one side: `same` is equality, `compatible` needs a match around it, `different` is never
// one.

export type Likeness = 'same' | 'compatible' | 'different';

const STRENGTH: Readonly<Record<Likeness, number>> = { different: 0, compatible: 1, same: 2 };

export const isStronger = (a: Likeness, b: Likeness): boolean => STRENGTH[a] > STRENGTH[b];

/** Of none: `same`. */
export const weakest = (all: readonly Likeness[]): Likeness => all.reduce((a, b) => (isStronger(a, b) ? b : a), 'same');

/** Of none: `different`. */
export const strongest = (all: readonly Likeness[]): Likeness =>
  all.reduce((a, b) => (isStronger(b, a) ? b : a), 'different');
