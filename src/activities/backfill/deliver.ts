// Delivers horses whose page is stored, each in its own transaction, and marks an account without enough credits (D50).
import { formNeed } from '../../domain/form/freshness';
import type { Instant } from '../../domain/race/race';
import type { BackfillWork } from '../../store/backfill/backfill';
import type { DeliverAt, Delivery } from '../../store/backfill/deliver';
import type { OwnedItem } from '../../store/backfill/reading';
import { type ActivityDeps, instantNow } from '../deps';

export type DeliveryDeps = Pick<ActivityDeps, 'now' | 'wallMs' | 'monthlyCreditsOf'> & {
  readonly stores: Pick<ActivityDeps['stores'], 'backfill' | 'forms'>;
};

const instantOf = (ms: number): Instant => new Date(ms).toISOString();

/** First day of the UTC month of the wall clock (D12, D37). */
const periodAt = (wallMs: number): string => `${instantOf(wallMs).slice(0, 7)}-01`;

const nowOf = (deps: DeliveryDeps): DeliverAt => {
  const wallMs = deps.wallMs();
  return { at: instantNow(deps), wall: instantOf(wallMs), period: periodAt(wallMs) };
};

export async function deliverOne(deps: DeliveryDeps, item: OwnedItem): Promise<Delivery> {
  const { backfill } = deps.stores;
  const delivery = await backfill.deliver(item, nowOf(deps), deps.monthlyCreditsOf);
  if (delivery === 'spent') await backfill.setBlocked(item.accountId, true);
  return delivery;
}

/**
 * `stale`: the page of the job's next horse has become too old, and is read again. Null: no page of the job is stored.
 */
export async function deliverNext(
  deps: DeliveryDeps,
  jobId: string,
  { accountId, blocked }: BackfillWork,
): Promise<Delivery | 'stale' | null> {
  const { backfill, forms } = deps.stores;
  const ready = await backfill.nextReady(jobId);
  if (!ready) return null;
  const [age] = await forms.ages([{ key: ready.key, refs: [ready.pageRef] }]);
  if (!age || needOf(age, deps.now()) === 'read') {
    await backfill.readAgain(ready);
    return 'stale';
  }
  const delivery = await deliverOne(deps, { ...ready, accountId });
  if (delivery === 'delivered' && blocked) await backfill.setBlocked(accountId, false);
  return delivery;
}

interface PageAge {
  readonly fetchedAt: Instant;
  readonly startedSinceRead: boolean;
}

export const needOf = ({ fetchedAt, startedSinceRead }: PageAge, nowMs: number): 'serve' | 'read' =>
  formNeed({ fetchedAtMs: Date.parse(fetchedAt), nowMs, startedSinceRead });

/**
 * Compares the balance with the price of a horse, and stores the result: nothing is read for an account that cannot
 * pay.
 */
export async function isBlocked(
  deps: DeliveryDeps,
  { accountId, price, blocked }: Omit<BackfillWork, 'queued'>,
): Promise<boolean> {
  const { backfill } = deps.stores;
  const left = price === 0 ? 0 : await backfill.remaining(accountId, nowOf(deps).period, deps.monthlyCreditsOf);
  const isNow = left < price;
  if (isNow !== blocked) await backfill.setBlocked(accountId, isNow);
  return isNow;
}
