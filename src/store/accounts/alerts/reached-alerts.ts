// Compares open price alerts with the prices that the page of each race shows now, and writes the mail of an alert in
// the transaction that marks it. An alert is marked once, whichever process is first, and is judged again under the
// lock of its owner, by prices read then: what was true in between, or has passed since, is not mailed. Takes no lock
// that a poll waits for.
import type { ClientBase, Pool } from 'pg';
import { CUSTOMER_BOOKMAKER_KEYS } from '../../../domain/bookmakers';
import { type AlertMarket, alertPrice, type SeenPrice } from '../../../domain/prices/alert-price';
import type { Day, Instant } from '../../../domain/race/race';
import { idOfKey } from '../../business-key';
import { inTransaction } from '../../pg/transaction';
import { type BookTuple, bookOf, booksColumn } from '../../reads/races/board';
import type { RaceName } from '../../reads/races/race-window';
import { boardStateOf, shownOn } from '../../reads/races/shown';
import type { Sealer } from '../../secrets/sealer';
import { insertMail, type NewMail } from '../mails';
import { alertRoom } from './alert-room';
import { comesBack } from './comes-back';

/** An alert whose price is there. */
export interface ReachedAlert {
  readonly alertId: string;
  readonly accountId: string;
  readonly race: RaceName;
  /** As the card has the runner now. */
  readonly number: number;
  readonly name: string;
  readonly market: AlertMarket;
  readonly atLeast: number;
  readonly seen: SeenPrice;
}

/** How a reached alert is written. */
export interface AlertMailing {
  /** Race time, epoch milliseconds. */
  now(): number;
  /** Wall clock, epoch milliseconds. */
  wallMs(): number;
  /** Of a wall instant; mails of an account are counted by it. */
  dayOf(wallMs: number): Day;
  /** Mails of a day and an account. */
  readonly most: number;
  mailOf(email: string, alert: ReachedAlert, wallMs: number): NewMail;
}

/** Marked with a mail, or without one for a reason. */
interface WrittenAlerts {
  readonly mailed: number;
  /** The account had the mails of the day. */
  readonly overBound: number;
  /** The owner wants no mails of alerts. */
  readonly mailsOff: number;
}

export interface ReachedAlertStore {
  /** A page of alerts, by id. Null: it is the last. */
  page(
    nowMs: number,
    after: string | null,
  ): Promise<{ readonly reached: readonly ReachedAlert[]; readonly after: string | null }>;
  /** Those of these alerts of one account that are still true. */
  write(accountId: string, alertIds: readonly string[], mailing: AlertMailing): Promise<WrittenAlerts>;
  /**
   * Opens alerts that their race ended, if it is ahead again and the account has room among its `most`; the others wait
   * for room. Waits for no owner that is locked: the next pass has it.
   */
  reopen(raceAt: Instant, most: number): Promise<Reopened>;
  /** Ends alerts of races that have left the board. True: there may be more. */
  endOver(raceAt: Instant, at: Instant): Promise<boolean>;
}

interface Reopened {
  /** Of accounts, which delay no other. */
  readonly failures: readonly unknown[];
  /** False: there may be more. */
  readonly isWhole: boolean;
}

const PAGE = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Some book may reach the price; which one counts is judged here. One snapshot of alerts, races and prices. */
const DUE = `
  WITH due AS MATERIALIZED (
    SELECT DISTINCT ON (a.alert_id) a.alert_id, a.account_id, a.race_id, a.market, a.at_least, u.number, u.name
      FROM price_alerts a JOIN races r USING (race_id)
      JOIN race_runners u ON u.race_id = a.race_id AND u.runner_key = a.runner_key AND NOT u.scratched
     WHERE a.reached_at IS NULL AND a.ended_at IS NULL AND a.alert_id > $3 AND ($4::uuid[] IS NULL OR a.alert_id = ANY ($4))
       AND r.left_board_at IS NULL AND ${shownOn('board', 'r', '$1')}
       AND EXISTS (SELECT FROM race_books b CROSS JOIN LATERAL unnest(b.numbers, b.win, b.place) q (number, win, place)
                    WHERE b.race_id = a.race_id AND b.bookmaker_key = ANY ($2) AND b.polled_at IS NOT NULL AND q.number = u.number
                      AND CASE a.market WHEN 'win' THEN q.win ELSE q.place END >= a.at_least)
     ORDER BY a.alert_id, u.number = a.runner_number DESC, u.number LIMIT ${PAGE})
  SELECT r.race_id, r.venue, r.race_number, r.category, r.country, r.start_time, r.market_status, r.market_state_source,
         ${booksColumn('b.race_id = r.race_id AND b.bookmaker_key = ANY ($2) AND b.polled_at IS NOT NULL')} AS books,
         (SELECT json_agg(json_build_object('alertId', d.alert_id, 'accountId', d.account_id, 'number', d.number, 'name', d.name,
                                            'market', d.market, 'atLeast', d.at_least) ORDER BY d.alert_id)
            FROM due d WHERE d.race_id = r.race_id) AS alerts
    FROM races r WHERE r.race_id IN (SELECT race_id FROM due)`;

