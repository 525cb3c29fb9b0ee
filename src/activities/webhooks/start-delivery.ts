// Starts the workflow that retries a delivery. Nothing happens if it runs.
import type { Client } from '@temporalio/client';
import type { DeliveryStore } from '../../store/webhooks/deliveries';
import { type DeliveryInput, deliveryWorkflowId, QUEUES, WORKFLOWS } from '../../workflows/contract';

export interface RetriedDelivery {
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly kind: string;
}

export async function startDelivery(
  client: Client,
  deliveries: Pick<DeliveryStore, 'attempts'>,
  { deliveryId, webhookId, kind }: RetriedDelivery,
): Promise<void> {
  const input: DeliveryInput = { webhookId, deliveryId, event: kind, attempts: await deliveries.attempts(deliveryId) };
  await client.workflow.start(WORKFLOWS.delivery, {
    workflowId: deliveryWorkflowId(webhookId, deliveryId),
    taskQueue: QUEUES.webhooks,
    args: [input],
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
}
