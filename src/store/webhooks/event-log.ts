// Events in the order in which the fan-out assigned them places (D65), for customers who read on from a cursor: none is
// skipped or repeated. Proof: places are assigned in a transaction that holds the fan-out's lock to its end, and a lock
// is released after its transaction became visible. So of two transactions the one with the lower places was visible
// before the other began to assign any, and a snapshot that shows a place shows all places before it. An event whose
// own transaction commits late gets its place then. Never continue by `written`, `written_at` or an id.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { EVENT_VENUES, OWN_VENUES, wants } from './wants';

/** A reader's position. */
export interface LogPlace {
  /** It has read all events up to this place. */
  readonly position: number;
  /**
   * Those after it were written since, except for transactions that lasted longer than an hour, which do not occur.
   * Days are skipped by it.
   */
  readonly sinceMs: number;
}

export interface LogOrder {
  readonly accountId: string;
  /** A place that was issued, or the instant of the database's clock to start with. */
  readonly after: LogPlace | Instant;
  /** Empty: all. */
  readonly events: readonly string[];
  /**
   * Null: everything that any of the account's webhooks wants; if it has none, all events but those of the account.
   */
  readonly webhookId: string | null;
  /** Whether events of the account are listed. */
  readonly ofAccount: boolean;
  readonly limit: number;
  /** Maximum number of events that one page looks through, wanted or not. Default: 5,000. */
  readonly lookThrough?: number;
}

export interface LogPage {
  /** As posted. */
  readonly bodies: readonly string[];
  readonly next: LogPlace;
  /** Whether there were events after `next`, wanted or not. */
  readonly more: boolean;
}

const LOOKED_THROUGH = 5_000;

/** Null: the place was never issued. */
export async function readLog(pool: Pool, order: LogOrder): Promise<LogPage | null> {
  const { accountId, after, events, webhookId, ofAccount, limit, lookThrough = LOOKED_THROUGH } = order;
  const place = typeof after === 'string' ? await placeAt(pool, after) : after;
  const since = new Date(place.sinceMs).toISOString();
  const values = [place.position, since, lookThrough, accountId, events, webhookId, limit, ofAccount];
  const { rows } = await pool.query<Row>({ ...PAGE, values });
  const [{ given, seen, seen_last, seen_since, waiting_since }] = rows as [Row];
  if (place.position > given) return null;
  const found = rows.filter(({ body }) => body !== null);
  const last = found.at(-1);
  const isFull = found.length === limit && last!.position! < seen_last!;
  const sinceMs = (ms: number): number => Math.max(place.sinceMs, Math.floor(ms));
  return {
    bodies: found.map(({ body }) => body!),
    next: isFull
      ? { position: last!.position!, sinceMs: sinceMs(last!.since!) }
      : seen === lookThrough
        ? { position: seen_last!, sinceMs: sinceMs(seen_since!) }
        : { position: seen_last ?? place.position, sinceMs: sinceMs(waiting_since) },
    more: isFull || seen === lookThrough,
  };
}

interface Row {
  readonly position: number | null;
  /** Null, with the two beside it: no event was found. */
  readonly body: string | null;
  readonly since: number | null;
  readonly given: number;
  readonly seen: number;
  /** Null: there was none. */
  readonly seen_last: number | null;
  readonly seen_since: number | null;
  readonly waiting_since: number;
}

/** Before the first of the events written since. Within an hour of them: later writes have no place before them. */
const FIRST = {
  name: 'event-log-first',
  text: `
  SELECT coalesce(
    (SELECT min(e.position) - 1 FROM events e
      WHERE (e.kind = 'odds.change') IS FALSE AND e.position IS NOT NULL AND e.written_at >= f.written_at AND e.written_at < f.written_at + interval '1 hour'),
    (SELECT max(position) FROM events WHERE position IS NOT NULL), 0)::float8 AS position
    FROM (SELECT 1) one LEFT JOIN LATERAL (
      SELECT written_at FROM events e WHERE (e.kind = 'odds.change') IS FALSE AND e.position IS NOT NULL AND e.written_at >= $1
       ORDER BY written_at LIMIT 1) f ON true`,
};

async function placeAt(pool: Pool, at: Instant): Promise<LogPlace> {
  const { rows } = await pool.query<{ position: number }>({ ...FIRST, values: [at] });
  return { position: rows[0]!.position, sinceMs: Date.parse(at) };
}

const ms = (at: string): string => `(extract(epoch FROM ${at}) * 1000)::float8`;

// One statement, so one snapshot: if it sees nothing more, nothing seen later was written before the events that wait
// for their place.
const PAGE = {
  name: 'event-log-page',
  text: `
  WITH seen AS MATERIALIZED (
    SELECT e.event_id, e.position, e.written_at, e.kind, e.category, e.country, e.race_id, e.account_id, e.facts
      FROM events e WHERE e.position > $1 AND e.position IS NOT NULL AND e.written_at >= $2::timestamptz - interval '1 hour'
     ORDER BY e.position LIMIT $3
  ), own AS MATERIALIZED (
    SELECT w.*, ${OWN_VENUES} AS own_venues FROM webhooks w
     WHERE w.account_id = $4 AND w.deleted_at IS NULL AND ($6::text IS NULL OR w.webhook_id = $6)
  ), found AS MATERIALIZED (
    SELECT e.event_id, e.position, e.written_at FROM seen e
     WHERE (e.account_id IS NULL OR e.account_id = $4) AND (cardinality($5::text[]) = 0 OR e.kind = ANY ($5))
       AND ($8 OR NOT starts_with(e.kind, 'account.'))
       AND ((NOT EXISTS (SELECT FROM own) AND $6 IS NULL AND NOT starts_with(e.kind, 'account.')) OR EXISTS (SELECT FROM own w WHERE ${wants('w.own_venues', EVENT_VENUES)}))
     ORDER BY e.position LIMIT $7
  )
  SELECT f.position::float8, ${ms('f.written_at')} AS since, b.body, (SELECT last_value FROM event_positions)::float8 AS given,
         s.seen, s.seen_last, s.seen_since, ${ms(`least(statement_timestamp(), (SELECT min(written_at) FROM events WHERE fanned_at IS NULL))`)} AS waiting_since
    FROM (SELECT count(*)::integer AS seen, max(position)::float8 AS seen_last, ${ms('max(written_at)')} AS seen_since FROM seen) s
    LEFT JOIN found f ON true
    LEFT JOIN events b ON b.event_id = f.event_id AND b.written_at = f.written_at
   ORDER BY f.position`,
};
