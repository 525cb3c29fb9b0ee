// Webhooks, events and deliveries as rows, which workers of a test claim and end at times that it chooses.
import type { Pool } from 'pg';
import { eventBody } from '../../../src/domain/events/event';
import type { Claimed } from '../../../src/store/webhooks/claims';
import { createDeliveryStore, type DeliveryStore } from '../../../src/store/webhooks/deliveries';
import type { Settled } from '../../../src/store/webhooks/settle';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { poolAs } from '../../support/servers/roles';
import { type Outbox, openOutbox } from '../../support/webhooks/outbox';

export const PLANS = ['plus', 'business'];
export const MINUTE = 60_000;
export const DAY = 1440 * MINUTE;

/** Call it once; every test begins without rows, at the time of the machine. */
export function deliveriesLab() {
  const lab = {} as {
    db: TestDatabase;
    deliveries: DeliveryStore;
    /** Wall. */
    nowMs: number;
  };
  let pool: Pool;
  let opened: Outbox;
  const outbox: Outbox = {
    webhook: (more) => opened.webhook(more),
    event: (...of) => opened.event(...of),
    rows: <T>(text: string, ...values: unknown[]) => opened.rows<T>(text, ...values),
  };
  beforeAll(async () => {
    lab.db = await createTestDatabase();
    pool = poolAs(lab.db, 'racing_worker');
    opened = openOutbox(lab.db.pool);
    lab.deliveries = createDeliveryStore(pool);
  });
  afterAll(async () => {
    await pool?.end();
    await lab.db?.drop();
  });
  beforeEach(async () => {
    lab.nowMs = Date.now();
    await outbox.rows(
      'TRUNCATE events, event_sequences, webhooks, webhook_deliveries, webhook_queue, webhook_leases, webhook_attempts, webhook_failures',
    );
  });

  const now = () => new Date(lab.nowMs).toISOString();
  const fanOut = (most = 100) => lab.deliveries.fanOut({ most, plans: PLANS, bodyOf: eventBody, now: now() });
  const claim = async (
    more: { worker?: string; most?: number; failing?: number; endpoints?: number; after?: string } = {},
  ) =>
    lab.deliveries.claim({
      worker: 'one',
      after: '',
      endpoints: 100,
      most: 100,
      failing: 100,
      plans: PLANS,
      now: now(),
      ...more,
    });
  const claimed = async (most = 100): Promise<readonly Claimed[]> => (await claim({ most })).claimed;
  const again = async (most = 100, failing = 100): Promise<readonly Claimed[]> =>
    (await lab.deliveries.claimRetries({ after: '', endpoints: 100, most, failing, plans: PLANS, now: now() })).claimed;
  const end = (one: Claimed, status: Settled['status'], more: Partial<Settled> = {}): Promise<boolean> =>
    lab.deliveries.settle({
      deliveryId: one.deliveryId,
      webhookId: one.webhookId,
      url: one.url,
      attempt: one.attempt,
      test: one.test,
      at: now(),
      status,
      dueAt: null,
      statusCode: status === 'delivered' ? 200 : 500,
      error: status === 'delivered' ? null : 'no',
      durationMs: 12,
      slowUntil: null,
      ...more,
    });
  /** Leases are by the clock of the database. */
  const endLeases = async (): Promise<void> => {
    for (const table of ['webhook_queue', 'webhook_leases'])
      await outbox.rows(
        `UPDATE ${table} SET leased_until = now() - interval '1 second' WHERE leased_until IS NOT NULL`,
      );
  };
  const statuses = async (): Promise<readonly string[]> =>
    (await outbox.rows<{ status: string }>('SELECT status FROM webhook_deliveries ORDER BY written, delivery_id')).map(
      ({ status }) => status,
    );

  /** To the workflow, as after its third attempt. */
  const handOver = (...these: readonly Claimed[]) =>
    outbox.rows(
      'UPDATE webhook_queue SET rank = 3 WHERE delivery_id = ANY ($1)',
      these.map((one) => one.deliveryId),
    );
  const take = (one: Claimed) => lab.deliveries.takeRetry(one.deliveryId, PLANS, now(), 0.5);

  return Object.assign(lab, {
    outbox,
    now,
    fanOut,
    claim,
    claimed,
    again,
    end,
    endLeases,
    statuses,
    handOver,
    take,
  });
}
