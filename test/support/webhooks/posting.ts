// The lanes, the fan-out and the activities of webhooks, with a real database and real receivers on this machine.
import type { Pool } from 'pg';
import type { ActivityDeps } from '../../../src/activities/deps';
import { eventBody } from '../../../src/domain/events/event';
import { createLog } from '../../../src/log';
import { plansWith } from '../../../src/plans/rights';
import { createDeliveryStore, type DeliveryStore } from '../../../src/store/webhooks/deliveries';
import { type Lanes, type LanesDeps, startLanes } from '../../../src/webhooks/lanes';
import { createSender, type Sender } from '../../../src/webhooks/send';

export const PLANS = plansWith('webhooks');
const SILENT = createLog('test', 'silent');

export const createTestSender = (patienceMs?: number): Sender =>
  createSender({
    allowLoopback: true,
    allowHttp: true,
    elapsedMs: () => performance.now(),
    ...(patienceMs !== undefined && { patienceMs }),
  });

/** Runs until nothing new is left. */
export async function fanOutAll(deliveries: DeliveryStore): Promise<void> {
  const order = { most: 100, plans: PLANS, bodyOf: eventBody };
  for (;;) {
    const fanned = await deliveries.fanOut({ ...order, now: new Date().toISOString() });
    if (fanned?.events === 0) return;
  }
}

/** As in a separate process: only the database is shared with other lanes. */
export function openLanes(pool: Pool, sender: Sender, more: Partial<LanesDeps> = {}): Lanes {
  return startLanes({
    deliveries: createDeliveryStore(pool),
    sender,
    plans: PLANS,
    wallMs: Date.now,
    random: () => 0.5,
    log: SILENT,
    slots: 50,
    retry: () => undefined,
    idleMs: 20,
    ...more,
  });
}

export const webhookDeps = (
  pool: Pool,
  sender: Sender,
  client: ActivityDeps['client'],
  wallMs: () => number = Date.now,
) => ({
  webhooks: { sender, plans: PLANS },
  wallMs,
  random: () => 0.5,
  client,
  stores: { deliveries: createDeliveryStore(pool) },
});
