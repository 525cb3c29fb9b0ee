// The key of a connection that stays open: it is looked up again while its events are sent.
import type { Context } from 'koa';
import type { Caller } from '../endpoint/caller';
import { hasSameScopes } from '../endpoint/scopes';
import { isAllowed, notAllowed } from '../keys/allow-list';
import type { Callers } from '../keys/callers';
import { clientOf } from '../session/client-address';

export interface OpenKey {
  /** As last identified. */
  caller(): Caller;
  /** For how many milliseconds nothing is to be looked up, unless a key changes; 0 or less: something is. */
  currentForMs(): number;
  /** Throws if the key ended or may no longer call from here, or the refusal of its new rights. */
  hasOtherRights(): Promise<boolean>;
}

/** `recheck`: throws the refusal of a caller whose rights have changed. */
export function openKey(
  ctx: Context,
  callers: Pick<Callers, 'identify' | 'currentForMs'>,
  first: Caller,
  recheck: (caller: Caller) => Promise<void>,
): OpenKey {
  const client = clientOf(ctx);
  const key = String(ctx.req.headers['x-api-key'] ?? '');
  let caller = first;
  return {
    caller: () => caller,
    currentForMs: () => callers.currentForMs(caller),
    async hasOtherRights() {
      const now = await callers.identify(key, client.network);
      if (now === caller) return false;
      if (!isAllowed(now.allowedAddresses, client.address)) throw notAllowed(now, client.address);
      const isJudgedAnew = hasChanged(now, caller);
      if (isJudgedAnew) await recheck(now);
      caller = now;
      return isJudgedAnew;
    },
  };
}

const hasChanged = (now: Caller, before: Caller): boolean =>
  now.plan.id !== before.plan.id ||
  now.role !== before.role ||
  now.issuedAt !== before.issuedAt ||
  !hasSameScopes(now, before);
