// Starts the workflow that makes the fourth and later attempts of a delivery. Does nothing if it runs.
import type { Client } from '@temporalio/client';
import type { DeliveryStore } from '../../store/webhooks/deliveries';
import { type DeliveryInput, deliveryWorkflowId, QUEUES, WORKFLOWS } from '../../workflows/contract';

export interface RetriedDelivery {
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly kind: string;
}

/** Wall. Temporal's own: the database has its limits. */
const REPLY_WITHIN_MS = 10_000;

/** Rejects if Temporal does not take it in time, and names it: the attempts are the database’s. */
export async function startDelivery(
  client: Client,
  deliveries: Pick<DeliveryStore, 'attempts'>,
  { deliveryId, webhookId, kind }: RetriedDelivery,
): Promise<void> {
  const input: DeliveryInput = { webhookId, deliveryId, event: kind, attempts: await deliveries.attempts(deliveryId) };
  const start = () =>
    client.workflow.start(WORKFLOWS.delivery, {
      workflowId: deliveryWorkflowId(webhookId, deliveryId),
      taskQueue: QUEUES.webhooks,
      args: [input],
      workflowIdConflictPolicy: 'USE_EXISTING',
    });
  await client.withDeadline(Date.now() + REPLY_WITHIN_MS, start).catch((cause: unknown) => {
    throw new Error('Temporal did not take the delivery', { cause });
  });
}
