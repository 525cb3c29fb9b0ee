// Writes the ends of attempts, many in one statement: the attempt, its delivery, and its webhook.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';

export interface Settled {
  readonly deliveryId: string;
  readonly webhookId: string;
  /** The URL that was posted to. Its answer does not change a webhook that has another URL by now. */
  readonly url: string;
  readonly attempt: number;
  /** Wall. */
  readonly at: Instant;
  readonly status: 'pending' | 'retrying' | 'delivered' | 'failed' | 'cancelled';
  /** For `pending` and `retrying`. */
  readonly dueAt: Instant | null;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  /** A test does not change its webhook. */
  readonly test: boolean;
  /** The endpoint wants no post before. */
  readonly slowUntil: Instant | null;
}

/** Resolves to the deliveries that this ended (migrations/functions/settle_deliveries.sql). */
export async function settle(pool: Pool, settled: readonly Settled[]): Promise<ReadonlySet<string>> {
  const urls = new Map<string, string>();
  const isOfFirst = ({ webhookId, url }: Settled): boolean => {
    if (!urls.has(webhookId)) urls.set(webhookId, url);
    return urls.get(webhookId) === url;
  };
  const first = settled.filter(isOfFirst);
  const ended = await settleTogether(pool, first);
  if (first.length === settled.length) return ended;
  const others = settled.filter((one) => !isOfFirst(one));
  return new Set([...ended, ...(await settle(pool, others))]);
}

/** For each webhook attempts at one URL. */
async function settleTogether(pool: Pool, settled: readonly Settled[]): Promise<ReadonlySet<string>> {
  // In one order everywhere, because others wait for the same rows.
  const hooks = [...talliesOf(settled)].sort(([one], [other]) => (one < other ? -1 : 1));
  const column = <K extends keyof Settled>(name: K): Settled[K][] => settled.map((one) => one[name]);
  const { rows } = await pool.query<{ id: string }>({
    ...SETTLE,
    values: [
      column('deliveryId'),
      column('attempt'),
      column('at'),
      column('status'),
      column('dueAt'),
      column('statusCode'),
      column('error'),
      column('durationMs'),
      hooks.map(([id]) => id),
      hooks.map(([, one]) => one.at),
      hooks.map(([, one]) => one.delivered),
      hooks.map(([, one]) => one.failures),
      hooks.map(([, one]) => one.failed),
      hooks.map(([, one]) => one.slowUntil),
      hooks.map(([, one]) => one.lagging),
    ],
  });
  return new Set(rows.map(({ id }) => id));
}

interface Tally {
  at: Instant;
  delivered: boolean;
  /** Since the last successful delivery. */
  failures: number;
  failed: boolean;
  slowUntil: Instant | null;
  /** Whether a success was slow; null: there was none. */
  lagging: boolean | null;
}

/** A slower success occupies a lane as a failure does. */
const LAGS_MS = 5000;

function talliesOf(settled: readonly Settled[]): ReadonlyMap<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const { webhookId, at, status, slowUntil, durationMs, test } of settled) {
    if (test) continue;
    const tally = tallies.get(webhookId) ?? newTally(at);
    tallies.set(webhookId, tally);
    tally.at = at;
    if (status === 'delivered') {
      tally.delivered = true;
      tally.failures = 0;
      tally.lagging = tally.lagging === true || durationMs > LAGS_MS;
    } else {
      tally.failed = true;
      tally.failures += 1;
    }
    if (slowUntil !== null && slowUntil > (tally.slowUntil ?? '')) tally.slowUntil = slowUntil;
  }
  return tallies;
}

const newTally = (at: Instant): Tally => ({
  at,
  delivered: false,
  failures: 0,
  failed: false,
  slowUntil: null,
  lagging: null,
});

const SETTLE = {
  name: 'webhook-settle',
  text: 'SELECT settle_deliveries($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) AS id',
};
