// The races of a window with their scratchings, priced or not (A 2.2).
import type { Pool } from 'pg';
import { HEAD_COLUMNS, type RaceHead, type RaceWindow, WINDOW_WHERE, windowValues } from './race-window';
import { type RunnerRow, type RunnerTuple, runnerOf, runnersColumn } from './runners';
import { shownOn } from './shown';

export type EventsQuery = RaceWindow;

export interface EventRace extends RaceHead {
  readonly scratched: readonly RunnerRow[];
}

export const EVENTS = {
  name: 'events',
  text: `SELECT ${HEAD_COLUMNS}, ${runnersColumn('u.scratched')} AS scratched
    FROM races r WHERE ${WINDOW_WHERE} AND ${shownOn('listed', 'r', '$8')} ORDER BY r.start_time, r.race_id`,
};

/** Next to jump first, then by race id. */
export async function readEvents(pool: Pool, query: EventsQuery): Promise<readonly EventRace[]> {
  const { rows } = await pool.query<RaceHead & { scratched: RunnerTuple[] | null }>({
    ...EVENTS,
    values: [...windowValues(query), query.at],
  });
  return rows.map((row) => ({ ...row, scratched: (row.scratched ?? []).map(runnerOf) }));
}
