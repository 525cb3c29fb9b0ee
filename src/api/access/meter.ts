// The seam of credits and limits in `mount` (D7). Nothing is limited or charged yet: the free meter below is the only one.
import type { Caller } from './caller';

export interface Meter {
  /** Before anything is read of the request: the key's IP allow-list, then its rate limit. Throws to refuse. */
  admit(caller: Caller, ip: string): Promise<void>;
  /** After parameters and plan gate: holds `credits` of the balance. Throws `payment_required`. */
  hold(caller: Caller, credits: number): Promise<Hold>;
}

/** Credits held for one call, settled exactly once. */
export interface Hold {
  /** With the answer's status: only a 200 is charged. Undefined: the call failed, give the credits back. */
  settle(status?: number): Promise<void>;
}

const FREE_HOLD: Hold = { settle: async () => {} };

export const FREE_METER: Meter = { admit: async () => {}, hold: async () => FREE_HOLD };
