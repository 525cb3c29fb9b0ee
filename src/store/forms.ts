// The stored form pages of horses: the newest reading under each code, and only the recent codes of a horse. A late
// reading never replaces a newer one.
import type { Pool } from 'pg';
import type { Horse } from '../domain/form/horse';
import type { HorseForm } from '../domain/form/horse-form';
import type { FormPage } from '../domain/form/served-form';
import type { Instant } from '../domain/race/race';
import { runnerKey } from '../domain/race/runner';

export interface FormStore {
  /** Idempotent. */
  save(form: HorseForm, fetchedAt: Instant): Promise<void>;
  /**
   * The newest page under any code of each horse, without the page; null if there is none. In the order of `horses`.
   */
  ages(horses: readonly FormOwner[]): Promise<readonly (StoredFormAge | null)[]>;
  /** The newest page under any code of the horse; null if there is none. */
  newest(horse: FormOwner): Promise<StoredForm | null>;
}

type FormOwner = Pick<Horse, 'key' | 'refs'>;

export interface StoredFormAge {
  /** The code that the page was read under. */
  readonly ref: string;
  readonly fetchedAt: Instant;
  /** For `formNeed`. */
  readonly startedSinceRead: boolean;
}

export interface StoredForm extends StoredFormAge, FormPage {}

export function createFormStore(pool: Pool): FormStore {
  return {
    save: (form, fetchedAt) => save(pool, form, fetchedAt),
    ages: (horses) => readFormAges(pool, horses),
    newest: (horse) => readNewestForm(pool, horse),
  };
}

const SAVE = {
  name: 'forms-save',
  text: `INSERT INTO horse_forms AS stored (runner_ref, runner_key, name, fetched_at, form) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (runner_ref) DO UPDATE
            SET runner_key = EXCLUDED.runner_key, name = EXCLUDED.name, fetched_at = EXCLUDED.fetched_at, form = EXCLUDED.form
          WHERE stored.fetched_at < EXCLUDED.fetched_at`,
};

/**
 * A horse has another code at each meeting. Its older pages are not served once there is a newer one; a week is enough
 * for a backfill that waits for one.
 */
const PRUNE = {
  name: 'forms-prune',
  text: `DELETE FROM horse_forms
          WHERE runner_key = $2 AND name = $3 AND runner_ref <> $1 AND fetched_at < $4::timestamptz - interval '7 days'`,
};

async function save(pool: Pool, form: HorseForm, fetchedAt: Instant): Promise<void> {
  const horse = [`ra:${form.runnerCode}`, runnerKey(form.name), form.name, fetchedAt];
  await pool.query({ ...SAVE, values: [...horse, JSON.stringify(form)] });
  await pool.query({ ...PRUNE, values: horse });
}

/**
 * A result may come in after a page without it was read. Half a day limits which results count as such: later changes
 * of a result, such as a protest or a correction, are not a start.
 */
const newest = (columns: string) => `
  SELECT w.place, ${columns}f.runner_ref AS ref, f.fetched_at AS "fetchedAt",
      EXISTS (SELECT FROM runs_by_name n JOIN race_results x USING (race_id)
               WHERE n.category = 'horse' AND n.runner_key = w.key AND n.start_time > f.fetched_at - interval '12 hours'
                 AND (n.start_time > f.fetched_at OR x.updated_at > f.fetched_at)) AS "startedSinceRead"
    FROM jsonb_to_recordset($1) AS w (place integer, key text, refs jsonb) CROSS JOIN LATERAL (
      SELECT * FROM horse_forms WHERE runner_ref IN (SELECT jsonb_array_elements_text(w.refs))
       ORDER BY fetched_at DESC, runner_ref DESC LIMIT 1) f`;
const AGES = { name: 'forms-ages', text: newest('') };
/** The registry's pages print no trainers of past runs; ours go back to September 2026 (B 2.5). */
const TRAINERS = `COALESCE((
      SELECT jsonb_object_agg(s.meeting_date::text, s.trainer) FROM stored_runs s
       WHERE s.category = 'horse' AND s.runner_key = w.key AND s.status = 'ran' AND s.trainer IS NOT NULL
         AND s.meeting_date >= '2026-09-01'), '{}') AS trainers`;
const NEWEST = { name: 'forms-newest', text: newest(`f.form, ${TRAINERS}, `) };

const wanted = (horses: readonly FormOwner[]) => [
  JSON.stringify(horses.map(({ key, refs }, place) => ({ place, key, refs }))),
];

export async function readFormAges(
  pool: Pool,
  horses: readonly FormOwner[],
): Promise<readonly (StoredFormAge | null)[]> {
  const { rows } = await pool.query<StoredFormAge & { readonly place: number }>({ ...AGES, values: wanted(horses) });
  const byPlace = new Map(rows.map(({ place, ...age }) => [place, age]));
  return horses.map((_, place) => byPlace.get(place) ?? null);
}

export async function readNewestForm(pool: Pool, horse: FormOwner): Promise<StoredForm | null> {
  const { rows } = await pool.query<StoredForm & { readonly place: number }>({ ...NEWEST, values: wanted([horse]) });
  if (!rows[0]) return null;
  const { place: _, ...stored } = rows[0];
  return stored;
}
