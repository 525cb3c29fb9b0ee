// Hands deliveries that failed three times to their workflows (D65): some at once, each with its own time limit, so
// that one that Temporal does not take fails no other. The sweep starts those that are not handed over here.
import type { Client } from '@temporalio/client';
import { type RetriedDelivery, startDelivery } from '../activities/webhooks/start-delivery';
import type { Log } from '../log';
import type { DeliveryStore } from '../store/webhooks/deliveries';
import { createPostSlots } from '../webhooks/post-slots';

const AT_ONCE = 20;
/** Including those that wait: while Temporal is away they are not kept. */
const MOST = 1000;

export function createHandOver(
  client: Client,
  deliveries: Pick<DeliveryStore, 'attempts'>,
  log: Pick<Log, 'warn'>,
): (delivery: RetriedDelivery) => void {
  const turns = createPostSlots(AT_ONCE);
  const start = async (delivery: RetriedDelivery): Promise<void> => {
    if (turns.taken() >= MOST) throw new Error(`${MOST} deliveries wait for Temporal already`);
    await turns.begin();
    await startDelivery(client, deliveries, delivery).finally(turns.end);
  };
  return (delivery) => {
    start(delivery).catch((err) =>
      log.warn(
        { err, deliveryId: delivery.deliveryId },
        'a delivery was not handed to its workflow: the sweep starts it',
      ),
    );
  };
}