interface DueRow extends RaceName {
  readonly market_status: string | null;
  readonly market_state_source: string | null;
  readonly books: readonly BookTuple[];
  readonly alerts: readonly Omit<ReachedAlert, 'race' | 'seen'>[];
}

const MARK = `
  UPDATE price_alerts SET reached_at = $2, price = $3, bookmaker_key = $4, polled_at = $5, mails_off = $6
   WHERE alert_id = $1 AND reached_at IS NULL AND ended_at IS NULL`;

const TAKE = `
  INSERT INTO price_alert_days AS of_day (account_id, day, mails) VALUES ($1, $2, 1)
  ON CONFLICT (account_id, day) DO UPDATE SET mails = of_day.mails + 1 WHERE of_day.mails < $3`;

const MAILED = 'UPDATE price_alerts SET mail_id = $2 WHERE alert_id = $1';

/** A row that is being written by another process is left to the next pass: this one waits for none. */
const END_OVER = `
  UPDATE price_alerts a SET ended_at = $2, end_reason = o.reason
    FROM (SELECT a.alert_id,
                 CASE WHEN r.status = 'abandoned' THEN 'abandoned'
                      ELSE COALESCE((SELECT CASE WHEN bool_and(u.scratched) THEN 'scratched' ELSE 'jumped' END FROM race_runners u
                                      WHERE u.race_id = a.race_id AND u.runner_key = a.runner_key HAVING count(*) > 0), 'gone') END AS reason
            FROM price_alerts a JOIN races r USING (race_id)
           WHERE a.reached_at IS NULL AND a.ended_at IS NULL AND ${boardStateOf('r', '$1::timestamptz')} = 'over'
           LIMIT ${PAGE} FOR NO KEY UPDATE OF a SKIP LOCKED) o
   WHERE a.alert_id = o.alert_id`;

/** Accounts that seem to have room, each with its alerts that may be opened. In any order: none is always first. */
const WITH_ROOM = `
  SELECT a.account_id AS "accountId", array_agg(a.alert_id) AS "alertIds"
    FROM price_alerts a JOIN races r USING (race_id)
   WHERE ${comesBack('$1')}
     AND (SELECT count(*) FROM price_alerts o WHERE o.account_id = a.account_id AND o.reached_at IS NULL AND o.ended_at IS NULL) < $2
   GROUP BY a.account_id ORDER BY random() LIMIT ${PAGE}`;

/** The first to start first. What is true of them is read under the lock of their owner. */
const OPEN = `
  UPDATE price_alerts SET ended_at = NULL, end_reason = NULL
   WHERE alert_id IN (SELECT a.alert_id FROM price_alerts a JOIN races r USING (race_id)
                       WHERE a.alert_id = ANY ($2) AND ${comesBack('$1')} ORDER BY r.start_time, a.alert_id LIMIT $3)`;

