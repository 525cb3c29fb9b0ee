// Makes up for what was missed of webhooks: starts the workflow of each delivery that is due and has none, frees what a
// lost worker had leased, disables webhooks that have failed for five days (D29), makes the next days of events and
// drops those that have been kept long enough.

import type { DeliveryStore } from '../../store/webhooks/deliveries';
import { recordDropped } from '../../webhooks/delivery-metrics';
import type { DeliveryDeps } from './attempt-delivery';
import { startDelivery } from './start-delivery';

type DeliveryDays = Pick<DeliveryStore, 'keepDays' | 'dropDays' | 'deleteStrays'>;

export interface WebhookSweep {
  /** Deliveries that were due and that no workflow had looked at. */
  readonly late: number;
  /** Of these: Temporal took them. */
  readonly started: number;
  readonly disabled: number;
  /** Parts of days, and rows that were in none. */
  readonly dropped: number;
}

/** Of a pass: the next pass goes on. */
const MOST_LATE = 1000;
const STARTS_AT_ONCE = 20;
/** Of rows that are in no day: there are none in normal running. */
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
 * Nothing happens to a workflow that runs: it is late itself. One that does not begin is late again in the next pass.
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
