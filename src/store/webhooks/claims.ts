// Deliveries that this process may post now: leased for longer than an attempt takes, their attempts written before
// (D54). At most four of an endpoint over all workers (migrations/functions/claim_deliveries.sql).
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import type { Sealer } from '../secrets/sealer';
import { openSecrets } from './webhook-secrets';

/** It starts at the claim: five seconds for its turn, 16 for the post, ten to write its end. */
const LEASE = '40 seconds';

/** A leased delivery, with what its attempt needs. */
export interface Claimed {
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly kind: string;
  readonly test: boolean;
  readonly replay: boolean;
  /** From 1. */
  readonly attempt: number;
  /** Earlier attempts interrupted by the end of their worker, perhaps before the post. */
  readonly cutOff: number;
  readonly createdAt: Instant;
  /** Null: the event is no longer stored. */
  readonly body: string | null;
  readonly url: string;
  readonly secrets: readonly [string, ...string[]];
  /** A 410 was answered before: another one disables its webhook. */
  readonly goneBefore: boolean;
  /** Its endpoint has failed since it last delivered. */
  readonly failing: boolean;
  /** A second or later attempt: it does not wait for other posts of its endpoint, and none waits for it. */
  readonly again: boolean;
}

/** A leased delivery that this process cannot sign. Nothing of it may be posted. */
export interface Unsigned extends Pick<Claimed, 'deliveryId' | 'webhookId' | 'attempt'> {
  /** A clause, without anything of a secret. */
  readonly problem: string;
}

export interface ClaimOrder {
  /** A worker with this many leases some deliveries of an endpoint ahead. */
  readonly worker: string;
  /** Checks endpoints after this id; '' starts over. */
  readonly after: string;
  readonly endpoints: number;
  readonly most: number;
  /** Endpoints that are failing. */
  readonly failing: number;
  readonly plans: readonly string[];
  /** Wall. */
  readonly now: Instant;
}

export type RetryOrder = Omit<ClaimOrder, 'worker'>;

export interface Claims {
  readonly claimed: readonly Claimed[];
  readonly unsigned: readonly Unsigned[];
  /** The last endpoint that was checked; null: there are no more. */
  readonly last: string | null;
}

interface Row extends Omit<Claimed, 'secrets' | 'again'> {
  readonly secret: string;
  readonly previousSecret: string | null;
}

const COLUMNS = `delivery_id AS "deliveryId", webhook_id AS "webhookId", event_id AS "eventId", kind, test, replay, attempt, cut_off AS "cutOff", created_at AS "createdAt",
  body, url, secret, previous_secret AS "previousSecret", gone_before AS "goneBefore"`;

const CLAIM = {
  name: 'webhook-claim',
  text: `SELECT last_endpoint AS last, ${COLUMNS}, failing FROM claim_deliveries($1, $2, $3, $4, $5, $6, $7, '${LEASE}')`,
};

export async function claim(pool: Pool, sealer: Sealer, order: ClaimOrder): Promise<Claims> {
  const { worker, after, endpoints, most, failing, plans, now } = order;
  const { rows } = await pool.query<Row & { last: string | null }>({
    ...CLAIM,
    values: [worker, after, endpoints, most, failing, plans, now],
  });
  const bodies = new Map(rows.flatMap(({ eventId, body }) => (body === null ? [] : [[eventId, body]])));
  const read = taken(rows).map((row) => claimedOf(sealer, row, bodies.get(row.eventId) ?? null, false));
  return { ...bySigning(read), last: rows[0]!.last };
}

const CLAIM_RETRIES = {
  name: 'webhook-claim-retries',
  text: `SELECT last_endpoint AS last, ${COLUMNS}, failing FROM claim_retries($1, $2, $3, $4, $5, $6, '${LEASE}')`,
};

/** Second and third attempts that are due (D65). */
export async function claimRetries(pool: Pool, sealer: Sealer, order: RetryOrder): Promise<Claims> {
  const { after, endpoints, most, failing, plans, now } = order;
  const { rows } = await pool.query<Row & { last: string | null }>({
    ...CLAIM_RETRIES,
    values: [after, endpoints, most, failing, plans, now],
  });
  return {
    ...bySigning(taken(rows).map((row) => claimedOf(sealer, row, row.body, true))),
    last: rows[0]?.last ?? null,
  };
}

/** Without a delivery a row has only the last checked endpoint. */
const taken = <R extends { readonly deliveryId: string | null }>(rows: readonly R[]): R[] =>
  rows.filter(({ deliveryId }) => deliveryId !== null);

const isUnsigned = (read: Claimed | Unsigned): read is Unsigned => 'problem' in read;

