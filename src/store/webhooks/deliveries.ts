// The workers' access to deliveries. No transaction stays open during a post.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { deleteStrays, dropDays, forgetPrices, keepDays } from '../events/days';
import { inBatches } from '../pg/in-batches';
import { NO_KEYS } from '../secrets/sealer';
import {
  type ClaimOrder,
  type Claims,
  claim,
  claimRetries,
  giveBack,
  type Leased,
  type RetryOrder,
  type RetryTaken,
  takeRetry,
} from './claims';
import { type FannedOut, type FanOutOrder, fanOut } from './fan-out';
import { type Settled, settle } from './settle';
import { disable, failing, forgetFailures, type Late, late, type Tidied, tidy } from './sweep';

export interface DeliveryStore {
  /** Null: another worker is at it. */
  fanOut(order: FanOutOrder): Promise<FannedOut | null>;
  claim(order: ClaimOrder): Promise<Claims>;
  claimRetries(order: RetryOrder): Promise<Claims>;
  /** Together with others. */
  giveBack(claimed: Leased, now: Instant): Promise<void>;
  takeRetry(deliveryId: string, plans: readonly string[], now: Instant, turn: number): Promise<RetryTaken>;
  /** Together with others that end at the same moment. Resolves to whether this attempt decided. */
  settle(settled: Settled): Promise<boolean>;
  attempts(deliveryId: string): Promise<readonly PastAttempt[]>;
  /** `url`: unless it has changed by now. */
  disable(webhookId: string, reason: 'gone' | 'failing', now: Instant, url?: string): Promise<boolean>;
  tidy(now: Instant): Promise<Tidied>;
  failing(now: Instant): Promise<readonly string[]>;
  /** Deliveries that no workflow has looked at since they were due. Oldest first, at most `most`. */
  late(now: Instant, most: number): Promise<readonly Late[]>;
  /** Of events, deliveries and attempts. Resolves to the parts that were made. */
  keepDays(now: Instant): Promise<readonly string[]>;
  /** Expired ones. Resolves to the dropped parts. */
  dropDays(now: Instant): Promise<readonly string[]>;
  /** Expired rows outside any day, some at a time. Resolves to their number. */
  deleteStrays(now: Instant): Promise<number>;
  /** The announcements of races that left the board, and hours of failures that no longer count. */
  forget(now: Instant): Promise<void>;
}

interface PastAttempt {
  readonly attempt: number;
  /** Null: there was no response, or the attempt was interrupted. */
  readonly statusCode: number | null;
  /** Null: it was interrupted, or is in progress. */
  readonly durationMs: number | null;
}

/** Wall time. Ends that come in a burst share a commit; a single one waits for nothing. */
const SETTLE_EVERY_MS = 15;

export function createDeliveryStore(pool: Pool, sealer = NO_KEYS): DeliveryStore {
  const together = inBatches<Settled, boolean>(
    async (settled) => {
      const decided = await settle(pool, settled);
      return settled.map(({ deliveryId }) => decided.has(deliveryId));
    },
    { lanes: 2, most: 500, everyMs: SETTLE_EVERY_MS },
  );
  const back = inBatches<{ readonly claimed: Leased; readonly now: Instant }, void>(
    async (given) => {
      await giveBack(
        pool,
        given.map(({ claimed }) => claimed),
        given.at(-1)!.now,
      );
      return given.map(() => undefined);
    },
    { lanes: 1, most: 500 },
  );
  return {
    fanOut: (order) => fanOut(pool, order),
    claim: (order) => claim(pool, sealer, order),
    claimRetries: (order) => claimRetries(pool, sealer, order),
    giveBack: (claimed, now) => back({ claimed, now }),
    takeRetry: (deliveryId, plans, now, turn) => takeRetry(pool, sealer, deliveryId, plans, now, turn),
    settle: together,
    attempts: async (deliveryId) => (await pool.query<PastAttempt>({ ...ATTEMPTS, values: [deliveryId] })).rows,
    disable: (...order) => disable(pool, ...order),
    tidy: (now) => tidy(pool, now),
    failing: (now) => failing(pool, now),
    late: (now, most) => late(pool, now, most),
    keepDays: (now) => keepDays(pool, now),
    dropDays: (now) => dropDays(pool, now),
    deleteStrays: (now) => deleteStrays(pool, now),
    forget: async (now) => {
      await forgetPrices(pool);
      await forgetFailures(pool, now);
    },
  };
}

const ATTEMPTS = {
  name: 'webhook-attempts',
  text: `
  SELECT attempt, status_code AS "statusCode", duration_ms AS "durationMs" FROM webhook_attempts
   WHERE delivery_id = $1 ORDER BY attempt`,
};
