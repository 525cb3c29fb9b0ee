// How often a book may be called, wherever the calls are counted.

export interface Rate {
  readonly perSecond: number;
  /** At once, after a quiet spell. */
  readonly burst: number;
}
