// The price alerts of an account that a browser may show: reached lately, of a race that is ahead of its jump, with a
// runner that runs. A level: the same rows until one of these ends. One statement over the rows of one account.
import type { Pool } from 'pg';
import type { AlertMarket } from '../../../domain/prices/alert-price';
import type { Instant } from '../../../domain/race/race';
import type { RaceName } from '../../reads/races/race-window';
import { shownOn } from '../../reads/races/shown';

export interface AlertNews {
  /** Alerts that wait for their price. */
  readonly open: number;
  /** Latest first. */
  readonly reached: readonly NewsOfAlert[];
}

export interface NewsOfAlert extends Omit<RaceName, 'category' | 'country'> {
  readonly alertId: string;
  /** As on the card now. */
  readonly number: number;
  readonly name: string;
  readonly market: AlertMarket;
  readonly atLeast: number;
  readonly price: number;
  readonly bookmaker: string;
  readonly polledAt: Instant;
}

/** As many as an account may have open. */
const MOST = 50;

const NEWS = `
  SELECT (SELECT count(*)::int FROM price_alerts WHERE account_id = $1 AND reached_at IS NULL AND ended_at IS NULL) AS open, n.*
    FROM (SELECT) one LEFT JOIN (
      SELECT a.alert_id AS "alertId", r.race_id, r.venue, r.race_number, r.start_time, u.number, u.name, a.market,
             a.at_least AS "atLeast", a.reached_at AS "reachedAt", a.price, a.bookmaker_key AS bookmaker, a.polled_at AS "polledAt"
        FROM price_alerts a JOIN races r USING (race_id)
       CROSS JOIN LATERAL (SELECT u.number, u.name FROM race_runners u
                            WHERE u.race_id = a.race_id AND u.runner_key = a.runner_key AND NOT u.scratched
                            ORDER BY u.number = a.runner_number DESC, u.number LIMIT 1) u
       WHERE a.account_id = $1 AND a.reached_at > $2 AND r.left_board_at IS NULL AND ${shownOn('board', 'r', '$3')}
       ORDER BY a.reached_at DESC, a.alert_id LIMIT ${MOST}) n ON true
   ORDER BY n."reachedAt" DESC, n."alertId"`;

type Row = NewsOfAlert & { readonly open: number; readonly reachedAt: Instant };

export async function readAlertNews(
  pool: Pool,
  accountId: string,
  since: Instant,
  raceAt: Instant,
): Promise<AlertNews> {
  const { rows } = await pool.query<Row>({ name: 'price-alert-news', text: NEWS, values: [accountId, since, raceAt] });
  const reached = rows.filter(({ alertId }) => alertId !== null).map(({ open: _, reachedAt: __, ...alert }) => alert);
  return { open: rows[0]!.open, reached };
}
