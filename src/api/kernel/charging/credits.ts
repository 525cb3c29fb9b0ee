// Charges calls (D7, D34): after the work and before the first byte, in one statement that many calls share. Before the
// work a call is refused only if the balance after the last charge is surely too small. Never relies on that balance
// beyond the month, the rights and the seconds that it was read for.
import { randomUUID } from 'node:crypto';
import { createBoundedMap } from '../../../cache';
import { type AppError, ExpectedRefusal } from '../../../errors';
import { FILE_CHARGED_MS } from '../../../plans/cost';
import {
  type Burn,
  burnOf,
  type CreditMonth,
  includedCredits,
  isNearLimit,
  periodAt,
  upgradeFor,
} from '../../../plans/credits';
import { monthlyCredits } from '../../../plans/overage';
import type { Balance, Charge, DownloadCharged } from '../../../store/credits/credits';
import type { Caller } from '../endpoint/caller';
import { CREDITS_USED, type Meter, type MeteredCall, type SetHeader } from '../endpoint/meter';
import { hasSameScopes } from '../endpoint/scopes';
import { outOfCredits, type Seller, setUpgradeHeaders } from '../endpoint/upgrade';
import type { Callers } from '../keys/callers';
import type { Balances } from './balances';
import { chargeId } from './charge-id';
import type { Charger, Owner } from './charger';

export interface CreditDeps {
  readonly charger: Charger;
  /** Null: only a charge and a 402 state the balance. */
  readonly balances: Balances | null;
  readonly callers: Pick<Callers, 'refresh'>;
  readonly seller: Seller;
  /** Epoch milliseconds: months are those of the wall clock (D37). */
  wallMs(): number;
  /** UUIDs of version 4. */
  random?(): string;
}

interface LastBalance extends Balance {
  readonly period: string;
  /** Which of this process's charges it was, in the order in which they were sent. */
  readonly number: number;
  readonly atMs: number;
}

const COST = 'X-Credits-Cost';
const BALANCE_HOLDS_MS = 5000;
const MOST_ACCOUNTS = 10_000;
const MOST_KEYS = 50_000;

