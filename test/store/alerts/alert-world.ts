// One race, three runners and four books, and an account with price alerts: what its page shows at an instant is read
// the way of the pages, beside the pass that mails.
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { type AlertPassDeps, mailReachedAlerts } from '../../../src/accounts/alerts/pass';
import { createBoardSource } from '../../../src/api/pages/board-source';
import type { AlertMarket } from '../../../src/domain/prices/alert-price';
import { REAL_TIME } from '../../../src/domain/time/clock';
import { createStores } from '../../../src/store/create-stores';
import { createLiveReads } from '../../../src/store/reads/live-board';
import { createReads } from '../../../src/store/reads/reads';
import { stateOf } from '../../../src/web/board/sheet';
import { feedRunner } from '../../support/races/builders';
import { storeRace } from '../../support/races/stored-race';
import type { TestDatabase } from '../../support/servers/database';

export const BOOKS = ['ladbrokes_au', 'tab', 'sportsbet', 'neds', 'betfair_ex_au'] as const;
type Legs = readonly (number | null)[];

export interface AlertRow {
  readonly alert_id: string;
  readonly runner_number: number;
  readonly market: AlertMarket;
  readonly at_least: number;
  readonly reached_at: string | null;
  readonly price: number | null;
  readonly bookmaker_key: string | null;
  readonly mail_id: string | null;
  readonly end_reason: string | null;
  readonly ended_at: string | null;
}

/** `log`: what the passes warn of. */
export async function createAlertWorld(db: TestDatabase, raceNumber: number) {
  const race = await storeRace(db, { raceNumber, venue: `Track ${randomUUID()}` }, BOOKS);
  const email = `${randomUUID()}@example.com`;
  const accountId = randomUUID();
  await db.pool.query(`INSERT INTO accounts (account_id, plan, created_at) VALUES ($1, 'free', now())`, [accountId]);
  await db.pool.query(
    'INSERT INTO account_owners (account_id, email, email_key, verified_at, terms_accepted_at) VALUES ($1, $2, $2, now(), now())',
    [accountId, email],
  );
  const stores = createStores(db.pool);
  const pages = createBoardSource({ reads: createReads(db.pool, db.pool), liveReads: createLiveReads(db.pool) });
  let left = 3000;
  const nowMs = (): number => race.startMs - left * 1000;
  const iso = (): string => new Date(nowMs()).toISOString();

  const deps = (pool: Pool, over: Partial<AlertPassDeps> = {}): AlertPassDeps => ({
    store: createStores(pool).reachedAlerts,
    linkSecret: async () => Buffer.from('secret'),
    baseUrl: 'https://odds.example',
    clock: REAL_TIME,
    now: nowMs,
    wallMs: nowMs,
    mailWritten: () => {},
    log: { warn: (fields, message) => console.error(message, fields) },
    ...over,
  });

  return {
    ...{ race, email, accountId, stores, nowMs },
    passTime(seconds: number): void {
      left -= seconds;
    },
    /** Null: the book has no price of the runner. */
    poll: (book: string, wins: Legs, places: Legs) =>
      race.poll(
        left,
        { runners: wins.map((win, i) => feedRunner(i + 1, { win, place: places[i] ?? null })) },
        { bookmakerKey: book, startSource: false },
      ),
    set: (what: string) => db.pool.query(`UPDATE races SET ${what} WHERE race_id = $1`, [race.raceId]),
    scratch: (number: number, isOut: boolean) =>
      db.pool.query('UPDATE race_runners SET scratched = $3 WHERE race_id = $1 AND number = $2', [
        race.raceId,
        number,
        isOut,
      ]),
    add: (number: number, market: AlertMarket, atLeast: number, most = 50) =>
      stores.priceAlerts.add(accountId, { raceId: race.raceId, number, market, atLeast }, most, {
        at: iso(),
        raceAt: iso(),
      }),
    /** Rejects if an account failed. */
    async pass(pool: Pool, over: Partial<AlertPassDeps> = {}): Promise<void> {
      const { failures, isWhole } = await mailReachedAlerts(deps(pool, over));
      if (failures.length > 0) throw failures[0];
      if (!isWhole) throw new Error('alerts are left');
    },
    /** Ended although the race is ahead and the runner stands. */
    async wronglyEnded(): Promise<readonly string[]> {
      const { rows } = await db.pool.query<{ number: number }>(
        'SELECT number FROM race_runners WHERE race_id = $1 AND NOT scratched',
        [race.raceId],
      );
      const standing = rows.map(({ number }) => number);
      return (
        (await stores.priceAlerts.list(accountId, iso()))
          .map((alert) => ({ ...alert, isOwed: alert.state === 'ahead' && standing.includes(alert.number) }))
          // Nothing is promised that does not come.
          .filter(({ ended, isOwed }) => ended !== null && (isOwed || ended.comesBack))
          .map(({ ended }) => ended!.reason)
      );
    },
    deps,
    alerts: async () =>
      (await db.pool.query<AlertRow>('SELECT * FROM price_alerts WHERE account_id = $1 ORDER BY alert_id', [accountId]))
        .rows,
    mails: async () =>
      (
        await db.pool.query<{ mail_id: string; subject: string; body: string; list: string | null }>(
          'SELECT mail_id, subject, body, list FROM mails WHERE recipient = $1',
          [email],
        )
      ).rows,
    /** The prices that a visitor sees and can take: fresh, no placeholder, of a race that is open. */
    async takeable(number: number, market: AlertMarket): Promise<ReadonlyMap<string, number>> {
      const at = nowMs();
      const shown = (await pages.race(race.raceId, at))!;
      const runner = shown.runners.find((one) => one.number === number);
      if (!runner || runner.scratched || !shown.onBoard || shown.jumpedMs !== null || stateOf(shown, at) !== 'open')
        return new Map();
      return new Map(
        shown.books.flatMap((book) => {
          const price = book[market][book.numbers.indexOf(number)];
          const isSuspect = runner[market].suspects.some((suspect) => suspect.bookmaker === book.bookmaker);
          return price == null || book.stale || isSuspect ? [] : [[book.bookmaker, price] as const];
        }),
      );
    },
  };
}

export type AlertWorld = Awaited<ReturnType<typeof createAlertWorld>>;
