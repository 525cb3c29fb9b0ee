// Makes up for what was missed of webhooks: starts the workflow of each delivery that is due and has none, frees what a lost worker had leased,
// disables webhooks that have failed for five days (D29), and drops what has been kept long enough.
import type { DeliveryDeps } from './attempt-delivery';
import { startDelivery } from './start-delivery';

export interface WebhookSweep {
  /** Deliveries that were due and that no workflow had looked at. */
  readonly late: number;
  /** Of these: Temporal took them. */
  readonly started: number;
  readonly disabled: number;
  readonly dropped: number;
}

/** Of a pass: the next pass goes on. */
const MOST_LATE = 1000;
const STARTS_AT_ONCE = 20;
/** Of 5,000 rows: a minute of 3,000 a second is 36 of them, and what was left behind goes too. */
const MOST_BATCHES = 200;

export async function sweepWebhooks(deps: DeliveryDeps, alive: () => void): Promise<WebhookSweep> {
  const { deliveries } = deps.stores;
  const now = new Date(deps.wallMs()).toISOString();
  await deliveries.tidy(now);
  const failing = await deliveries.failing(now);
  for (const webhookId of failing) await deliveries.disable(webhookId, 'failing', now);
  const starts = await startLate(deps, now, alive);
  let dropped = await deliveries.pruneEvents(now);
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    alive();
    const rows = await deliveries.prune(now);
    dropped += rows;
    if (rows === 0) break;
  }
  return { ...starts, disabled: failing.length, dropped };
}

/** Nothing happens to a workflow that runs: it is late itself. One that does not begin is late again in the next pass. */
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
