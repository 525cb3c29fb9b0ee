// The signed manifests of bulk files: each is published with the files of its version, or added to those of an earlier
// release, and only its signature changes.
import type { Pool } from 'pg';

/** As it was published: the signature is of the text. */
export interface SignedManifest {
  readonly text: string;
  readonly signature: { readonly algorithm: 'ed25519'; readonly key_id: string; readonly value: string };
}

interface ManifestKey {
  readonly dataset: string;
  readonly period: string;
  readonly version: number;
}

export interface BulkManifestStore {
  /** Of a period's served files, or of a version that is still kept; null: there is none. */
  manifest(dataset: string, period: string, version: number | null): Promise<SignedManifest | null>;
  /** Of the served files of these periods, by period. */
  manifests(dataset: string, periods: readonly string[]): Promise<readonly SignedManifest[]>;
  /** Of files that were published without one; once there is one, it stays. */
  addManifest(of: ManifestKey, manifest: SignedManifest): Promise<void>;
  /** Up to this many that another key than this has signed. */
  signedByOthers(keyId: string, limit: number): Promise<readonly SignedManifest[]>;
  /** Replaces the signatures of these texts. */
  resign(manifests: readonly SignedManifest[]): Promise<void>;
}

interface ManifestRow {
  readonly text: string;
  readonly key_id: string;
  readonly signature: string;
}

const signedManifest = ({ text, key_id, signature }: ManifestRow): SignedManifest => ({
  text,
  signature: { algorithm: 'ed25519', key_id, value: signature },
});

const SERVED_VERSION = `SELECT max(f.version) FROM bulk_files f
  WHERE f.dataset = m.dataset AND f.period = m.period AND f.superseded_at IS NULL`;

const RESIGN = `
  UPDATE bulk_manifests m SET key_id = s.key_id, signature = s.signature
    FROM unnest($1::text[], $2::text[], $3::text[]) AS s (text, key_id, signature) WHERE m.text = s.text`;

export const createBulkManifestStore = (pool: Pool): BulkManifestStore => ({
  async manifest(dataset, period, version) {
    const text = `SELECT m.text, m.key_id, m.signature FROM bulk_manifests m
      WHERE dataset = $1 AND period = $2 AND version = COALESCE($3, (${SERVED_VERSION}))`;
    const { rows } = await pool.query<ManifestRow>(text, [dataset, period, version]);
    return rows[0] ? signedManifest(rows[0]) : null;
  },
  async manifests(dataset, periods) {
    const text = `SELECT m.text, m.key_id, m.signature FROM bulk_manifests m
      WHERE dataset = $1 AND period = ANY ($2) AND version = (${SERVED_VERSION}) ORDER BY period COLLATE "C"`;
    return (await pool.query<ManifestRow>(text, [dataset, periods])).rows.map(signedManifest);
  },
  async addManifest({ dataset, period, version }, { text, signature }) {
    await pool.query(
      `INSERT INTO bulk_manifests (dataset, period, version, text, key_id, signature)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
      [dataset, period, version, text, signature.key_id, signature.value],
    );
  },
  async signedByOthers(keyId, limit) {
    const text = `SELECT text, key_id, signature FROM bulk_manifests WHERE key_id <> $1
      ORDER BY period COLLATE "C" DESC, dataset LIMIT $2`;
    return (await pool.query<ManifestRow>(text, [keyId, limit])).rows.map(signedManifest);
  },
  async resign(manifests) {
    await pool.query(RESIGN, [
      manifests.map(({ text }) => text),
      manifests.map(({ signature }) => signature.key_id),
      manifests.map(({ signature }) => signature.value),
    ]);
  },
});
