// When the prices of a series stood: from the poll that showed one first, or again, to the last poll that still showed
// it. Built from what is stored of the changes; never extends a price beyond the last poll that observed it.

/** A captured price was on offer, as far as polls observed it. Epoch milliseconds of race time. */
export interface Stand {
  readonly fromMs: number;
  /** The last poll that saw it; never before `fromMs`. */
  readonly seenMs: number;
}

/** One stored change of a series. */
export interface SeriesChange {
  readonly atMs: number;
  /** A captured price; `gone`: the last one is no longer shown; `back`: it is shown again. */
  readonly what: number | 'gone' | 'back';
  /** The book's poll before the change, which saw the price that stood until then; NaN: unknown. */
  readonly seenBeforeMs: number;
}

/**
 * @param changes ascending, of one runner at one book
 * @param seenMs the last poll that saw what the last change left standing; NaN: unknown
 */
export function standsOf(changes: readonly SeriesChange[], seenMs: number): Stand[] {
  return changes.flatMap(({ what, atMs }, i) => {
    const lastMs = i + 1 < changes.length ? changes[i + 1]!.seenBeforeMs : seenMs;
    return what === 'gone' ? [] : [{ fromMs: atMs, seenMs: lastMs > atMs ? lastMs : atMs }];
  });
}
