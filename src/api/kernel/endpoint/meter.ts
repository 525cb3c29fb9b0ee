// The interface of credits and limits, called by `mount` (D7).
import type { Caller } from './caller';

/** Sets a header of this response, including a refusal; replaces the previous value. */
export type SetHeader = (name: string, value: string) => void;

/** Set as soon as the balance is stated. */
export const CREDITS_USED = 'X-Credits-Used';

/** The Idempotency-Key of a priced call. */
export interface OnceCall {
  readonly key: string;
  /** Equal for equal requests. */
  readonly request: string;
}

/** A call that was judged: only the balance may still refuse it. */
export interface MeteredCall {
  readonly caller: Caller;
  /** As the ledger and `/v1/usage` name it: the path. */
  readonly endpoint: string;
  /** Of a 200. */
  readonly credits: number;
  /** A version of a file: all parts that the account fetches within 24 hours are charged once (D47). */
  readonly download?: string;
  /** The key under which a few identical calls are one charge (D68). */
  readonly once?: OnceCall | null;
  /** The id of a charge that must not be recorded twice. Default: a new one. */
  readonly chargeId?: string;
  readonly setHeader: SetHeader;
}

export interface Meter {
  /**
   * For an operation that costs credits, once the key is accepted: until it is charged the response costs nothing,
   * whatever it is (D6).
   */
  uncharged(caller: Caller, setHeader: SetHeader): void;
  /**
   * Sets the balance of a response that charges nothing, unless the database is away; for a 429, a balance read within
   * the last second.
   */
  balance(caller: Caller, setHeader: SetHeader, status: number): Promise<void>;
  /** Checks the key's rate limit, before the request is read. Throws to refuse. */
  admit(caller: Caller, setHeader: SetHeader): Promise<void>;
  /**
   * Before the work of a call with an Idempotency-Key: whether it goes under another call's charge, so that any balance
   * is enough. Throws `conflict` if the key belongs to another request.
   */
  joins(call: MeteredCall): Promise<boolean>;
  /** Checks the balance before the work, as far as it is known without a query. Throws `payment_required`. */
  precheck(call: MeteredCall): void;
  /**
   * After the work and before the first byte: charges the call, exactly once (D34). Throws to refuse, in which case
   * nothing was charged. Resolves to a function that refunds the charge of a stream that the server breaks, unless
   * another part of the file went under it; undefined if nothing was charged.
   */
  charge(call: MeteredCall): Promise<(() => void) | undefined>;
}

/** Limits nothing and charges nothing. */
export const FREE_METER: Meter = {
  uncharged: () => {},
  balance: async () => {},
  admit: async () => {},
  joins: async () => false,
  precheck: () => {},
  charge: async () => undefined,
};
