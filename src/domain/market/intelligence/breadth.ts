// How many books moved with the market (A 2.6 rule 2).

/** One book that quotes a runner now. */
export interface BookNow {
  readonly price: number;
  /** The price when the window opened, or the first captured price if the book joined later. */
  readonly opening: number | null;
  /** Captured prices on the runner. */
  readonly captured: number;
}

export interface Breadth {
  readonly quoting: number;
  /** Books that quote and have two or more captured prices; the three below partition them. */
  readonly withHistory: number;
  readonly firming: number;
  readonly drifting: number;
  readonly unchanged: number;
}

export function breadthOf(books: readonly BookNow[]): Breadth {
  let firming = 0;
  let drifting = 0;
  let unchanged = 0;
  for (const { price, opening, captured } of books) {
    if (captured < 2 || opening === null) continue;
    if (price < opening) firming++;
    else if (price > opening) drifting++;
    else unchanged++;
  }
  return { quoting: books.length, withHistory: firming + drifting + unchanged, firming, drifting, unchanged };
}
