// Credits in PostgreSQL: charged with the ledger line in one statement, for many calls at once (`charge_calls`).
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { AUDIT, type Fault, faultText, longRows } from './credit-audit';

/** The ledger's record of a charge. */
interface ChargeLine {
  /** A UUID of this charge alone: however often it is sent, it is charged once. */
  readonly id: string;
  readonly endpoint: string;
  /** First day of the UTC month of the call. */
  readonly period: string;
  readonly at: Instant;
}

/** An account's room for a month. */
export interface MonthlyCredits {
  /** Credits of the plan. */
  readonly allowance: number;
  /** Credits that may be billed beyond the allowance and the grants; 0 without overage. */
  readonly overage: number;
}

/** One answered call of a customer. */
export interface Charge extends ChargeLine, MonthlyCredits {
  readonly keyHash: Buffer;
  /** The key and its account as the call was judged by. */
  readonly epoch: number;
  readonly cost: number;
  /** It was sent before, and its outcome was lost. */
  readonly again?: boolean;
  readonly part?: FilePart;
  readonly shared?: SharedCall;
}

/** For a version of a file: all its parts go under one charge (D47). */
interface FilePart {
  readonly accountId: string;
  /** Of the version. */
  readonly name: string;
  /** A charge that started later is joined. */
  readonly since: Instant;
}

/** For a call with an Idempotency-Key: some calls of one request go under one charge (D68). */
export interface SharedCall {
  readonly accountId: string;
  /** Digest of the Idempotency-Key. */
  readonly name: string;
  /** Digest of the request. */
  readonly request: string;
  /** A charge that started later is joined, by at most `most` calls together. */
  readonly since: Instant;
  readonly most: number;
}

/** What a call with an Idempotency-Key would be: its own charge, one more under a charge, or another request. */
export type SharedVerdict = 'charged' | 'joined' | 'other';

/** A refunded charge. */
export interface Return extends ChargeLine {
  readonly accountId: string;
  readonly keyId: string;
  /**
   * The file's version, for a charge that its parts may share: only refunded if no other part went under it, and then
   * no part will.
   */
  readonly download?: string | undefined;
  /** The name of its Idempotency-Key: the charge is refunded with the last call under it. */
  readonly sharedName?: string | undefined;
}

export type Charged =
  | ({ readonly verdict: 'charged' | 'spent' } & Balance)
  | {
      readonly verdict: 'changed' | 'revoked' | 'other';
      readonly used: null;
      readonly overage: null;
      readonly remaining: null;
    };

/** `joined`: it went under the charge of another part, or of another call, of this month; null if not. */
export type DownloadCharged = Charged & { readonly joined?: string | null };

/** For an account and month, as committed. */
export interface Balance {
  readonly used: number;
  /** The part that is billed as overage. */
  readonly overage: number;
  /** What may still be used, including overage. */
  readonly remaining: number;
  /** When a call of the month was last charged; null: none was. Absent for a call that was charged just now. */
  readonly lastAt?: Instant | null;
}

export interface BalanceQuery extends MonthlyCredits {
  readonly accountId: string;
  /** First day of a UTC month. */
  readonly period: string;
}

export interface CreditStore {
  /** One verdict per charge, in order. */
  charge(charges: readonly Charge[]): Promise<readonly Charged[]>;
  /** A part of a file, with the record of its download. */
  chargeDownload(charge: Charge & { readonly part: FilePart }): Promise<DownloadCharged>;
  /** A call under an Idempotency-Key. */
  chargeShared(charge: Charge & { readonly shared: SharedCall }): Promise<DownloadCharged>;
  /** Changes nothing: before the work of a call with an Idempotency-Key. */
  sharedVerdict(call: SharedCall): Promise<SharedVerdict>;
  /** One per query, in order. */
  balances(queries: readonly BalanceQuery[]): Promise<readonly Balance[]>;
  /** Whether they were recorded or not; a charge that arrives later is not recorded either. May be repeated. */
  giveBack(returns: readonly Return[]): Promise<void>;
  /** Resolves to the account's remaining granted credits. */
  grant(grant: { accountId: string; credits: number; reason: string; period: string; at: Instant }): Promise<number>;
  /** Where the ledger and the balances disagree, a sentence each. */
  audit(): Promise<readonly string[]>;
  /**
   * Turns months older than 13 months into sums, which the audit continues to check (D41). Resolves to the number of
   * deleted lines.
   */
  close(): Promise<number>;
}

/** For the account of a key. `call`: its JSON. */
const lastAtOf = (call: string): string => `
  (SELECT max(u.last_at) FROM api_keys k JOIN credit_usage u USING (account_id)
    WHERE k.key_hash = decode(${call} ->> 'key', 'hex')
      AND u.day >= (${call} ->> 'period')::date AND u.day < (${call} ->> 'period')::date + interval '1 month')`;

