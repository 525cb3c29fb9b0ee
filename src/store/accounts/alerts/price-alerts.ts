// An owner's price alerts. What adds or stops alerts locks the owner first, as the pass that mails them does, so that
// no two of them wait for each other, and a form that is sent twice makes one alert.
import type { ClientBase, Pool } from 'pg';
import type { AlertMarket } from '../../../domain/prices/alert-price';
import type { BoardState } from '../../../domain/race/board-state';
import type { Instant } from '../../../domain/race/race';
import { isVacantBox } from '../../../domain/race/runner';
import { STORED_ALERTS } from '../../../plans/limits';
import { inTransaction } from '../../pg/transaction';
import type { RaceName } from '../../reads/races/race-window';
import { boardStateOf, shownOn } from '../../reads/races/shown';
import { lockOwner } from '../owner-lock';
import { type AlertNews, readAlertNews } from './alert-news';
import { alertRoom } from './alert-room';
import { comesBack } from './comes-back';
import { MAIL_STATE } from './mail-state';

export interface AlertWish {
  readonly raceId: string;
  readonly number: number;
  readonly market: AlertMarket;
  readonly atLeast: number;
}

/** Of the wall, and of the race clock. */
interface Instants {
  readonly at: Instant;
  readonly raceAt: Instant;
}

/** `no_race`: none that is ahead of its jump. `full`: the account has as many as it may, open or stored. */
type Added = 'added' | 'there' | 'full' | 'no_race' | 'no_runner' | 'no_owner';

/** `unknown`: it was written, and is deleted by now. `off`: none was written, because the owner wanted none. */
type AlertMail = 'sent' | 'waiting' | 'given_up' | 'unknown' | 'off';

export interface PriceAlert extends RaceName {
  readonly alertId: string;
  /** Of the race now. */
  readonly state: BoardState;
  /** As on the card when the alert was made. */
  readonly number: number;
  readonly name: string;
  readonly market: AlertMarket;
  readonly atLeast: number;
  readonly createdAt: Instant;
  /** Null while it is open, and where it ended without its price. */
  readonly reached: ReachedPrice | null;
  readonly ended: EndedAlert | null;
}

interface EndedAlert {
  readonly at: Instant;
  readonly reason: EndReason;
  /** It waits again once there is room: its race is ahead again, and its runner runs. */
  readonly comesBack: boolean;
}

interface ReachedPrice {
  readonly at: Instant;
  readonly price: number;
  readonly bookmaker: string;
  readonly polledAt: Instant;
  /** Null: the account had the mails of the day. */
  readonly mail: AlertMail | null;
}

export type EndReason = 'jumped' | 'abandoned' | 'scratched' | 'gone' | 'stopped';

export interface PriceAlertStore {
  add(accountId: string, wish: AlertWish, most: number, instants: Instants): Promise<Added>;
  /** Those that wait for their price. */
  countOpen(accountId: string): Promise<number>;
  /** Open ones by start, then the others, latest first. */
  list(accountId: string, raceAt: Instant): Promise<readonly PriceAlert[]>;
  /** False: the account has no such alert. */
  remove(accountId: string, alertId: string): Promise<boolean>;
  /** What a browser is to show. `since`: of the wall; `raceAt`: of the race clock. */
  news(accountId: string, since: Instant, raceAt: Instant): Promise<AlertNews>;
  /** Ends those that are open, and for good those that their race ended. Resolves to the number of open ones. */
  stop(accountId: string, at: Instant): Promise<number>;
}

const RUNNER = `
  SELECT u.runner_key AS key, u.name
    FROM races r LEFT JOIN race_runners u ON u.race_id = r.race_id AND u.number = $2 AND NOT u.scratched
   WHERE r.race_id = $1 AND ${shownOn('board', 'r', '$3')}`;

const THERE = `
  SELECT FROM price_alerts WHERE (account_id, race_id, runner_key, market, at_least) = ($1, $2, $3, $4, $5)`;

const COUNT = `
  SELECT count(*)::int AS stored, count(*) FILTER (WHERE reached_at IS NULL AND ended_at IS NULL)::int AS open
    FROM price_alerts WHERE account_id = $1`;

interface Counts {
  readonly stored: number;
  readonly open: number;
}