export function createCredits({
  charger,
  balances,
  callers,
  seller,
  wallMs,
  random = randomUUID,
}: CreditDeps): Omit<Meter, 'admit'> {
  const afterCharge = createBoundedMap<LastBalance>(MOST_ACCOUNTS);
  let charges = 0;
  const epochs = createBoundedMap<{ readonly epoch: number; readonly since: number }>(MOST_KEYS);
  /**
   * After how many charges this key's rights were first seen as they are. What changes an account, such as a grant,
   * changes the epochs of all its keys: so an epoch that was seen before a charge was sent proves that nothing has
   * changed since.
   */
  const sinceCharge = ({ keyHash, epoch }: Pick<Charge, 'keyHash' | 'epoch'>): number => {
    const key = keyHash.toString('latin1');
    const known = epochs.get(key);
    if (known?.epoch === epoch) return known.since;
    epochs.set(key, { epoch, since: charges });
    return charges;
  };

  const setBalanceHeaders = (
    { caller, setHeader }: Pick<MeteredCall, 'caller' | 'setHeader'>,
    verdict: { readonly cost: number } | 'refused' | 'uncharged',
    balance: Balance,
    burn: Burn,
  ): void => {
    const { used, remaining } = balance;
    setCreditHeaders(setHeader, typeof verdict === 'string' ? 0 : verdict.cost, used, used + remaining, remaining);
    setHeader('X-Credits-Pct-Used', pctUsed(balance).toFixed(1));
    const { overage: allowed } = monthlyCredits(caller);
    if (balance.overage > 0 || allowed > 0) setHeader('X-Credits-Overage', String(balance.overage));
    const isNear = isNearLimit(used, includedCredits(used + remaining, { allowed, used: balance.overage }));
    if (isNear) setHeader('X-Credits-Warning', 'approaching-limit');
    const upgrade = isNear || verdict === 'refused' ? upgradeFor(caller.plan, burn) : null;
    if (upgrade) setUpgradeHeaders(setHeader, caller.plan, upgrade, seller);
  };

  const burnSoFar = (
    { caller }: Pick<MeteredCall, 'caller'>,
    { used, remaining, lastAt }: Balance,
    period: CreditMonth,
  ): Burn => {
    const nowMs = wallMs();
    const lastMs = typeof lastAt === 'string' ? Date.parse(lastAt) : null;
    return burnOf({ used, remaining, lastMs }, period, Date.parse(caller.accountSince), nowMs);
  };

  const refuse = (call: MeteredCall, balance: Balance, period: CreditMonth): AppError => {
    const burn = burnSoFar(call, balance, period);
    setBalanceHeaders(call, 'refused', balance, burn);
    return outOfCredits(call, balance.remaining, burn, period, seller.baseUrl);
  };

  const chargeOf = (caller: Caller, call: MeteredCall, period: CreditMonth, atMs: number): Charge => ({
    ...(call.chargeId ? { id: call.chargeId, again: true } : { id: chargeId(atMs, random()) }),
    keyHash: caller.keyHash,
    epoch: caller.epoch,
    endpoint: call.endpoint,
    cost: call.credits,
    ...monthlyCredits(caller),
    period: period.id,
    at: iso(atMs),
    ...(call.download && {
      part: { accountId: caller.accountId, name: call.download, since: iso(atMs - FILE_CHARGED_MS) },
    }),
  });

  const send = async (charge: Charge, owner: Owner, atMs: number): Promise<DownloadCharged> => {
    sinceCharge(charge);
    charges += 1;
    const number = charges;
    const charged = await charger.charge(charge, owner);
    const { period } = charge;
    if (charged.used !== null && isOf(period, charged))
      afterCharge.set(owner.accountId, { ...charged, period, number, atMs });
    return charged;
  };

  return {
    uncharged(caller, setHeader) {
      if (caller.role === 'customer') setHeader(COST, '0');
      else setCreditHeaders(setHeader, 0, 0, 'unlimited', 'unlimited');
    },
    async balance(caller, setHeader, status) {
      if (!balances || caller.role !== 'customer') return;
      const nowMs = wallMs();
      const period = periodAt(nowMs);
      const query = { accountId: caller.accountId, period: period.id, ...monthlyCredits(caller) };
      const balance = await (status === 429 ? balances.recent(query, nowMs) : balances.read(query));
      const call = { caller, setHeader };
      if (balance) setBalanceHeaders(call, 'uncharged', balance, burnSoFar(call, balance, period));
    },
    precheck(call) {
      const { caller, credits } = call;
      if (!isMetered(call)) return;
      const since = sinceCharge(caller);
      const nowMs = wallMs();
      const last = afterCharge.get(caller.accountId);
      const period = periodAt(nowMs);
      if (!last || last.period !== period.id) return;
      if (since >= last.number) return;
      // Either way: the clock may have been set back.
      if (credits > last.remaining && Math.abs(nowMs - last.atMs) < BALANCE_HOLDS_MS) throw refuse(call, last, period);
    },
    async charge(call) {
      if (!isMetered(call)) return undefined;
      const atMs = wallMs();
      const period = periodAt(atMs);
      const { caller } = call;
      const charge = chargeOf(caller, call, period, atMs);
      const { accountId, keyId } = caller;
      // A return leaves more than the last charge did.
      const forgetBalance = () => void afterCharge.delete(accountId);
      const owner = { accountId, keyId, onReturned: forgetBalance };
      let charged = await send(charge, owner, atMs);
      if (charged.used === null) {
        // Throws if it was revoked.
        const now = await callers.refresh(caller);
        const again = { ...charge, epoch: now.epoch, ...monthlyCredits(now) };
        if (hasSameRights(now, caller)) charged = await send(again, owner, atMs);
      }
      if (charged.used === null) throw changedMeanwhile();
      if (charged.verdict === 'spent') throw refuse(call, charged, period);
      const cost = charged.joined ? 0 : call.credits;
      if (isOf(period.id, charged)) setBalanceHeaders(call, { cost }, charged, burnSoFar(call, charged, period));
      if (charged.joined) return undefined;
      return () => {
        forgetBalance();
        charger.giveBack(charge, owner);
      };
    },
  };
}

const isMetered = ({ caller, credits }: MeteredCall): boolean => caller.role === 'customer' && credits > 0;

/** The balance of another month is not that of the call: a part may go under a charge of the month before. */
const isOf = (period: string, { joined }: DownloadCharged): boolean => !joined || joined === period;

const iso = (ms: number): string => new Date(ms).toISOString();

const pctUsed = ({ used, remaining }: Balance): number =>
  used + remaining === 0 ? 100 : (100 * used) / (used + remaining);

/** What the call was judged by. */
const hasSameRights = (now: Caller, before: Caller): boolean =>
  now.plan.id === before.plan.id &&
  now.role === before.role &&
  now.issuedAt === before.issuedAt &&
  now.allowedAddresses.join() === before.allowedAddresses.join() &&
  hasSameScopes(now, before);

const changedMeanwhile = (): AppError =>
  new ExpectedRefusal('unavailable', 'The rights of this key changed during the request. Send it again.', {
    retry_after_seconds: 1,
  });

function setCreditHeaders(
  setHeader: SetHeader,
  cost: number,
  used: number,
  limit: number | 'unlimited',
  remaining: number | 'unlimited',
): void {
  setHeader(COST, String(cost));
  setHeader(CREDITS_USED, String(used));
  setHeader('X-Credits-Limit', String(limit));
  setHeader('X-Credits-Remaining', String(remaining));
}
