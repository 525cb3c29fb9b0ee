// Attempts 4 to 10 of one webhook delivery (D29, D65): lanes make the first three. The row in the database decides;
// this workflow keeps one activity at it, whose failed attempts leave no event, and shows the outcome of each. It knows
// no address, no secret and no body.
import { ActivityCancellationType, proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { Activities } from '../../activities/index';
import { attempted, type DeliveryAttempt, type DeliveryInput, QUEUES } from '../contract';
import { showDelivery, showWork } from '../search-attributes';

/** Each attempt sets the delay to the next. A post has 15 s, and writing its end ten more. */
const { attemptDelivery } = proxyActivities<Pick<Activities, 'attemptDelivery'>>({
  taskQueue: QUEUES.webhooks,
  startToCloseTimeout: '40s',
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: { initialInterval: '5s', backoffCoefficient: 1 },
});

export async function webhookDelivery({ webhookId, deliveryId, event, attempts }: DeliveryInput): Promise<void> {
  setHandler(attempted, (all) => setCurrentDetails(story('retrying', all)));
  showDelivery(event);
  setCurrentDetails(story('retrying', attempts));
  const end = await attemptDelivery.executeWithOptions({ summary: event }, [{ webhookId, deliveryId }]);
  setCurrentDetails(story(end.status, end.attempts));
  showWork(end.status);
}

const story = (status: string, attempts: readonly DeliveryAttempt[]): string =>
  [`The delivery is ${status}.`, '', ...attempts.map(line)].join('\n');

function line({ attempt, statusCode, durationMs }: DeliveryAttempt): string {
  const outcome = statusCode === null ? 'no response' : `status ${statusCode}`;
  return `- Attempt ${attempt}: ${durationMs === null ? 'cut off' : `${outcome} after ${durationMs} ms`}`;
}
