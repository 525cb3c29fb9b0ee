// Reads the form of a whole race (A 4.13) in two statements: its runners and earlier runs under their names, then the
// details of the runs that are served. The domain decides to which runner a run belongs (src/domain/form/form.ts).
import type { Pool } from 'pg';
import { type PastRun, RUNS_LOOKED_AT } from '../../../domain/form/form';
import type { RunCard, RunPlacing } from '../../../domain/form/run';
import type { Category, Day, Instant } from '../../../domain/race/race';
import type { ResultRunner } from '../../../domain/results/result';
import { domestic, domesticColumns } from '../races/international';
import { millis } from '../races/runners';
import { COVERAGE_FROM, HAS_RESULTS_FEED } from './results';

export interface RaceForm {
  readonly meetingDate: Day;
  /** Null while the race has no result, and always in Hong Kong (A 1). */
  readonly resultStatus: 'interim' | 'final' | 'abandoned' | null;
  /** The stored full field. */
  readonly field: readonly ResultRunner[] | null;
  readonly coverageFrom: Instant | null;
  /** By number of this race: runs before its start under the runner's name or registry id. */
  readonly found: ReadonlyMap<number, readonly PastRun[]>;
}

export interface RunRow {
  readonly race_id: string;
  readonly number: number;
  readonly meeting_date: Day;
  readonly start_time: Instant;
  readonly venue: string;
  readonly venue_id: string;
  readonly race_number: number;
  readonly category: Category;
  readonly country: string | null;
  readonly distance_m: number | null;
  readonly track_condition: string | null;
  readonly race_name: string | null;
  readonly race_class: string | null;
  readonly result_status: 'interim' | 'final';
  readonly placings: readonly RunPlacing[];
  readonly official: ResultRunner | null;
  /** Starters of the full field; null if none is stored. */
  readonly field_size: number | null;
  readonly card: RunCard | null;
}

/** One entry of one race. */
export type RunName = Pick<PastRun, 'raceId' | 'number'>;

/** The newest runs `s` in races `q`; runs in Hong Kong are neither form nor counted (A 1). */
const newest = (which: string): string => `(
  SELECT s.*, q.venue_site, q.country FROM runs_by_name s JOIN races q USING (race_id)
   WHERE ${which} AND s.start_time < r.start_time AND q.country IS DISTINCT FROM 'HK'
   ORDER BY s.start_time DESC, s.race_id, s.number LIMIT ${RUNS_LOOKED_AT})`;

/**
 * Each runner's runs are one range of an index, from the start of the race back, and end after `RUNS_LOOKED_AT` rows.
 */
const FORM = {
  name: 'race-form',
  text: `SELECT r.meeting_date AS "meetingDate", x.status AS "resultStatus", x.runners AS field, ${COVERAGE_FROM} AS "coverageFrom", (
      SELECT json_agg(json_build_array(f.number, p.race_id, p.number, p.name, p.runner_ref, ${millis('p.start_time')}, p.venue_site, p.country))
        FROM (SELECT o.number, fold_runner_name(o.name) AS runner_key, o.runner_ref
                FROM jsonb_to_recordset(x.runners) AS o (number smallint, name text, runner_ref text)
              UNION ALL
              SELECT u.number, u.runner_key, u.runner_ref FROM race_runners u WHERE u.race_id = r.race_id AND x.runners IS NULL) f
       CROSS JOIN LATERAL (
              ${newest('s.category = r.category AND s.runner_key = f.runner_key')}
              UNION ALL
              ${newest("r.category = 'greyhound' AND s.category = 'greyhound' AND s.runner_ref = f.runner_ref AND s.runner_key <> f.runner_key")}) p
      ) AS found
    FROM races r LEFT JOIN race_results x ON x.race_id = r.race_id AND ${HAS_RESULTS_FEED} WHERE r.race_id = $1`,
};

type FoundTuple = [number, string, number, string, string | null, number, string, string | null];
type FormRow = Omit<RaceForm, 'found'> & { readonly found: readonly FoundTuple[] | null };

export async function readRaceForm(pool: Pool, raceId: string): Promise<RaceForm> {
  const { rows } = await pool.query<FormRow>({ ...FORM, values: [raceId] });
  const [row] = rows;
  if (!row) throw new Error(`no race ${raceId}`);
  const found = new Map<number, PastRun[]>();
  for (const [own, ...run] of row.found ?? []) found.set(own, [...(found.get(own) ?? []), pastRun(run)]);
  return { ...row, found };
}

type Rest<T> = T extends [unknown, ...infer R] ? R : never;

const pastRun = ([raceId, number, name, runnerRef, startMs, venueSite, country]: Rest<FoundTuple>): PastRun => ({
  raceId,
  number,
  name,
  runnerRef,
  startMs,
  venueSite,
  country,
});

const RUNS = {
  name: 'past-runs',
  text: `SELECT w.race_id, w.number, r.meeting_date, r.start_time, r.venue, r.venue_id, r.race_number, r.category, r.country, r.distance_m,
      ${domesticColumns('track_condition', 'race_class')}, r.race_name, x.status AS result_status, x.placings,
      jsonb_path_query_first(x.runners, '$[*] ? (@.number == $n)', jsonb_build_object('n', w.number)) AS official,
      CASE WHEN x.runners IS NOT NULL
           THEN jsonb_array_length(jsonb_path_query_array(x.runners, '$[*] ? (@.status == "ran").number')) END AS field_size,
      (SELECT json_build_object('name', u.name, 'barrier', ${domestic('u.barrier')}, 'jockey', ${domestic('u.jockey')},
                'trainer', ${domestic('u.trainer')}, 'weightKg', ${domestic('u.weight_kg')})
         FROM race_runners u WHERE u.race_id = w.race_id AND u.number = w.number) AS card
    FROM unnest($1::uuid[], $2::smallint[]) AS w (race_id, number)
    JOIN races r ON r.race_id = w.race_id
    JOIN race_results x ON x.race_id = w.race_id`,
};

/** Unordered, without runs whose result has been withdrawn since. */
export async function readPastRuns(pool: Pool, runs: readonly RunName[]): Promise<readonly RunRow[]> {
  if (runs.length === 0) return [];
  const values = [runs.map((run) => run.raceId), runs.map((run) => run.number)];
  const { rows } = await pool.query<RunRow>({ ...RUNS, values });
  return rows;
}
