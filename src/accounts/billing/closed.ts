// A closed account buys nothing: a level, compared at every reading as what an open account buys is. A kill, an event
// that is lost and a provider that is away only put it off.
import { type BillingDeps, instantOf } from './deps';

const HOUR_MS = 3_600_000;
/** Longer than a page of payment can be open. Later only an event leads to a reading. */
const READ_FOR_MS = 48 * HOUR_MS;

/** Ends whatever the provider would still invoice. Nothing is refunded. */
export async function endClosed(
  { payments, store, log, wallMs }: BillingDeps,
  { accountId, customerId, closedAt }: { accountId: string; customerId: string; closedAt: string },
): Promise<void> {
  const number = await store.beginReading(accountId);
  const closedMs = Date.parse(closedAt);
  for (const { id, created } of await payments.endAll(customerId))
    if (created * 1000 > closedMs)
      log.warn({ accountId, subscription: id }, 'a subscription was paid after its account was closed: refund it');
  const nowMs = wallMs();
  await store.write({
    ...{ accountId, number, isClosed: true, bought: null, hasLapsed: false, unpaidSince: null, noPlan: 'free' },
    hasOverage: () => false,
    at: instantOf(nowMs),
    dueAt: () => (nowMs < closedMs + READ_FOR_MS ? instantOf(nowMs + HOUR_MS) : 'infinity'),
  });
}
