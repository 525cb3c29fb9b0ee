// The interface of credits and limits, called by `mount` (D7).
import type { Caller } from './caller';

/** Sets a header of this response, a refusal included. */
export type SetHeader = (name: string, value: string) => void;

export interface Meter {
  /** Checks the key's rate limit, before the request is read. Throws to refuse. */
  admit(caller: Caller, setHeader: SetHeader): Promise<void>;
  /** Reserves `credits` of the balance, after parameters and plan gate. Throws `payment_required`. */
  hold(caller: Caller, credits: number): Promise<Hold>;
}

/** Credits reserved for one call, settled exactly once. */
export interface Hold {
  /** With the response's status: only a 200 is charged. Undefined: the call failed, return the credits. */
  settle(status?: number): Promise<void>;
}

const FREE_HOLD: Hold = { settle: async () => {} };

/** Limits nothing and charges nothing. */
export const FREE_METER: Meter = { admit: async () => {}, hold: async () => FREE_HOLD };
