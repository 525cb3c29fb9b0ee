// Creates deliveries of new events (D54): each event gets its number in its race and its body, and each webhook that
// wants it a row. One short transaction, and one at a time over all workers, so that the numbers of a race follow the
// order in which its events were written.
import type { ClientBase, Pool } from 'pg';
import type { EventKind, StoredEvent } from '../../domain/events/event';
import type { Instant } from '../../domain/race/race';
import { inTransaction } from '../pg/transaction';
import { EVENT_VENUES, OWN_VENUES, wants } from './wants';

export interface FanOutOrder {
  /** Maximum number of events. */
  readonly most: number;
  /** Plans whose accounts get webhooks. */
  readonly plans: readonly string[];
  readonly bodyOf: (event: StoredEvent) => string;
  /** Webhooks that one statement creates deliveries for, so that no event is too much for one. Default: 5000. */
  readonly webhooks?: number;
  /** Wall. */
  readonly now: Instant;
}

export interface FannedOut {
  readonly events: number;
  /** Deliveries, including those that ended at creation. */
  readonly made: number;
  /** Deliveries that wait to be posted. */
  readonly offered: number;
  /** Price moves that were still waiting when a newer one came. */
  readonly superseded: number;
}

interface NewEvent extends Omit<StoredEvent, 'sequence'> {
  readonly written: number;
  /** As text: our instants have milliseconds. */
  readonly writtenAt: string;
  /** Rounded down. */
  readonly writtenMs: number;
}

const WEBHOOKS = 5000;
/** Any number that no other advisory lock of this database has. */
const FAN_OUT_LOCK = 7_205_231_121;

/** Null: another worker is at it. */
export const fanOut = (pool: Pool, order: FanOutOrder): Promise<FannedOut | null> =>
  inTransaction(pool, async (client) => {
    // A worker that stands still in here soon loses its turn.
    await client.query("SET LOCAL idle_in_transaction_session_timeout = '5s'");
    const { rows: turn } = await client.query<{ mine: boolean }>({
      name: 'fan-out-turn',
      text: 'SELECT pg_try_advisory_xact_lock($1) AS mine',
      values: [FAN_OUT_LOCK],
    });
    if (!turn[0]!.mine) return null;
    const { rows: events } = await client.query<NewEvent>({ ...NEW, values: [order.most] });
    if (events.length === 0) return { events: 0, made: 0, offered: 0, superseded: 0 };
    const numbered = await number(client, events);
    await client.query({
      ...FANNED,
      values: [
        numbered.map(({ eventId }) => eventId),
        numbered.map(({ sequence }) => sequence),
        numbered.map(order.bodyOf),
        order.now,
        numbered.map(({ writtenAt }) => writtenAt),
        ...span(numbered),
      ],
    });
    const made = await deliver(client, numbered, order);
    return { events: events.length, ...made, superseded: await supersede(client, numbered, order) };
  });

type Numbered = NewEvent & StoredEvent;

async function number(client: ClientBase, events: readonly NewEvent[]): Promise<Numbered[]> {
  const races = [...new Set(events.flatMap(({ raceId }) => raceId ?? []))];
  const { rows } = await client.query<{ raceId: string; last: number }>({ ...SEQUENCES, values: [races] });
  const last = new Map(rows.map((row) => [row.raceId, row.last]));
  const numbered = events.map((event) => {
    if (event.raceId === null) return { ...event, sequence: null };
    const sequence = (last.get(event.raceId) ?? 0) + 1;
    last.set(event.raceId, sequence);
    return { ...event, sequence };
  });
  if (last.size > 0) await client.query({ ...COUNT_ON, values: [[...last.keys()], [...last.values()]] });
  return numbered;
}

/** When the first and the last were written, so that no other day is opened. */
function span(events: readonly NewEvent[]): [Instant, Instant] {
  const times = events.map(({ writtenMs }) => writtenMs);
  return [new Date(Math.min(...times)).toISOString(), new Date(Math.max(...times) + 1).toISOString()];
}

/** In parts of the webhooks, in the order of their ids, because statements have a time limit. */
async function deliver(
  client: ClientBase,
  events: readonly Numbered[],
  { plans, now, webhooks = WEBHOOKS }: FanOutOrder,
): Promise<Pick<FannedOut, 'made' | 'offered'>> {
  const ids = events.map(({ eventId }) => eventId);
  const times = events.map(({ writtenAt }) => writtenAt);
  let made = 0;
  let offered = 0;
  for (let after = ''; ; ) {
    const { rows } = await client.query<Part>({
      ...DELIVERIES,
      values: [ids, plans, now, after, webhooks, times, ...span(events)],
    });
    const part = rows[0]!;
    made += part.made;
    offered += part.offered;
    if (part.webhooks < webhooks) return { made, offered };
    after = part.last;
  }
}

interface Part extends Pick<FannedOut, 'made' | 'offered'> {
  readonly webhooks: number;
  /** The id of the last of them. */
  readonly last: string;
}

/** In parts of this many deliveries. */
async function supersede(
  client: ClientBase,
  events: readonly Numbered[],
  { now, webhooks = WEBHOOKS }: FanOutOrder,
): Promise<number> {
  const races = new Set(events.flatMap(({ kind, raceId }) => (kind === MOVE && raceId !== null ? [raceId] : [])));
  const values = [[...races], now, webhooks];
  for (let superseded = 0; races.size > 0; ) {
    const { rowCount } = await client.query({ ...SUPERSEDED, values });
    superseded += rowCount ?? 0;
    if ((rowCount ?? 0) < webhooks) return superseded;
  }
  return 0;
}

