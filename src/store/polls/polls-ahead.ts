// The gauge of stored polls that are ahead of the database's clock: above 0, some clock was wrong, and those rows show
// as stale until their books' next replies.
import { metrics } from '@opentelemetry/api';
import type { Pool } from 'pg';

const AHEAD = {
  name: 'polls-ahead',
  text: `SELECT count(*) AS ahead FROM races r JOIN race_books b USING (race_id)
          WHERE r.start_time > race_time(now()) - interval '4 hours' AND r.start_time < race_time(now()) + interval '1 day'
            AND b.polled_at > race_time(clock_timestamp() + interval '1 second')`,
};

export async function countPollsAhead(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ ahead: number }>(AHEAD);
  return rows[0]!.ahead;
}

const gauge = metrics.getMeter('racing-odds/clock').createObservableGauge('racing.polls.ahead', {
  description: 'Books’ rows of the races around now whose last poll is ahead of the database’s clock',
});

/** Counts at every collection of the metrics; a database that does not answer gives no value. */
export function observePollsAhead(pool: Pool): void {
  gauge.addCallback(async (result) => {
    const ahead = await countPollsAhead(pool).catch(() => null);
    if (ahead !== null) result.observe(ahead);
  });
}
