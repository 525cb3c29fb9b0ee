// The number of sports for which the metered feed lists upcoming matches: 0 if its list of sports is read and every
// list of matches is empty.
import { metrics } from '@opentelemetry/api';
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';

const READ = `SELECT count(*) FILTER (WHERE next_start > $2)::int AS listed FROM feed_sports WHERE source = $1 HAVING count(starts_at) > 0`;

/** Null: no list of matches was read yet. */
export async function readListedSports(pool: Pool, source: string, at: Instant): Promise<number | null> {
  return (await pool.query<{ listed: number }>(READ, [source, at])).rows[0]?.listed ?? null;
}

/** `now`: race time, epoch milliseconds. Without an answer of the database the gauge is missing. */
export function observeListedSports(pool: Pool, source: string, now: () => number): void {
  metrics
    .getMeter('racing-odds/store')
    .createObservableGauge('racing.sports.listed', {
      description: 'Sports of which the metered feed lists matches to come',
    })
    .addCallback(async (gauge) => {
      const listed = await readListedSports(pool, source, new Date(now()).toISOString()).catch(() => null);
      if (listed !== null) gauge.observe(listed);
    });
}
