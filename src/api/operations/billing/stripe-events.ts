// Where Stripe sends its events: outside `/v1`, without a key. The signature over the bytes as they were sent is the
// proof. A 503 makes Stripe send the event again.
import type Router from '@koa/router';
import type { Billing } from '../../../accounts/billing/billing';
import { EVENTS_PATH } from '../../../accounts/billing/deps';
import { readBytes } from '../../kernel/input/body';

/** An invoice with many lines is some 100 kB. */
const MOST_BYTES = 1_000_000;

export function stripeEvents(router: Router, billing: Pick<Billing, 'event'>): void {
  router.post(EVENTS_PATH, async (ctx) => {
    const signature = String(ctx.req.headers['stripe-signature'] ?? '');
    await billing.event(await readBytes(ctx.req, MOST_BYTES), signature);
    ctx.body = { received: true };
  });
}
