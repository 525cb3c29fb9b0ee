// The interface of credits and limits, called by `mount` (D7). Nothing is limited or charged yet: the free meter is the only one.
import type { Caller } from './caller';

export interface Meter {
  /** Checks the key's IP allow-list, then its rate limit, before the request is read. Throws to refuse. */
  admit(caller: Caller, ip: string): Promise<void>;
  /** Reserves `credits` of the balance, after parameters and plan gate. Throws `payment_required`. */
  hold(caller: Caller, credits: number): Promise<Hold>;
}

/** Credits reserved for one call, settled exactly once. */
export interface Hold {
  /** With the response's status: only a 200 is charged. Undefined: the call failed, return the credits. */
  settle(status?: number): Promise<void>;
}

const FREE_HOLD: Hold = { settle: async () => {} };

export const FREE_METER: Meter = { admit: async () => {}, hold: async () => FREE_HOLD };
