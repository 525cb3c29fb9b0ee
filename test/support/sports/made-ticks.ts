// Matches with generated captures, written directly to their tables: as many as a test needs, faster than pushes.
import type { TestDatabase } from '../servers/database';

export interface MadeTick {
  readonly eventId: string;
  readonly bookmaker: string;
  readonly market: string;
  readonly capturedAt: string;
  /** Home, draw, away, and the points of both sides. */
  readonly prices: readonly [number | null, number | null, number | null, number | null, number | null];
}

export async function addMadeMatch(
  { pool }: TestDatabase,
  {
    eventId,
    sportKey,
    commenceTime,
  }: { readonly eventId: string; readonly sportKey: string; readonly commenceTime: string },
): Promise<void> {
  await pool.query(
    `INSERT INTO sport_events (event_id, canonical_event_id, sport_key, home_key, away_key, home_team, away_team, commence_time, first_seen_at)
     VALUES ($1, $2, $3, 'home', 'away', 'Home', 'Away', $4, '2026-10-01T00:00:00Z')`,
    [eventId, `${sportKey}:${eventId}`, sportKey, commenceTime],
  );
}

/** Each market once; its quotes are stored, as pushes leave them. */
export async function addMadeTicks({ pool }: TestDatabase, ticks: readonly MadeTick[]): Promise<void> {
  const column = <T>(of: (tick: MadeTick) => T): T[] => ticks.map(of);
  await pool.query(
    `INSERT INTO sport_ticks (event_id, bookmaker_key, market, captured_at, home_price, draw_price, away_price, home_point, away_point)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::float8[], $6::float8[], $7::float8[], $8::float8[], $9::float8[])`,
    [
      column((one) => one.eventId),
      column((one) => one.bookmaker),
      column((one) => one.market),
      column((one) => one.capturedAt),
      ...[0, 1, 2, 3, 4].map((i) => column((one) => one.prices[i])),
    ],
  );
  await pool.query(
    `INSERT INTO sport_quotes (event_id, bookmaker_key, market, observed_at, changed_at)
     SELECT event_id, bookmaker_key, market, max(captured_at), max(captured_at) FROM sport_ticks GROUP BY 1, 2, 3 ON CONFLICT DO NOTHING`,
  );
}