const MOVE: EventKind = 'odds.change';

const NEW = {
  name: 'fan-out-new',
  text: `
  SELECT event_id AS "eventId", written, written_at::text AS "writtenAt", floor(extract(epoch FROM written_at) * 1000)::float8 AS "writtenMs", kind, occurred_at AS "occurredAt", race_id AS "raceId", account_id AS "accountId", facts
    FROM events WHERE fanned_at IS NULL ORDER BY written LIMIT $1 FOR UPDATE SKIP LOCKED`,
};
const SEQUENCES = {
  name: 'fan-out-sequences',
  text: 'SELECT race_id AS "raceId", last FROM event_sequences WHERE race_id = ANY ($1::uuid[])',
};
const COUNT_ON = {
  name: 'fan-out-count-on',
  text: `
  INSERT INTO event_sequences (race_id, last) SELECT * FROM unnest($1::uuid[], $2::integer[])
  ON CONFLICT (race_id) DO UPDATE SET last = EXCLUDED.last`,
};
// Places in the order of the events: `nextval` is called in the order of the rows beneath it.
const FANNED = {
  name: 'fan-out-fanned',
  text: `
  WITH numbered AS MATERIALIZED (
    SELECT o.*, nextval('event_positions') AS position
      FROM (SELECT * FROM unnest($1::text[], $2::integer[], $3::text[], $5::timestamptz[]) WITH ORDINALITY AS n (event_id, sequence, body, written_at, place) ORDER BY place) o)
  UPDATE events e SET fanned_at = $4, sequence = n.sequence, body = n.body, position = CASE WHEN e.kind <> 'odds.change' THEN n.position END
    FROM numbered n WHERE e.event_id = n.event_id AND e.written_at = n.written_at AND e.written_at BETWEEN $6 AND $7`,
};

// A paused webhook, or one whose plan ended, gets a row that a replay can send later; a price move is worthless by
// then. A disabled webhook gets none: a replay creates them (webhooks-missed.ts). A move that has waited a minute for
// this is not sent at all.
const DELIVERIES = {
  name: 'fan-out-deliveries',
  text: `
  WITH batch AS MATERIALIZED (
    SELECT e.*, ${EVENT_VENUES} AS venues
      FROM unnest($1::text[], $6::timestamptz[]) n (event_id, written_at) JOIN events e USING (event_id, written_at)
     WHERE e.written_at BETWEEN $7 AND $8 AND (e.kind <> 'odds.change' OR e.written_at > $3::timestamptz - interval '60 seconds')
  ), part AS MATERIALIZED (
    SELECT webhook_id FROM webhooks WHERE deleted_at IS NULL AND disabled_at IS NULL AND webhook_id > $4 ORDER BY webhook_id LIMIT $5
  ), wanted AS MATERIALIZED (
    SELECT k.kind, w.webhook_id, w.account_id, w.events, w.sports, w.countries, w.bookmakers, w.min_edge_pct, w.min_move_pct,
           ${OWN_VENUES} AS venues, webhook_closed(w, a.plan, $2) AS closed
      FROM (SELECT DISTINCT kind FROM batch) k
      JOIN webhooks w ON w.events = '{}' OR k.kind = ANY (w.events)
      JOIN part USING (webhook_id)
      LEFT JOIN accounts a ON a.account_id = w.account_id
  ), made AS (
    INSERT INTO webhook_deliveries (webhook_id, event_id, event_at, kind, race_id, written, sequence, created_at, due_at, status, error, settled_at)
    SELECT w.webhook_id, e.event_id, e.written_at, e.kind, e.race_id, e.written, e.sequence, e.written_at, $3,
           CASE WHEN w.closed IS NULL THEN 'pending' ELSE 'cancelled' END, w.closed, CASE WHEN w.closed IS NOT NULL THEN $3::timestamptz END
      FROM batch e JOIN wanted w ON w.kind = e.kind
     WHERE (e.account_id IS NULL OR e.account_id = w.account_id)
       AND ${wants('w.venues', 'e.venues')}
       AND (w.closed IS NULL OR e.kind <> 'odds.change')
     ORDER BY e.written
    ON CONFLICT DO NOTHING RETURNING status
  )
  SELECT count(*)::integer AS made, count(*) FILTER (WHERE status = 'pending')::integer AS offered,
         (SELECT count(*)::integer FROM part) AS webhooks, (SELECT max(webhook_id) FROM part) AS last FROM made`,
};

// If a newer one waits: a webhook that did not want the newer move still gets this one. A delivery that a lane takes at
// this moment is sent: it comes before the newer one.
const SUPERSEDED = {
  name: 'fan-out-superseded',
  text: `
  UPDATE webhook_deliveries d SET status = 'cancelled', settled_at = $2, error = 'Superseded by a newer price.'
    FROM (
     SELECT q.delivery_id, q.created_at FROM unnest($1::uuid[]) r(race_id)
       JOIN webhook_queue q ON q.race_id = r.race_id
      WHERE q.rank = 1 AND q.sequence IS NOT NULL AND q.leased_until IS NULL AND q.kind = 'odds.change'
        AND EXISTS (SELECT FROM webhook_queue n
                     WHERE n.race_id = q.race_id AND n.webhook_id = q.webhook_id AND n.rank = 1 AND n.sequence > q.sequence
                       AND n.kind = 'odds.change' AND n.attempt_count = 0)
      LIMIT $3 FOR UPDATE OF q SKIP LOCKED) q
   WHERE d.delivery_id = q.delivery_id AND d.created_at = q.created_at`,
};
