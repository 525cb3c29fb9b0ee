// The decisions about which match a book's row is (D66). A repeated decision is not written again, except for a ruling,
// which has its latest time; later writes delete old ones.
import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';
import type { Decision } from '../../../domain/sports/identity/decision';

export interface StoredDecision extends Decision {
  readonly bookmaker_key: string;
  readonly decided_at: Instant;
}

export interface DecisionsQuery {
  readonly eventId: string | null;
  readonly bookmakerKey: string | null;
  readonly since: Instant | null;
  readonly because: string | null;
}

/** Of one answer, the newest first. */
export const MOST_DECISIONS = 500;
/** After the start, and after the decision. */
const KEPT_DAYS = 90;
/** Per write, so that a push never waits for a large deletion. */
const MOST_FORGOTTEN = 5000;

const WRITE = `
  INSERT INTO sport_decisions (bookmaker_key, row_key, verdict, because, event_id, sport_key, starts_at, decided_at, reasons, sentence, expires_at)
  SELECT $1, row_key, verdict, because, event_id, sport_key, starts_at, $2, reasons, sentence,
         greatest(starts_at, $2::timestamptz) + interval '${KEPT_DAYS} days'
    FROM jsonb_to_recordset($3) AS n (row_key text, verdict text, because text, event_id uuid, sport_key text, starts_at timestamptz,
         reasons jsonb, sentence text)
  ON CONFLICT (bookmaker_key, row_key, verdict, because, event_id) DO UPDATE
     SET decided_at = EXCLUDED.decided_at, expires_at = EXCLUDED.expires_at WHERE EXCLUDED.because = 'ruling'`;
const FORGET = `
  DELETE FROM sport_decisions WHERE ctid IN (SELECT ctid FROM sport_decisions WHERE expires_at < $1 ORDER BY expires_at LIMIT ${MOST_FORGOTTEN})`;

/** In the transaction of the decided rows. */
export async function writeDecisions(
  client: ClientBase,
  bookmakerKey: string,
  at: Instant,
  decisions: readonly Decision[],
): Promise<void> {
  if (decisions.length === 0) return;
  await client.query(FORGET, [at]);
  await client.query(WRITE, [bookmakerKey, at, JSON.stringify(decisions)]);
}

// A match that was joined to another is found by either id.
const READ = `
  SELECT d.bookmaker_key, d.row_key, d.verdict, d.because, d.event_id, d.sport_key, d.starts_at, d.decided_at, d.reasons, d.sentence
    FROM sport_decisions d
   WHERE ($1::uuid IS NULL OR d.event_id IN (
           SELECT e.event_id FROM sport_events e
             JOIN sport_events asked ON asked.event_id = $1
            WHERE coalesce(e.joined_into, e.event_id) = coalesce(asked.joined_into, asked.event_id)))
     AND ($2::text IS NULL OR d.bookmaker_key = $2)
     AND ($3::timestamptz IS NULL OR d.decided_at >= $3)
     AND ($4::text IS NULL OR d.because = $4)
   ORDER BY d.decided_at DESC, d.bookmaker_key, d.row_key LIMIT ${MOST_DECISIONS}`;

export async function readDecisions(pool: Pool, query: DecisionsQuery): Promise<readonly StoredDecision[]> {
  const { eventId, bookmakerKey, since, because } = query;
  const { rows } = await pool.query<StoredDecision>(READ, [eventId, bookmakerKey, since, because]);
  return rows;
}
