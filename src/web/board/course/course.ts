// What a runner's row has beside the books' prices, as values: the course of its best price, the tote's estimate, and
// the legs of a same-race multi.

export interface PricedAt {
  readonly price: number;
  readonly atMs: number;
}

/** Columns of the best price as it stood at a mark before the advertised start, in order of time. */
export const FLUCTUATION_MARKS = ['t60', 't30', 't10', 't5'] as const;
export type FluctuationMark = (typeof FLUCTUATION_MARKS)[number];

/** The course of the best price of a runner. */
export interface Fluctuations {
  /** The first best price of the capture window (A 2.7): no true market open. Null before it is captured. */
  readonly first: PricedAt | null;
  /** Null at a mark that is still to come, and where no price stood then. */
  readonly marks: Readonly<Record<FluctuationMark, number | null>>;
}

/** An estimate of a pool before the jump: no price that can be had (A 2.4 rule 3). */
export interface ToteEstimate {
  readonly amount: number;
  readonly product: string;
  readonly book: string;
  readonly polledMs: number;
  readonly stale: boolean;
  readonly staleFromMs: number | null;
}

/** Legs of a same-race multi: the runner finishes in the first two, three or four. */
export const MULTI_LEGS = ['top2', 'top3', 'top4'] as const;
export type MultiLeg = (typeof MULTI_LEGS)[number];