const CHARGE = `
  SELECT c.*, CASE c.verdict WHEN 'spent' THEN ${lastAtOf('($1::json -> c.place)')} END AS "lastAt"
    FROM charge_calls($1) c ORDER BY c.place`;
const CHARGE_DOWNLOAD = `
  SELECT c.*, CASE c.verdict WHEN 'spent' THEN ${lastAtOf('$1::json')} END AS "lastAt" FROM charge_download($1, $2) c`;

const CHARGE_SHARED = `
  SELECT c.*, CASE c.verdict WHEN 'spent' THEN ${lastAtOf('$1::json')} END AS "lastAt" FROM charge_shared($1, $2, $3) c`;
const SHARED_VERDICT = 'SELECT verdict FROM find_shared_charge($1, $2, $3, $4, $5, NULL)';

/** The figures of `charge_accounts`. LIMIT: by the index, however many accounts there are and queries are expected. */
const BALANCES = `
  SELECT COALESCE(b.used, 0) AS used, COALESCE(b.overage, 0) AS overage,
         greatest(0, q.allowance - COALESCE(b.of_plan, 0)) + COALESCE(g.remaining, 0) + greatest(0, q.overage - COALESCE(b.overage, 0)) AS remaining,
         (SELECT max(last_at) FROM credit_usage
           WHERE account_id = q.account_id AND day >= q.period AND day < q.period + interval '1 month') AS "lastAt"
    FROM json_to_recordset($1) AS q (place integer, account_id uuid, period date, allowance bigint, overage bigint)
    LEFT JOIN LATERAL (
      SELECT used, overage, used - from_grants - overage AS of_plan
        FROM credit_balances WHERE account_id = q.account_id AND period = q.period LIMIT 1) b ON true
    LEFT JOIN LATERAL (SELECT remaining FROM credit_grants WHERE account_id = q.account_id LIMIT 1) g ON true
   ORDER BY q.place`;

const callOf = ({ id, keyHash, endpoint, ...call }: Omit<Charge, 'part' | 'shared'>, place: number) => ({
  ...call,
  place,
  charge_id: id,
  key: keyHash.toString('hex'),
  subject: endpoint,
});

export function createCreditStore(pool: Pool): CreditStore {
  return {
    async charge(charges) {
      const query = { name: 'charge-calls', text: CHARGE, values: [JSON.stringify(charges.map(callOf))] };
      return (await pool.query<Charged>(query)).rows;
    },
    async chargeDownload({ part: { accountId, name, since }, ...charge }) {
      const call = { ...callOf(charge, 0), account_id: accountId, download: name };
      const query = { name: 'charge-download', text: CHARGE_DOWNLOAD, values: [JSON.stringify(call), since] };
      return (await pool.query<DownloadCharged>(query)).rows[0]!;
    },
    async chargeShared({ shared: { accountId, name, request, since, most }, ...charge }) {
      const call = { ...callOf(charge, 0), account_id: accountId, name, request };
      const query = { name: 'charge-shared', text: CHARGE_SHARED, values: [JSON.stringify(call), since, most] };
      return (await pool.query<DownloadCharged>(query)).rows[0]!;
    },
    async sharedVerdict({ accountId, name, request, since, most }) {
      const query = { name: 'shared-verdict', text: SHARED_VERDICT, values: [accountId, name, request, since, most] };
      return (await pool.query<{ verdict: SharedVerdict }>(query)).rows[0]?.verdict ?? 'charged';
    },
    async balances(queries) {
      const all = queries.map(({ accountId, ...query }, place) => ({ ...query, place, account_id: accountId }));
      const query = { name: 'balances', text: BALANCES, values: [JSON.stringify(all)] };
      return (await pool.query<Balance>(query)).rows;
    },
    async giveBack(returns) {
      const calls = returns.map(({ id, accountId, keyId, endpoint, sharedName, ...line }) => ({
        ...line,
        shared: sharedName,
        charge_id: id,
        account_id: accountId,
        key_id: keyId,
        subject: endpoint,
      }));
      await pool.query('SELECT return_credits($1)', [JSON.stringify(calls)]);
    },
    async grant({ accountId, credits, reason, period, at }) {
      const text = 'SELECT grant_credits($1, $2, $3, $4, $5) AS remaining';
      const { rows } = await pool.query<{ remaining: number }>(text, [accountId, credits, reason, period, at]);
      return rows[0]!.remaining;
    },
    async audit() {
      return (await longRows<Fault>(pool, LONG_MS, AUDIT)).map(faultText);
    },
    async close() {
      return (await longRows<{ lines: number }>(pool, LONG_MS, 'SELECT close_credits(NULL) AS lines'))[0]!.lines;
    },
  };
}

/** Over whole months of all accounts. */
const LONG_MS = 3_600_000;
