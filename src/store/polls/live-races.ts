// The races in their live phase and whether a worker polls them: read from the database every few seconds, as the first
// alert of operators (`racing_live_races_unpolled`) and for the workers, whose slots belong to the races nearest their
// jump.
import { metrics } from '@opentelemetry/api';
import type { Pool } from 'pg';
import { BOOKMAKERS } from '../../domain/bookmakers';
import type { Instant } from '../../domain/race/race';

export interface LiveRaceRow {
  readonly raceId: string;
  readonly startTime: Instant;
  /** No polled book was stamped in the last thirty seconds of race time. */
  readonly unpolled: boolean;
}

export interface LiveWatch {
  /** As last read; null if never, or longer ago than a reading may be. */
  latest(): readonly LiveRaceRow[] | null;
  stop(): void;
}

const UNPOLLED_AFTER_SECONDS = 30;
/** Their rows are not stamped by our pollers. */
const PUSHED = BOOKMAKERS.filter(({ reach }) => reach === 'pushed').map(({ key }) => key);

const LIVE = `
  SELECT r.race_id AS "raceId", r.start_time AS "startTime",
         NOT EXISTS (SELECT FROM race_books b
                      WHERE b.race_id = r.race_id AND b.polled_at > $1::timestamptz - $2 * interval '1 second'
                        AND b.bookmaker_key <> ALL ($3)) AS unpolled
    FROM races r JOIN race_control c USING (race_id)
   WHERE r.left_board_at IS NULL AND r.phase = 'live' AND c.tier = 'live' AND NOT c.closed`;

export async function liveRaces(pool: Pool, at: Instant): Promise<readonly LiveRaceRow[]> {
  const text = { name: 'live-races', text: LIVE, values: [at, UNPOLLED_AFTER_SECONDS, PUSHED] };
  return (await pool.query<LiveRaceRow>(text)).rows;
}

/** Wall. */
const EVERY_MS = 10_000;
const MOST_AGE_MS = 60_000;

const gauge = metrics.getMeter('racing-odds/store').createObservableGauge('racing.live_races.unpolled', {
  description: 'Live races of which no book was stamped for 30 seconds of race time',
});

/**
 * Reads now and then every ten seconds until `stop`. `now`: race time. While the database is away the gauge has no
 * value.
 */
export function watchLiveRaces(pool: Pool, now: () => number): LiveWatch {
  let rows: readonly LiveRaceRow[] | null = null;
  let readAtMs = 0;
  let reading = false;
  const read = async (): Promise<void> => {
    if (reading) return;
    reading = true;
    try {
      rows = await liveRaces(pool, new Date(now()).toISOString());
      readAtMs = performance.now();
    } catch {
      // The next reading follows.
    } finally {
      reading = false;
    }
  };
  const latest = () => (performance.now() - readAtMs < MOST_AGE_MS ? rows : null);
  const observe = (result: { observe(value: number): void }): void => {
    const known = latest();
    if (known) result.observe(known.filter(({ unpolled }) => unpolled).length);
  };
  void read();
  const timer = setInterval(() => void read(), EVERY_MS).unref();
  gauge.addCallback(observe);
  return {
    latest,
    stop: () => {
      clearInterval(timer);
      gauge.removeCallback(observe);
    },
  };
}