const ADD = `
  INSERT INTO price_alerts (account_id, race_id, runner_key, runner_number, runner_name, market, at_least, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

const LIST = `
  SELECT a.alert_id AS "alertId", a.race_id, r.venue, r.race_number, r.category, r.country, r.start_time,
         ${boardStateOf('r', '$2::timestamptz')} AS state, a.runner_number AS number, a.runner_name AS name, a.market, a.at_least AS "atLeast",
         a.created_at AS "createdAt", a.reached_at AS "reachedAt", a.price, a.bookmaker_key AS bookmaker, a.polled_at AS "polledAt",
         ${MAIL_STATE} AS mail,
         a.ended_at AS "endedAt", a.end_reason AS reason, ${comesBack('$2::timestamptz')} AS "comesBack"
    FROM price_alerts a JOIN races r USING (race_id) LEFT JOIN mails m USING (mail_id)
   WHERE a.account_id = $1
   ORDER BY COALESCE(a.reached_at, a.ended_at) DESC NULLS FIRST, r.start_time, a.alert_id LIMIT ${STORED_ALERTS}`;

interface ListedRow extends Omit<PriceAlert, 'reached' | 'ended'> {
  readonly reachedAt: Instant | null;
  readonly price: number;
  readonly bookmaker: string;
  readonly polledAt: Instant;
  readonly mail: AlertMail | null;
  readonly endedAt: Instant | null;
  readonly reason: EndReason;
  readonly comesBack: boolean;
}

const STOP = `
  UPDATE price_alerts SET reopens = false, ended_at = COALESCE(ended_at, $2), end_reason = COALESCE(end_reason, 'stopped')
   WHERE account_id = $1 AND reached_at IS NULL AND reopens
  RETURNING end_reason = 'stopped' AS was_open`;

export function createPriceAlertStore(pool: Pool): PriceAlertStore {
  return {
    add: (accountId, wish, most, instants) =>
      inTransaction(pool, (client) => insertAlert(client, { accountId, wish, most, instants })),
    countOpen: async (accountId) => (await counts(pool, accountId)).open,
    async list(accountId, raceAt) {
      const { rows } = await pool.query<ListedRow>({ name: 'price-alerts', text: LIST, values: [accountId, raceAt] });
      return rows.map(listed);
    },
    async remove(accountId, alertId) {
      const text = 'DELETE FROM price_alerts WHERE account_id = $1 AND alert_id = $2';
      return (await pool.query(text, [accountId, alertId])).rowCount === 1;
    },
    news: (accountId, since, raceAt) => readAlertNews(pool, accountId, since, raceAt),
    stop: (accountId, at) =>
      inTransaction(pool, async (client) => {
        await lockOwner(client, accountId);
        const { rows } = await client.query<{ was_open: boolean }>(STOP, [accountId, at]);
        return rows.filter(({ was_open }) => was_open).length;
      }),
  };
}

const counts = async (on: Pick<ClientBase, 'query'>, accountId: string): Promise<Counts> =>
  (await on.query<Counts>(COUNT, [accountId])).rows[0]!;

interface Adding {
  readonly accountId: string;
  readonly wish: AlertWish;
  readonly most: number;
  readonly instants: Instants;
}

async function insertAlert(client: ClientBase, { accountId, wish, most, instants }: Adding): Promise<Added> {
  const { raceId, number, market, atLeast } = wish;
  const room = await alertRoom(client, accountId, most);
  if (room === null) return 'no_owner';
  const { rows } = await client.query<{ key: string | null; name: string }>(RUNNER, [raceId, number, instants.raceAt]);
  const runner = rows[0];
  if (!runner) return 'no_race';
  if (runner.key === null || runner.key === '' || isVacantBox(runner.name)) return 'no_runner';
  const of = [accountId, raceId, runner.key, market, atLeast];
  if ((await client.query(THERE, of)).rowCount === 1) return 'there';
  if (room === 0 || (await counts(client, accountId)).stored >= STORED_ALERTS) return 'full';
  await client.query(ADD, [accountId, raceId, runner.key, number, runner.name, market, atLeast, instants.at]);
  return 'added';
}

function listed({
  reachedAt,
  price,
  bookmaker,
  polledAt,
  mail,
  endedAt,
  reason,
  comesBack: isBack,
  ...alert
}: ListedRow): PriceAlert {
  return {
    ...alert,
    reached: reachedAt === null ? null : { at: reachedAt, price, bookmaker, polledAt, mail },
    ended: endedAt === null ? null : { at: endedAt, reason, comesBack: isBack },
  };
}
