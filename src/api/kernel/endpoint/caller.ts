// The caller behind a key, and the parts of its plan that may change a response.
import { type Plan, seesBetslip } from '../../../plans/plans';
import { accessTo } from '../../../plans/rights';
import type { ApiKeyRow } from '../../../store/keys/keys';

export interface Caller {
  /** SHA-256 of the key. */
  readonly keyHash: Buffer;
  readonly accountId: string;
  /** Unchanged when the key is replaced. */
  readonly keyId: string;
  /** Changes with every change of the key or of its account. */
  readonly epoch: number;
  readonly accountSince: string;
  /** The account pays for use beyond its allowance, if its plan allows it (A 8). */
  readonly overage: boolean;
  readonly role: ApiKeyRow['role'];
  /** The only book whose prices a pusher's key may push; null for every other role. */
  readonly bookmakerKey: string | null;
  readonly plan: Plan;
  /** Decides grandfathered rights (D11). */
  readonly issuedAt: string;
  readonly label: string;
  readonly last4: string;
  readonly isPrimary: boolean;
  readonly version: number;
  readonly rotatedAt: string | null;
  /** For a key that was replaced. */
  readonly expiresAt: string | null;
  readonly allowedAddresses: readonly string[];
  /** The scopes of a team key (D68); null: everything. */
  readonly scopes: readonly string[] | null;
}

/**
 * The parts of a plan that may change a body. Handlers get nothing else about the caller, so callers with equal rights
 * share responses.
 */
export interface Rights {
  readonly betslip: boolean;
  /** How far ahead a meeting day is searched. 0 without a key. */
  readonly horizonHours: number;
  /** How far back the archive is read, in days of 24 hours; null: all of it. 0 without a key. */
  readonly archiveDays: number | null;
}

export const rightsOf = (caller: Pick<Caller, 'plan' | 'issuedAt'> | null): Rights => ({
  betslip: caller !== null && seesBetslip(caller.plan),
  horizonHours: caller?.plan.horizonHours ?? 0,
  archiveDays: archiveDaysOf(caller),
});

function archiveDaysOf(caller: Pick<Caller, 'plan' | 'issuedAt'> | null): number | null {
  const access = caller && accessTo('archive', caller.plan, caller.issuedAt);
  return access ? access.days : 0;
}
