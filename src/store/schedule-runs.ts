// When the work of each Schedule last succeeded, and its gauge. Both times are the database's, so no process's clock
// matters.
import { metrics } from '@opentelemetry/api';
import type { Pool } from 'pg';

export interface ScheduleRuns {
  /** Exactly these Schedules exist now. A new one counts from now. */
  expect(scheduleIds: readonly string[]): Promise<void>;
  succeeded(scheduleId: string): Promise<void>;
}

const EXPECT = `
  WITH gone AS (DELETE FROM schedule_runs WHERE schedule_id <> ALL ($1))
  INSERT INTO schedule_runs (schedule_id) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING`;

const SUCCEEDED = `
  INSERT INTO schedule_runs (schedule_id) VALUES ($1) ON CONFLICT (schedule_id) DO UPDATE SET succeeded_at = now()`;

/** Each rejects if the database does not answer. */
export const createScheduleRuns = (pool: Pool): ScheduleRuns => ({
  expect: async (scheduleIds) => void (await pool.query(EXPECT, [scheduleIds])),
  succeeded: async (scheduleId) => void (await pool.query(SUCCEEDED, [scheduleId])),
});

/** Seconds since the last success. */
export async function readScheduleAges(pool: Pool): Promise<readonly { schedule: string; age: number }[]> {
  const { rows } = await pool.query(
    `SELECT schedule_id AS schedule, extract(epoch FROM now() - succeeded_at)::float8 AS age
       FROM schedule_runs ORDER BY 1`,
  );
  return rows;
}

/** Of the whole database, so every process reports the same; without an answer the gauge is missing. */
export function observeScheduleRuns(pool: Pool): void {
  metrics
    .getMeter('racing-odds/store')
    .createObservableGauge('racing.schedule.age', {
      unit: 's',
      description: 'Time since the work of a Schedule last succeeded, or since the Schedule was first made',
    })
    .addCallback(async (gauge) => {
      for (const { schedule, age } of await readScheduleAges(pool).catch(() => [])) gauge.observe(age, { schedule });
    });
}
