// Makes up for what was missed of webhooks: starts the workflow of each delivery that is retried and has none, frees what a lost worker had leased,
// disables webhooks that have failed for five days (D29), and drops what has been kept long enough.
import type { Client } from '@temporalio/client';
import { deliveryWorkflowId, WORKFLOWS } from '../../workflows/contract';
import type { DeliveryDeps } from './attempt-delivery';
import { startDelivery } from './start-delivery';

export interface WebhookSweep {
  /** Deliveries whose first attempt failed. */
  readonly retrying: number;
  readonly started: number;
  readonly disabled: number;
  readonly dropped: number;
}

/** Batches of a pass: the next pass goes on. */
const MOST_BATCHES = 20;

export async function sweepWebhooks(deps: DeliveryDeps, alive: () => void): Promise<WebhookSweep> {
  const { deliveries } = deps.stores;
  const now = new Date(deps.wallMs()).toISOString();
  await deliveries.tidy(now);
  const failing = await deliveries.failing(now);
  for (const webhookId of failing) await deliveries.disable(webhookId, 'failing', now);
  const retrying = await deliveries.retrying();
  const running = retrying.length > 0 ? await runningDeliveries(deps.client) : new Set<string>();
  let started = 0;
  for (const one of retrying) {
    if (running.has(deliveryWorkflowId(one.webhookId, one.deliveryId))) continue;
    alive();
    await startDelivery(deps.client, deliveries, one);
    started += 1;
  }
  let dropped = await deliveries.pruneEvents(now);
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    alive();
    const rows = await deliveries.prune(now);
    dropped += rows;
    if (rows === 0) break;
  }
  return { retrying: retrying.length, started, disabled: failing.length, dropped };
}

async function runningDeliveries(client: Client): Promise<ReadonlySet<string>> {
  const query = `WorkflowType = "${WORKFLOWS.delivery}" AND ExecutionStatus = "Running"`;
  const ids = new Set<string>();
  for await (const { workflowId } of client.workflow.list({ query })) ids.add(workflowId);
  return ids;
}
