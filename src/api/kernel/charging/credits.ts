// Charges calls (D7, D34): after the work and before the first byte, in one statement that many calls share. Before the
// work a call is refused only if the balance after the last charge is certainly too small. Never relies on that balance
// beyond the month, the rights and the seconds for which it was read.
import { hash, randomUUID } from 'node:crypto';
import { createBoundedMap } from '../../../cache';
import { AppError, ExpectedRefusal } from '../../../errors';
import { FILE_CHARGED_MS } from '../../../plans/cost';
import { type CreditMonth, periodAt } from '../../../plans/credits';
import { monthlyCredits } from '../../../plans/overage';
import type { Balance, Charge, DownloadCharged, SharedCall } from '../../../store/credits/credits';
import type { Caller } from '../endpoint/caller';
import type { Meter, MeteredCall, OnceCall } from '../endpoint/meter';
import { hasSameScopes } from '../endpoint/scopes';
import type { Seller } from '../endpoint/upgrade';
import type { Callers } from '../keys/callers';
import { createBalanceHeaders, setUncharged } from './balance-headers';
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
  /** The number of this process's charge, in the order of sending. */
  readonly number: number;
  readonly atMs: number;
}

const BALANCE_HOLDS_MS = 5000;
const MOST_ACCOUNTS = 10_000;
const MOST_KEYS = 50_000;

export function createCredits(deps: CreditDeps): Omit<Meter, 'admit'> {
  const { charger, balances, callers, seller, wallMs, random = randomUUID } = deps;
  const { setBalance, refusal } = createBalanceHeaders(seller, wallMs);
  const charges = createAccountCharges(charger);

  return {
    uncharged: setUncharged,
    async balance(caller, setHeader, status) {
      if (!balances || caller.role !== 'customer') return;
      const nowMs = wallMs();
      const period = periodAt(nowMs);
      const query = { accountId: caller.accountId, period: period.id, ...monthlyCredits(caller) };
      const balance = await (status === 429 ? balances.recent(query, nowMs) : balances.read(query));
      if (balance) setBalance({ caller, setHeader }, 'uncharged', balance, period);
    },
    async joins(call) {
      const shared = isMetered(call) && call.once ? sharedOf(call.caller, call.once, wallMs()) : null;
      const verdict = shared && (await charger.sharedVerdict(shared));
      if (verdict === 'other') throw keyOfAnother();
      return verdict === 'joined';
    },
    precheck(call) {
      if (!isMetered(call)) return;
      const nowMs = wallMs();
      const period = periodAt(nowMs);
      const last = charges.lastBalance(call.caller, period, nowMs);
      if (last && call.credits > last.remaining) throw refusal(call, last, period);
    },
    async charge(call) {
      if (!isMetered(call)) return undefined;
      const atMs = wallMs();
      const period = periodAt(atMs);
      const { caller } = call;
      const charge = chargeOf(call, period, atMs, random);
      const { accountId, keyId } = caller;
      // A refund leaves more than the last charge did.
      const forgetBalance = () => charges.forgetBalance(accountId);
      const owner = { accountId, keyId, onReturned: forgetBalance };
      let charged = await charges.send(charge, owner, atMs);
      if (charged.used === null && charged.verdict !== 'other') {
        // Throws if it was revoked.
        const now = await callers.refresh(caller);
        const again = { ...charge, epoch: now.epoch, ...monthlyCredits(now) };
        if (hasSameRights(now, caller)) charged = await charges.send(again, owner, atMs);
      }
      if (charged.verdict === 'other') throw keyOfAnother();
      if (charged.used === null) throw changedMeanwhile();
      if (charged.verdict === 'spent') throw refusal(call, charged, period);
      const cost = charged.joined ? 0 : call.credits;
      if (isOf(period.id, charged)) setBalance(call, { cost }, charged, period);
      if (charged.joined && charge.part) return undefined;
      return () => {
        forgetBalance();
        charger.giveBack(charge, owner);
      };
    },
  };
}

/** Sends charges, and caches the balance after the last charge of each account. */
function createAccountCharges(charger: Charger) {
  const afterCharge = createBoundedMap<LastBalance>(MOST_ACCOUNTS);
  let sent = 0;
  const epochs = createBoundedMap<{ readonly epoch: number; readonly since: number }>(MOST_KEYS);
  /**
   * The number of charges after which this key's rights were first seen as they are. Changes to an account, such as a
   * grant, change the epochs of all its keys: so an epoch seen before a charge was sent proves that nothing has changed
   * since.
   */
  const sinceCharge = ({ keyHash, epoch }: Pick<Charge, 'keyHash' | 'epoch'>): number => {
    const key = keyHash.toString('latin1');
    const known = epochs.get(key);
    if (known?.epoch === epoch) return known.since;
    epochs.set(key, { epoch, since: sent });
    return sent;
  };

  return {
    /** Null: no balance is certain. */
    lastBalance(caller: Caller, period: CreditMonth, nowMs: number): Balance | null {
      const since = sinceCharge(caller);
      const last = afterCharge.get(caller.accountId);
      if (!last || last.period !== period.id || since >= last.number) return null;
      // In either direction, because the clock may have been set back.
      return Math.abs(nowMs - last.atMs) < BALANCE_HOLDS_MS ? last : null;
    },
    forgetBalance: (accountId: string): void => void afterCharge.delete(accountId),
    async send(charge: Charge, owner: Owner, atMs: number): Promise<DownloadCharged> {
      sinceCharge(charge);
      sent += 1;
      const number = sent;
      const charged = await charger.charge(charge, owner);
      const { period } = charge;
      if (charged.used !== null && isOf(period, charged))
        afterCharge.set(owner.accountId, { ...charged, period, number, atMs });
      return charged;
    },
  };
}

const chargeOf = (call: MeteredCall, period: CreditMonth, atMs: number, random: () => string): Charge => ({
  ...(call.chargeId ? { id: call.chargeId, again: true } : { id: chargeId(atMs, random()) }),
  keyHash: call.caller.keyHash,
  epoch: call.caller.epoch,
  endpoint: call.endpoint,
  cost: call.credits,
  ...monthlyCredits(call.caller),
  period: period.id,
  at: iso(atMs),
  ...(call.download && {
    part: { accountId: call.caller.accountId, name: call.download, since: iso(atMs - FILE_CHARGED_MS) },
  }),
  ...(call.once && { shared: sharedOf(call.caller, call.once, atMs) }),
});

/** D68: one charge for this many calls within this time. */
const MOST_SENDS = 3;
const SHARED_MS = 60_000;

const sharedOf = ({ accountId }: Caller, { key, request }: OnceCall, atMs: number): SharedCall => ({
  accountId,
  name: digest(key),
  request: digest(request),
  since: iso(atMs - SHARED_MS),
  most: MOST_SENDS,
});

const digest = (text: string): string => hash('sha256', text, 'base64url');

const keyOfAnother = (): AppError =>
  new AppError('conflict', 'This Idempotency-Key stands for another request of the last 60 seconds. Send a new one.');

const isMetered = ({ caller, credits }: MeteredCall): boolean => caller.role === 'customer' && credits > 0;

/** The balance of another month is not the call's: a part may go under a charge of the month before. */
const isOf = (period: string, { joined }: DownloadCharged): boolean => !joined || joined === period;

const iso = (ms: number): string => new Date(ms).toISOString();

/** The rights by which the call was judged. */
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
