// Who has paid for which bulk file (D47): all parts of a version that an account fetches within 24 hours go under one charge.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';

interface Download {
  readonly accountId: string;
  /** Of the file's version. */
  readonly name: string;
}

interface Claim {
  /** The same for every part, so that it is charged once. */
  readonly charge_id: string;
  /** The instant of the charge, and so its month. */
  readonly begun_at: Instant;
  /** By the ledger: further parts are free. */
  readonly charged: boolean;
  /** Another part began it. */
  readonly shared: boolean;
}

export interface DownloadStore {
  /** The download under way since `since`, otherwise a new one under `chargeId` at `at`. */
  claim(download: Download, chargeId: string, at: Instant, since: Instant): Promise<Claim>;
  /** The charge was refused: unless another part has it, which may be paying, the next one begins anew. */
  release(chargeId: string, download: Download): Promise<void>;
}

/** The column `charged` is for processes of the release before, which set it after each charge. */
const CLAIM = `
  INSERT INTO bulk_downloads AS d (account_id, name, charge_id, begun_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (account_id, name) DO UPDATE SET
    charge_id = CASE WHEN d.begun_at > $5 THEN d.charge_id ELSE EXCLUDED.charge_id END,
    begun_at = CASE WHEN d.begun_at > $5 THEN d.begun_at ELSE EXCLUDED.begun_at END,
    charged = d.charged AND d.begun_at > $5,
    shared = d.begun_at > $5
  RETURNING charge_id, begun_at, shared, shared AND EXISTS (
    SELECT FROM credit_ledger l
     WHERE l.charge_id = d.charge_id AND l.period = date_trunc('month', d.begun_at AT TIME ZONE 'UTC')::date AND l.kind = 'charge') AS charged`;

/** The API may not delete: a time long ago ends it. */
const RELEASE = `
  UPDATE bulk_downloads SET begun_at = '-infinity'
   WHERE account_id = $1 AND name = $2 AND charge_id = $3 AND NOT charged AND NOT shared`;

export function createDownloadStore(pool: Pool): DownloadStore {
  return {
    async claim({ accountId, name }, chargeId, at, since) {
      const query = { name: 'claim-download', text: CLAIM, values: [accountId, name, chargeId, at, since] };
      return (await pool.query<Claim>(query)).rows[0]!;
    },
    async release(chargeId, { accountId, name }) {
      await pool.query(RELEASE, [accountId, name, chargeId]);
    },
  };
}
