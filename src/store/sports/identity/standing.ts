// Existing matches, with what each book lists for them: the basis of rulings and the recheck.
import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';
import type { StandingRow } from '../../../domain/sports/identity/standing-row';

export interface StandingMatch {
  readonly eventId: string;
  readonly sportKey: string;
  readonly homeKey: string;
  readonly awayKey: string;
  readonly homeTeam: string;
  readonly awayTeam: string;
  readonly commenceTime: Instant;
  readonly firstSeenAt: Instant;
  /** The book that listed it first comes first. */
  readonly rows: readonly StandingRow[];
}

const ROWS = `
  SELECT coalesce(json_agg(json_build_object('bookmaker', b.bookmaker_key, 'sourceId', b.source_event_id, 'homeTeam', b.home_name,
           'awayTeam', b.away_name, 'competition', b.competition, 'commenceTime', instant_text(b.commence_time), 'isTurned', b.swapped,
           'isRecorded', b.placed_by IS NOT NULL, 'isRuled', b.ruled_at IS NOT NULL, 'isListed', b.taken_back_at IS NULL,
           'seenAt', instant_text(least(b.observed_at, t.first_at)), 'homeShare', q.share)
           ORDER BY b.placed_by IS NOT DISTINCT FROM 'new' DESC, t.first_at, b.bookmaker_key), '[]')
    FROM sport_event_books b
    CROSS JOIN LATERAL (SELECT min(t.captured_at) AS first_at FROM sport_ticks t
                         WHERE t.event_id = b.event_id AND t.bookmaker_key = b.bookmaker_key) t
    LEFT JOIN LATERAL (
      SELECT q.away_price / (q.home_price + q.away_price) AS share FROM sport_quotes q
       WHERE q.event_id = b.event_id AND q.bookmaker_key = b.bookmaker_key AND q.market = 'h2h'
         AND 1 / q.home_price + 1 / q.away_price + coalesce(1 / q.draw_price, 0) >= 1) q ON true
   WHERE b.event_id = e.event_id`;
const MATCH = `e.event_id AS "eventId", e.sport_key AS "sportKey", e.home_key AS "homeKey", e.away_key AS "awayKey", e.home_team AS "homeTeam",
  e.away_team AS "awayTeam", e.commence_time AS "commenceTime", e.first_seen_at AS "firstSeenAt", (${ROWS}) AS rows`;

const ONE = `
  SELECT ${MATCH} FROM sport_events given JOIN sport_events e ON e.event_id = coalesce(given.joined_into, given.event_id)
   WHERE given.event_id = $1`;

/** By the id of the match or of one that was joined to it. */
export async function readStanding(client: ClientBase, eventId: string): Promise<StandingMatch | null> {
  const { rows } = await client.query<StandingMatch>(ONE, [eventId]);
  return rows[0] ?? null;
}

const PAGE = `
  SELECT ${MATCH} FROM sport_events e
   WHERE e.event_id > $1 AND e.joined_into IS NULL
     AND (SELECT count(*) FROM sport_event_books b WHERE b.event_id = e.event_id) > 1
   ORDER BY e.event_id LIMIT $2`;

/** Matches of several books, by id, after `after`. */
export async function readStandingPage(pool: Pool, after: string, most: number): Promise<readonly StandingMatch[]> {
  const { rows } = await pool.query<StandingMatch>(PAGE, [after, most]);
  return rows;
}
