// Repairs webhook deliveries: starts the workflow of each delivery that is due and has none, frees the leases of a lost
// worker, disables webhooks that have failed for five days (D29), creates the next days of events and drops expired
// ones.

import type { DeliveryStore } from '../../store/webhooks/deliveries';
import { recordDropped } from '../../webhooks/delivery-metrics';
import type { DeliveryDeps } from './attempt-delivery';
import { startDelivery } from './start-delivery';

type DeliveryDays = Pick<DeliveryStore, 'keepDays' | 'dropDays' | 'deleteStrays'>;

export interface WebhookSweep {
  /** Deliveries that were due and that no workflow had looked at. */
  readonly late: number;
  /** How many of these Temporal took. */
  readonly started: number;
  readonly disabled: number;
  /** Parts of days, and rows that were in none. */
  readonly dropped: number;
}

/** Per pass: the next pass continues. */
const MOST_LATE = 1000;
const STARTS_AT_ONCE = 20;
/** For rows outside any day, which do not occur in normal operation. */
const MOST_BATCHES = 200;

export async function sweepWebhooks(deps: DeliveryDeps, alive: () => void): Promise<WebhookSweep> {
  const { deliveries } = deps.stores;
  const now = new Date(deps.wallMs()).toISOString();
  await deliveries.tidy(now);
  const failing = await deliveries.failing(now);
  for (const webhookId of failing) await deliveries.disable(webhookId, 'failing', now);
  const starts = await startLate(deps, now, alive);
  await deliveries.forget(now);
  return { ...starts, disabled: failing.length, dropped: await turnDays(deliveries, now, alive) };
}

async function turnDays(deliveries: DeliveryDays, now: string, alive: () => void): Promise<number> {
  await deliveries.keepDays(now);
  const parts = await deliveries.dropDays(now);
  recordDropped(parts);
  let dropped = parts.length;
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    alive();
    const rows = await deliveries.deleteStrays(now);
    dropped += rows;
    if (rows === 0) break;
  }
  return dropped;
}

/**
 * Nothing happens to a running workflow, which is itself late. A workflow that does not start is late again in the next
 * pass.
 */
async function startLate(
  { client, stores }: DeliveryDeps,
  now: string,
  alive: () => void,
): Promise<Pick<WebhookSweep, 'late' | 'started'>> {
  const late = await stores.deliveries.late(now, MOST_LATE);
  const left = late.values();
  let started = 0;
  const start = async (): Promise<void> => {
    for (const one of left) {
      alive();
      await startDelivery(client, stores.deliveries, one).then(
        () => (started += 1),
        () => undefined,
      );
    }
  };
  await Promise.all(Array.from({ length: STARTS_AT_ONCE }, start));
  return { late: late.length, started };
}
