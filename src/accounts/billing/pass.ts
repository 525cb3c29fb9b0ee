// The passes that make up for lost events: every account with a customer is read again within the hour, one with an
// open checkout within seconds. Each account is claimed before its own reading, so that processes share the work,
// however slow they are; one that fails, or whose process dies, is due again later.
import { type BillingDeps, instantOf } from './deps';
import { readSubscriptions, type Untaxed } from './reading';
import { CHECKOUT_MS } from './reading-times';

export interface PassReport {
  readonly read: number;
  readonly failed: number;
}

const AT_ONCE = 200;

interface Patience {
  /** Well over what reading one account takes. */
  readonly claimedMs: number;
  /** After one that failed. */
  readonly restMs: number;
}

const HOURLY: Patience = { claimedMs: 600_000, restMs: 600_000 };
/** The same where somebody waits. */
const CHECKOUT: Patience = { claimedMs: 120_000, restMs: 30_000 };

/** Reads what is due, without open checkouts. Never rejects because of one account, as the next. */
export const billingPass = (deps: BillingDeps): Promise<PassReport> => pass(deps, false, HOURLY);

/** Reads what is due of accounts with an open checkout. */
export const checkoutPass = (deps: BillingDeps): Promise<PassReport> => pass(deps, true, CHECKOUT);

async function pass(deps: BillingDeps, hasCheckout: boolean, { claimedMs, restMs }: Patience): Promise<PassReport> {
  const { store, wallMs } = deps;
  const report = { read: 0, failed: 0 };
  for (let i = 0; i < AT_ONCE; i++) {
    const nowMs = wallMs();
    const [at, until] = [instantOf(nowMs), instantOf(nowMs + claimedMs)];
    const openedAfter = instantOf(nowMs - CHECKOUT_MS);
    const accountId = await store.claimDue({ at, until, openedAfter, hasCheckout });
    if (accountId === null) break;
    const isRead = (await readOne(deps, accountId)) !== null;
    report[isRead ? 'read' : 'failed']++;
    await store.release({ accountId, until, dueAt: isRead ? null : instantOf(wallMs() + restMs) });
  }
  return report;
}

/** Reads every account now, for an operator. */
export async function reconcile(deps: BillingDeps): Promise<PassReport & { readonly untaxed: readonly Untaxed[] }> {
  const report = { read: 0, failed: 0, untaxed: [] as Untaxed[] };
  for (const accountId of await deps.store.customers()) {
    const level = await readOne(deps, accountId);
    report[level ? 'read' : 'failed']++;
    report.untaxed.push(...(level?.untaxed ?? []));
  }
  return report;
}

/** Null: it was not read. */
const readOne = (deps: BillingDeps, accountId: string): Promise<{ untaxed: readonly Untaxed[] } | null> =>
  readSubscriptions(deps, accountId).catch((err: unknown) => {
    deps.log.warn({ err, accountId }, 'what an account buys was not read');
    return null;
  });