const bySigning = (read: readonly (Claimed | Unsigned)[]): Pick<Claims, 'claimed' | 'unsigned'> => ({
  claimed: read.filter((one): one is Claimed => !isUnsigned(one)),
  unsigned: read.filter(isUnsigned),
});

export type Leased = Pick<Claimed, 'deliveryId' | 'attempt'>;

/**
 * Leased deliveries that are not posted now: as if they had not been leased. A price move ends if a newer one came
 * meanwhile.
 */
export async function giveBack(pool: Pool, claimed: readonly Leased[], now: Instant): Promise<void> {
  const values = [claimed.map(({ deliveryId }) => deliveryId), claimed.map((one) => one.attempt)];
  await pool.query({ ...GIVE_BACK, values: [...values, now] });
}

const GIVE_BACK = {
  name: 'webhook-give-back',
  text: `
  WITH given AS MATERIALIZED (
    SELECT q.*
      FROM unnest($1::text[], $2::smallint[]) g(delivery_id, attempt)
           JOIN webhook_queue q ON q.delivery_id = g.delivery_id AND q.attempt_count = g.attempt AND q.leased_until IS NOT NULL
     ORDER BY q.delivery_id FOR UPDATE OF q
  ), attempts AS (
    DELETE FROM webhook_attempts a USING given g
     WHERE a.delivery_id = g.delivery_id AND a.attempt = g.attempt_count AND a.started_at >= g.created_at - interval '1 day'
  ), leases AS (
    DELETE FROM webhook_leases l USING given g WHERE l.delivery_id = g.delivery_id AND l.attempt = g.attempt_count
  ), superseded AS (
    SELECT g.delivery_id, g.created_at FROM given g
     WHERE g.kind = 'odds.change' AND EXISTS (
       SELECT FROM webhook_queue n
        WHERE n.race_id = g.race_id AND n.webhook_id = g.webhook_id AND n.rank = 1 AND n.kind = g.kind AND n.sequence > g.sequence)
  ), ended AS (
    UPDATE webhook_deliveries d SET status = 'cancelled', settled_at = $3, error = 'Superseded by a newer price.'
      FROM superseded s WHERE d.delivery_id = s.delivery_id AND d.created_at = s.created_at
  )
  UPDATE webhook_queue q SET leased_until = NULL, attempt_count = q.attempt_count - 1
    FROM given g WHERE q.delivery_id = g.delivery_id AND g.delivery_id NOT IN (SELECT delivery_id FROM superseded)`,
};

export type RetryTaken =
  | { readonly kind: 'taken'; readonly delivery: Claimed }
  | { readonly kind: 'unsigned'; readonly delivery: Unsigned }
  | { readonly kind: 'wait'; readonly until: Instant }
  | { readonly kind: 'ended'; readonly status: string };

const TAKE = {
  name: 'webhook-take-retry',
  text: `SELECT outcome, wait_until AS "waitUntil", ${COLUMNS}, true AS failing FROM take_retry($1, $2, $3, '${LEASE}', $4)`,
};

/** `turn` in [0, 1): callers that find no room look again at different times. */
export async function takeRetry(
  pool: Pool,
  sealer: Sealer,
  deliveryId: string,
  plans: readonly string[],
  now: Instant,
  turn: number,
): Promise<RetryTaken> {
  const { rows } = await pool.query<Row & { outcome: string; waitUntil: Instant }>({
    ...TAKE,
    values: [deliveryId, plans, now, turn],
  });
  const { outcome, waitUntil, ...row } = rows[0]!;
  if (outcome === 'taken') {
    const delivery = claimedOf(sealer, row, row.body, true);
    return isUnsigned(delivery) ? { kind: 'unsigned', delivery } : { kind: 'taken', delivery };
  }
  return outcome === 'wait' ? { kind: 'wait', until: waitUntil } : { kind: 'ended', status: outcome };
}

function claimedOf(sealer: Sealer, row: Row, body: string | null, again: boolean): Claimed | Unsigned {
  const { deliveryId, webhookId, attempt } = row;
  const secrets = openSecrets(sealer, row);
  if ('problem' in secrets) return { deliveryId, webhookId, attempt, problem: secrets.problem };
  return {
    deliveryId,
    webhookId,
    eventId: row.eventId,
    kind: row.kind,
    test: row.test,
    replay: row.replay,
    attempt,
    cutOff: row.cutOff,
    createdAt: row.createdAt,
    body,
    url: row.url,
    goneBefore: row.goneBefore,
    failing: row.failing,
    again,
    secrets,
  };
}
