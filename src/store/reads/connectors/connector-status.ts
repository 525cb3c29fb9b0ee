// The state of every connector in one statement: its polls, its drops and their reasons, its gate in each worker, and
// how old its quotes on the live races are.
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';
import { AHEAD_SECONDS, UNKNOWN_AGE_SECONDS } from '../../../domain/time/staleness';
import { shownOn } from '../races/shown';

interface ConnectorHorizon {
  readonly connector: string;
  /** Seconds before the start from which a race is live at this book (D21). */
  readonly liveSeconds: number;
}

export interface ConnectorStatusQuery {
  readonly now: Instant;
  /** Connectors that should report: each has a row, with or without a poll. */
  readonly expected: readonly ConnectorHorizon[];
  /** Drops and failures are counted from the beginning of this UTC day. */
  readonly countedFrom: string;
  /** Gates of workers that last reported before this are left out. */
  readonly silentSince: Instant;
}

/** One worker's gate (`connector_gates`). */
export interface GateRow {
  readonly breaker: 'closed' | 'open' | 'half_open';
  readonly since: string;
  readonly perSecond: number;
  readonly source: 'shared' | 'own_share';
  readonly overBudget: number;
  readonly byBreaker: number;
}

export interface ConnectorStatusRow {
  readonly connector: string;
  readonly last_ok_at: Instant | null;
  readonly last_poll_at: Instant | null;
  readonly status: string | null;
  readonly message: string | null;
  readonly polls: number | null;
  readonly records_written: number | null;
  /** Newest change of any reply, over races on the board. */
  readonly last_change_at: Instant | null;
  readonly failed: Readonly<Record<string, number>> | null;
  readonly dropped: Readonly<Record<string, number>> | null;
  readonly refused: Readonly<Record<string, number>> | null;
  /** Over the reporting workers; null if none reports. */
  readonly gates: readonly GateRow[] | null;
  /** Priced live races, and the 50th, 90th and 99th percentile of the ages of its quotes on them, seconds. */
  readonly live_races: number | null;
  readonly ages: readonly number[] | null;
}

const counted = (kind: string): string =>
  `(SELECT json_object_agg(reason, count) FROM counts n WHERE n.connector = k.connector AND n.kind = '${kind}')`;

const STATUS = {
  name: 'connector-status',
  text: `
  WITH expected AS (SELECT * FROM unnest($2::text[], $3::int[]) AS e (connector, live_seconds)),
  names AS (SELECT connector FROM connector_health UNION SELECT connector FROM expected),
  counts AS (SELECT connector, kind, reason, sum(count) AS count FROM connector_counts WHERE day >= $4 GROUP BY 1, 2, 3),
  board AS (
    SELECT b.bookmaker_key AS connector, b.polled_at, b.changed_at, r.start_time, ${shownOn('board', 'r', '$1')} AS ahead,
           EXISTS (SELECT FROM unnest(b.win) price WHERE price IS NOT NULL) AS priced
      FROM races r JOIN race_books b USING (race_id)
     WHERE r.left_board_at IS NULL AND ${shownOn('listed', 'r', '$1')} AND r.start_time > $1::timestamptz - interval '1 day'
       AND r.start_time < $1::timestamptz + interval '2 days' AND b.polled_at IS NOT NULL),
  changes AS (SELECT connector, max(changed_at) AS last_change_at FROM board GROUP BY 1),
  ages AS (
    SELECT connector, count(*) AS live_races,
           percentile_disc(ARRAY[0.5, 0.9, 0.99]) WITHIN GROUP (
             ORDER BY CASE WHEN polled_at > $1::timestamptz + interval '${AHEAD_SECONDS} seconds' THEN ${UNKNOWN_AGE_SECONDS}
                           ELSE greatest(0, floor(extract(epoch FROM $1 - polled_at)))::int END) AS ages
      FROM board JOIN expected USING (connector)
     WHERE priced AND ahead
       AND start_time <= $1::timestamptz + live_seconds * interval '1 second'
     GROUP BY 1),
  gates AS (
    SELECT connector, json_agg(json_build_object('breaker', breaker, 'since', breaker_since, 'perSecond', budget_per_second,
             'source', budget_source, 'overBudget', refused_over_budget, 'byBreaker', refused_breaker) ORDER BY worker) AS gates
      FROM connector_gates WHERE reported_at >= $5 GROUP BY 1)
  SELECT k.connector, h.last_ok_at, h.last_poll_at, h.status, h.message, h.polls, h.records_written, c.last_change_at,
         ${counted('failed')} AS failed, ${counted('dropped')} AS dropped, ${counted('refused')} AS refused,
         g.gates, a.live_races, a.ages
    FROM names k LEFT JOIN connector_health h USING (connector) LEFT JOIN changes c USING (connector)
         LEFT JOIN ages a USING (connector) LEFT JOIN gates g USING (connector)
   ORDER BY k.connector`,
};

/** By name. */
export async function readConnectorStatus(
  pool: Pool,
  { now, expected, countedFrom, silentSince }: ConnectorStatusQuery,
): Promise<readonly ConnectorStatusRow[]> {
  const values = [
    now,
    expected.map((one) => one.connector),
    expected.map((one) => Math.min(one.liveSeconds, 2 ** 31 - 1)),
    countedFrom,
    silentSince,
  ];
  const { rows } = await pool.query<ConnectorStatusRow>({ ...STATUS, values });
  return rows;
}
