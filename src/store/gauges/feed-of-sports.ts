// Whether the metered feed of sports answers, and whether it lists anything: levels, because a source that is called
// every quarter of an hour has no rate to speak of.
import { metrics } from '@opentelemetry/api';
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';

export interface FeedOfSports {
  /**
   * Sports with upcoming matches: 0 if every list of matches that was read is empty. Null: no list was read yet.
   */
  readonly listed: number | null;
  /**
   * Seconds since the feed last answered, if its last call failed, or since it last gave the prices of a sport, if the
   * calls for them fail beside lists that do not; 0: it answers. Null: it was never called.
   */
  readonly failing: number | null;
}

/** A price call of the farthest tier that failed once is made again before that. */
const READ = `
  SELECT (SELECT count(*) FILTER (WHERE next_start > $2)::int FROM feed_sports WHERE source = $1 HAVING count(starts_at) > 0) AS listed,
         greatest(
           (SELECT CASE WHEN status = 'ok' THEN 0 ELSE greatest(1, extract(epoch FROM $2::timestamptz - last_ok_at)::float8) END
              FROM connector_health WHERE connector = $1),
           (SELECT max(extract(epoch FROM $2::timestamptz - polled_at)::float8) FROM feed_sports
             WHERE source = $1 AND next_start > $2 AND tried_at > polled_at AND polled_at < $2::timestamptz - interval '25 minutes')) AS failing`;

/** `at`: race time. */
export async function readFeedOfSports(pool: Pool, source: string, at: Instant): Promise<FeedOfSports> {
  return (await pool.query<FeedOfSports>(READ, [source, at])).rows[0]!;
}

/** `now`: race time, epoch milliseconds. Without an answer of the database the gauges are missing. */
export function observeFeedOfSports(pool: Pool, source: string, now: () => number): void {
  const meter = metrics.getMeter('racing-odds/store');
  const listed = meter.createObservableGauge('racing.sports.listed', {
    description: 'Sports of which the metered feed lists matches to come',
  });
  const failing = meter.createObservableGauge('racing.sports.failing', {
    unit: 's',
    description: 'Time since the metered feed last answered, if its last call failed, race seconds; 0: it answered',
  });
  meter.addBatchObservableCallback(
    async (gauges) => {
      const state = await readFeedOfSports(pool, source, new Date(now()).toISOString()).catch(() => null);
      if (state?.listed != null) gauges.observe(listed, state.listed);
      if (state?.failing != null) gauges.observe(failing, state.failing);
    },
    [listed, failing],
  );
}
