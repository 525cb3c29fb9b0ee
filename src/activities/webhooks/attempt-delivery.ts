// One attempt of a delivery, from the fourth on (D65). The row decides whether it is due, and whether there is another;
// until then the activity fails benignly and names the delay, which leaves no event in the workflow's history.
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { Claimed } from '../../store/webhooks/claims';
import { post } from '../../webhooks/post';
import { attempted, type DeliveryAttempt, deliveryWorkflowId } from '../../workflows/contract';
import type { ActivityDeps } from '../deps';
import { withoutStack } from '../wait';

export interface DeliveryOrder {
  readonly webhookId: string;
  readonly deliveryId: string;
}

export interface DeliveryEnd {
  /** `delivered`, `failed` or `cancelled`. */
  readonly status: string;
  readonly attempts: readonly DeliveryAttempt[];
}

export type DeliveryDeps = Pick<ActivityDeps, 'webhooks' | 'wallMs' | 'random' | 'client'> & {
  readonly stores: Pick<ActivityDeps['stores'], 'deliveries'>;
};

const TURN_MS = 5000;
const SHORTEST_MS = 100;
const UNOPENED_MS = 30_000;
/**
 * A signal costs at least four events of a history that stays under thirty. The failure of every attempt lists all of
 * them too.
 */
const SHOWN_AFTER: readonly number[] = [3, 7];

export async function attemptDelivery(deps: DeliveryDeps, order: DeliveryOrder): Promise<DeliveryEnd> {
  const { webhooks, wallMs, random } = deps;
  if (!webhooks) throw new Error('this process posts no webhooks');
  const { deliveries } = deps.stores;
  const now = new Date(wallMs()).toISOString();
  const taken = await deliveries.takeRetry(order.deliveryId, webhooks.plans, now, random());
  if (taken.kind === 'ended') return ended(deps, order, taken.status);
  if (taken.kind === 'unsigned') {
    await deliveries.giveBack(taken.delivery, now);
    throw waits(`a secret cannot be opened: ${taken.delivery.problem}`, UNOPENED_MS);
  }
  if (taken.kind === 'wait')
    throw waits('not due yet, or the endpoint has no room', Date.parse(taken.until) - wallMs());
  return attempt(deps, order, taken.delivery, webhooks);
}

async function attempt(
  deps: DeliveryDeps,
  order: DeliveryOrder,
  delivery: Claimed,
  { sender }: NonNullable<DeliveryDeps['webhooks']>,
): Promise<DeliveryEnd> {
  const { deliveries } = deps.stores;
  const { decided, status, dueAt } = await post({ ...deps, deliveries, sender }, delivery);
  if (!decided) throw waits('another attempt is under way', TURN_MS);
  if (status !== 'retrying') return ended(deps, order, status);
  const attempts = await deliveries.attempts(order.deliveryId);
  if (SHOWN_AFTER.includes(delivery.attempt)) await show(deps, order, attempts);
  throw waits(attempts.map(inWords).join('; '), Date.parse(dueAt!) - deps.wallMs());
}

const ended = async ({ stores }: DeliveryDeps, order: DeliveryOrder, status: string): Promise<DeliveryEnd> => ({
  status,
  attempts: await stores.deliveries.attempts(order.deliveryId),
});

/** It may be lost: the next one has all attempts. */
const show = ({ client }: DeliveryDeps, order: DeliveryOrder, attempts: readonly DeliveryAttempt[]): Promise<void> =>
  client.workflow
    .getHandle(deliveryWorkflowId(order.webhookId, order.deliveryId))
    .signal(attempted, attempts)
    .catch(() => undefined);

const inWords = ({ attempt, statusCode, durationMs }: DeliveryAttempt): string =>
  `attempt ${attempt}: ${statusCode ?? 'no response'}${durationMs === null ? '' : ` after ${durationMs} ms`}`;

const waits = (message: string, inMs: number): ApplicationFailure =>
  withoutStack(
    ApplicationFailure.create({
      type: 'DeliveryWaits',
      message,
      nextRetryDelay: Math.max(SHORTEST_MS, Math.round(inMs)),
      category: ApplicationFailureCategory.BENIGN,
    }),
  );