export function createReachedAlertStore(pool: Pool, sealer: Sealer): ReachedAlertStore {
  return {
    async page(nowMs, after) {
      const { reached, found, last } = await readDue(pool, nowMs, after ?? FIRST, null);
      return { reached, after: found < PAGE ? null : last };
    },
    write: (accountId, alertIds, mailing) =>
      inTransaction(pool, (client) => write(client, sealer, { accountId, alertIds, mailing })),
    async reopen(raceAt, most) {
      const values = [raceAt, most];
      const { rows } = await pool.query<Reopening>({ name: 'price-alerts-with-room', text: WITH_ROOM, values });
      const failures: unknown[] = [];
      for (const one of rows) await reopenOf(pool, one, { raceAt, most }).catch((error) => failures.push(error));
      return { failures, isWhole: rows.length < PAGE };
    },
    endOver: async (raceAt, at) =>
      (await pool.query({ name: 'price-alerts-over', text: END_OVER, values: [raceAt, at] })).rowCount === PAGE,
  };
}

interface Reopening {
  readonly accountId: string;
  readonly alertIds: readonly string[];
}

const FREE = 'SELECT FROM account_owners WHERE account_id = $1 FOR NO KEY UPDATE SKIP LOCKED';

const reopenOf = (
  pool: Pool,
  { accountId, alertIds }: Reopening,
  { raceAt, most }: { raceAt: Instant; most: number },
) =>
  inTransaction(pool, async (client) => {
    if ((await client.query(FREE, [accountId])).rowCount !== 1) return;
    const room = await alertRoom(client, accountId, most);
    if (room !== null && room > 0) await client.query(OPEN, [raceAt, alertIds, room]);
  });

async function readDue(
  client: Pick<Pool, 'query'> | ClientBase,
  nowMs: number,
  after: string,
  ids: readonly string[] | null,
) {
  const values = [iso(nowMs), CUSTOMER_BOOKMAKER_KEYS, after, ids];
  const { rows } = await (client as ClientBase).query<DueRow>({ name: 'price-alerts-due', text: DUE, values });
  const alertIds = rows.flatMap(({ alerts }) => alerts.map(({ alertId }) => alertId)).sort();
  const reached = rows.flatMap((row) => reachedOf(row, nowMs));
  reached.sort((a, b) => (a.alertId < b.alertId ? -1 : 1));
  return { reached, found: alertIds.length, last: alertIds.at(-1) ?? null };
}

function reachedOf(
  { alerts, books, market_status, market_state_source, ...race }: DueRow,
  nowMs: number,
): ReachedAlert[] {
  const now = { startMs: Date.parse(race.start_time), market_status, market_state_source, books: books.map(bookOf) };
  return alerts.flatMap((alert) => {
    const seen = alertPrice(now, alert.number, alert.market, nowMs);
    return seen === null || seen.price < alert.atLeast ? [] : [{ ...alert, race, seen }];
  });
}

interface Writing {
  readonly accountId: string;
  readonly alertIds: readonly string[];
  readonly mailing: AlertMailing;
}

/** Under the owner's lock mails of a day are counted one after another; an account that closes waits, or was first. */
async function write(
  client: ClientBase,
  sealer: Sealer,
  { accountId, alertIds, mailing }: Writing,
): Promise<WrittenAlerts> {
  const text = 'SELECT email, alert_mails AS mailed FROM account_owners WHERE account_id = $1 FOR NO KEY UPDATE';
  const owner = (await client.query<{ email: string; mailed: boolean }>(text, [accountId])).rows[0];
  const written = { mailed: 0, overBound: 0, mailsOff: 0 };
  if (owner === undefined) return written;
  const nowMs = mailing.now();
  const { reached } = await readDue(client, nowMs, FIRST, alertIds);
  for (const alert of reached) {
    const wallMs = mailing.wallMs();
    const { seen, alertId } = alert;
    const mark = [alertId, iso(wallMs), seen.price, seen.bookmaker, iso(seen.polledAtMs), !owner.mailed];
    if ((await client.query(MARK, mark)).rowCount !== 1) continue;
    if (!owner.mailed) {
      written.mailsOff += 1;
      continue;
    }
    if ((await client.query(TAKE, [accountId, mailing.dayOf(wallMs), mailing.most])).rowCount !== 1) {
      written.overBound += 1;
      continue;
    }
    const mail = mailing.mailOf(owner.email, alert, wallMs);
    const fact = `price alert ${alertId}`;
    await insertMail(client, sealer, { ...mail, fact });
    await client.query(MAILED, [alertId, idOfKey(fact)]);
    written.mailed += 1;
  }
  return written;
}

const iso = (ms: number): string => new Date(ms).toISOString();
