// Delivered forms are stored once, under their hash, and compressed. A delivery writes its form to its row; the sweep
// moves it, a job at a time. At every moment a row has its form in one of the two places.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Pool } from 'pg';
import type { HorseForm } from '../../domain/form/horse-form';
import { inTransaction } from '../pg/transaction';

const compressed = promisify(gzip);
const uncompressed = promisify(gunzip);

/** Given when no process of the release before is left, which would not find a form that was moved. */
const ALLOWED = `SELECT has_table_privilege('backfill_forms', 'INSERT') AS allowed`;

const NEXT_JOB = {
  name: 'backfill-forms-job',
  text: 'SELECT job_id AS "jobId" FROM backfill_items WHERE form IS NOT NULL ORDER BY job_id LIMIT 1',
};
/** Jobs are locked before their horses, as in a delivery. */
const LOCK = { name: 'backfill-lock', text: 'SELECT FROM backfill_jobs WHERE job_id = $1 FOR NO KEY UPDATE' };
const FORMS = {
  name: 'backfill-forms',
  text: 'SELECT place, form::text AS form FROM backfill_items WHERE job_id = $1 AND form IS NOT NULL ORDER BY place LIMIT $2',
};
/** In one order, so that two workers that store the same forms do not wait for each other. */
const STORE = {
  name: 'backfill-forms-store',
  text: `
  INSERT INTO backfill_forms (hash, form) SELECT DISTINCT ON (s.hash) s.hash, s.form FROM unnest($1::bytea[], $2::bytea[]) AS s (hash, form)
   ORDER BY s.hash ON CONFLICT DO NOTHING`,
};
const MOVE = {
  name: 'backfill-forms-move',
  text: `
  UPDATE backfill_items i SET form = NULL, form_hash = s.hash FROM unnest($2::smallint[], $3::bytea[]) AS s (place, hash)
   WHERE i.job_id = $1 AND i.place = s.place AND i.form IS NOT NULL`,
};

/** At most so many of one job. Resolves to their number; 0: none is left, or none may be moved yet. */
export async function storeForms(pool: Pool, most: number): Promise<number> {
  const { rows } = await pool.query<{ allowed: boolean }>(ALLOWED);
  if (!rows[0]!.allowed) return 0;
  const next = (await pool.query<{ jobId: string }>(NEXT_JOB)).rows[0];
  if (!next) return 0;
  return inTransaction(pool, async (client) => {
    await client.query({ ...LOCK, values: [next.jobId] });
    const found = await client.query<{ place: number; form: string }>({ ...FORMS, values: [next.jobId, most] });
    const hashes = found.rows.map(({ form }) => createHash('sha256').update(form).digest());
    const forms = await Promise.all(found.rows.map(({ form }) => compressed(form)));
    await client.query({ ...STORE, values: [hashes, forms] });
    await client.query({ ...MOVE, values: [next.jobId, found.rows.map(({ place }) => place), hashes] });
    // Another worker may have moved them first: the job is not the last for that.
    return Math.max(1, found.rows.length);
  });
}

/** As it is stored: in the row, or compressed. Null: the horse has failed. */
export interface StoredFormOf {
  readonly form: HorseForm | null;
  readonly packed: Buffer | null;
}

export async function formOf({ form, packed }: StoredFormOf): Promise<HorseForm | null> {
  return packed === null ? form : (JSON.parse((await uncompressed(packed)).toString()) as HorseForm);
}
