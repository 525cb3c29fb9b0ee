// The credits of calls whose cost is not constant (A 4). Pure; the meter charges them.

/** Keys issued before this instant keep the flat price of next-to-go (A 4.2, D11). */
export const NEXT_TO_GO_FLAT_BEFORE = '2026-09-22T00:00:00Z';

/**
 * Every part of a version of a file that an account fetches within this time goes under one charge, in the month of the
 * first (D47).
 */
export const FILE_CHARGED_MS = 24 * 3_600_000;

/** A bulk file of a day or a month, once per version, account and `FILE_CHARGED_MS` (A 4.13). */
export const BULK_CREDITS = { day: 20, month: 100 } as const;

/** Of each started minute of a stream (D61). */
export const STREAM_MINUTE_CREDITS = 2;

/** A replay, of each race and each started hour from its first price to its advertised start (D69). */
export const REPLAY_HOUR_CREDITS = 5;

/** A 4.2: 2 credits up to 20 races, 3 up to 60, 4 up to 200; 2 at any size for keys issued before 2026-09-22. */
export function nextToGoCredits(numRaces: number, keyIssuedAt: string): number {
  if (Date.parse(keyIssuedAt) < Date.parse(NEXT_TO_GO_FLAT_BEFORE)) return 2;
  if (numRaces <= 20) return 2;
  return numRaces <= 60 ? 3 : 4;
}

/** B 4.1 to 4.3: rows of the archive as JSON; as CSV or Parquet. */
export const ARCHIVE_CREDITS = { json: 5, csv: 20, parquet: 20 } as const;
