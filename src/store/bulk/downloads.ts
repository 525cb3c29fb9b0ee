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
  readonly charged: boolean;
  /** Another part began it. */
  readonly shared: boolean;
}

export interface DownloadStore {
  /** The download under way since `since`, otherwise a new one under `chargeId` at `at`. */
  claim(download: Download, chargeId: string, at: Instant, since: Instant): Promise<Claim>;
  /** Further parts are free. */
  settle(chargeId: string, download: Download): Promise<void>;
  /** The charge was refused: unless another part has it, which may be paying, the next one begins anew. */
  release(chargeId: string, download: Download): Promise<void>;
}

const CLAIM = `
  WITH begun AS (
    INSERT INTO bulk_downloads AS d (account_id, name, charge_id, begun_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (account_id, name) DO UPDATE SET
      charge_id = CASE WHEN d.begun_at > $5 THEN d.charge_id ELSE EXCLUDED.charge_id END,
      begun_at = CASE WHEN d.begun_at > $5 THEN d.begun_at ELSE EXCLUDED.begun_at END,
      charged = d.charged AND d.begun_at > $5,
      shared = d.begun_at > $5
    RETURNING charge_id, begun_at, charged, shared)
  SELECT * FROM begun`;

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
    async settle(chargeId, { accountId, name }) {
      const text = 'UPDATE bulk_downloads SET charged = true WHERE account_id = $1 AND name = $2 AND charge_id = $3';
      await pool.query(text, [accountId, name, chargeId]);
    },
    async release(chargeId, { accountId, name }) {
      await pool.query(RELEASE, [accountId, name, chargeId]);
    },
  };
}
