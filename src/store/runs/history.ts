// Stores the pages read about meetings that the service did not follow: the lists of a month, and each meeting's runs
// with the note that it was read, in one transaction. A repeated reading changes nothing.
import type { Pool } from 'pg';
import type { ListedMonth, MonthDue } from '../../domain/form/history';
import type { StoredRun } from '../../domain/form/stored-run';
import type { Category, Day, Instant } from '../../domain/race/race';
import { resolveVenue } from '../../domain/race/venue';
import type { PublishedListing } from '../../domain/results/published-results';
import { inTransaction } from '../pg/transaction';
import { INSERT_RUNS } from './runs';

export interface HistoryStore {
  months(source: string): Promise<readonly ListedMonth[]>;
  /** Meetings for which the service has the field of every race are left out: their runs come from its own results. */
  saveMonth(list: HistoryList, at: Instant): Promise<void>;
  /** The newest meeting that may be read now; null: none. */
  next(source: string, at: Instant): Promise<HistoryMeeting | null>;
  saveMeeting(of: Pick<HistoryMeeting, 'source' | 'key'>, runs: readonly StoredRun[], next: NextReading): Promise<void>;
}

interface NextReading {
  /** Answers of the registry so far. */
  readonly tried: number;
  /** Null if it is not read again. */
  readonly nextTryAt: Instant | null;
}

interface HistoryList extends Pick<MonthDue, 'region' | 'month'> {
  readonly source: string;
  readonly category: Category;
  readonly listings: readonly PublishedListing[];
}

export interface HistoryMeeting {
  readonly source: string;
  readonly key: string;
  readonly day: Day;
  /** Answers of the registry so far. */
  readonly tries: number;
}

export function createHistoryStore(pool: Pool): HistoryStore {
  return {
    months: async (source) => (await pool.query<ListedMonth>({ ...MONTHS, values: [source] })).rows,
    saveMonth: (list, at) => saveMonth(pool, list, at),
    next: async (source, at) => (await pool.query<HistoryMeeting>({ ...NEXT, values: [source, at] })).rows[0] ?? null,
    saveMeeting: (of, runs, next) => saveMeeting(pool, of, runs, next),
  };
}

const MONTHS = {
  name: 'history-months',
  text: 'SELECT region, month, listed_at AS "listedAt", meetings FROM history_months WHERE source = $1',
};

/**
 * Races are numbered from 1: with fewer fields than the highest number, a race was run before the service found it. The
 * bounds of the start are for the index: a meeting's races start on its day, wherever it is.
 */
const SAVE_MONTH = `
  WITH noted AS (
    INSERT INTO history_months AS stored (source, region, month, listed_at, meetings) VALUES ($1, $2, $3, $4, $7)
        ON CONFLICT (source, region, month) DO UPDATE SET listed_at = EXCLUDED.listed_at, meetings = EXCLUDED.meetings)
  INSERT INTO history_meetings (source, document_key, region, meeting_date, next_try_at)
  SELECT $1, l.key, $2, l.day, $4 FROM jsonb_to_recordset($6) AS l (key text, day date, "venueId" text)
   WHERE NOT EXISTS (
         SELECT FROM races r LEFT JOIN race_results x USING (race_id)
          WHERE r.venue_id = l."venueId" AND r.category = $5 AND r.meeting_date = l.day
            AND r.start_time BETWEEN l.day - interval '1 day' AND l.day + interval '3 days'
         HAVING count(*) FILTER (WHERE x.status = 'abandoned' OR x.field_status = 'complete') >= max(r.race_number))
      ON CONFLICT DO NOTHING`;

async function saveMonth(pool: Pool, { source, region, month, category, listings }: HistoryList, at: Instant) {
  const meetings = new Map(
    listings.map(({ key, day, venue }) => [key, { key, day, venueId: resolveVenue(venue, category, 'AU').venueId }]),
  );
  const rows = JSON.stringify([...meetings.values()]);
  await pool.query(SAVE_MONTH, [source, region, month, at, category, rows, meetings.size]);
}

const NEXT = {
  name: 'history-next',
  text: `SELECT source, document_key AS key, meeting_date AS day, tries FROM history_meetings
          WHERE source = $1 AND next_try_at <= $2 ORDER BY meeting_date DESC, document_key LIMIT 1`,
};

const CLEAR = { name: 'history-clear', text: 'DELETE FROM stored_runs WHERE result_id = ANY ($1)' };
const READ = {
  name: 'history-read',
  text: `UPDATE history_meetings SET tries = $3, next_try_at = $4 WHERE source = $1 AND document_key = $2`,
};

async function saveMeeting(
  pool: Pool,
  { source, key }: Pick<HistoryMeeting, 'source' | 'key'>,
  runs: readonly StoredRun[],
  { tried, nextTryAt }: NextReading,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query({ ...CLEAR, values: [[...new Set(runs.map(({ result_id }) => result_id))]] });
    await client.query({ ...INSERT_RUNS, values: [JSON.stringify(runs)] });
    await client.query({ ...READ, values: [source, key, tried, nextTryAt] });
  });
}
