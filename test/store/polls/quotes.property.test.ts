// Any sequence of polls of two books by two processes, in any order of arrival, stores the same as a plain model of the
// rules.
import fc from 'fast-check';
import type { FeedRunner } from '../../../src/domain/race/feed-race';
import type { MarketStatus } from '../../../src/domain/race/race';
import { runnerKey } from '../../../src/domain/race/runner';
import { createStores } from '../../../src/store/create-stores';
import { runs } from '../../support/property';
import { feedRunner, raceSnapshot } from '../../support/races/builders';
import { FIRST_HOLDER, storeRace } from '../../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(async () => {
  await db.drop();
});

const BOOKS = ['pointsbetau', 'tab'] as const;
const SOURCE = 'pointsbetau';

interface Poll {
  readonly process: 0 | 1;
  readonly book: (typeof BOOKS)[number];
  readonly secs: number;
  /** The book's own stamp: seconds before `secs`; null: it sends none. */
  readonly bookLag: number | null;
  readonly status: MarketStatus | null;
  /** By number, 1 to 4: name and price, or absent from the reply. Null: a 304. */
  readonly field: readonly ({ name: string; win: number | null } | null)[] | null;
}

const entry = fc.record({ name: fc.constantFrom('Alpha', 'Beta'), win: fc.constantFrom(null, 2, 2.5, 8) });
const aPoll: fc.Arbitrary<Poll> = fc.record({
  process: fc.constantFrom(0 as const, 1 as const),
  book: fc.constantFrom(...BOOKS),
  secs: fc.constantFrom(-60, -10, 0, 1, 1700, 1800, 3599, 3600, 3601, 7200),
  bookLag: fc.constantFrom(null, null, 0, 2, 130, 290, 310),
  status: fc.constantFrom(null, 'OPEN' as const, 'OPEN' as const, 'SUSPENDED' as const, 'CLOSED' as const),
  field: fc.option(fc.array(fc.option(entry, { freq: 4 }), { minLength: 4, maxLength: 4 }), { freq: 5 }),
});

interface Line {
  readonly key: string;
  win: number | null;
  ticked: number | null;
}

/** The same rules in the plainest code. */
class Model {
  readonly stored = { pointsbetau: new Map<number, Line>(), tab: new Map<number, Line>() };
  readonly ticks: string[] = [];
  private readonly polled = { pointsbetau: Infinity, tab: Infinity };
  /** Seconds before the start, as `secs`. */
  private readonly bookAt: Record<string, number | null> = { pointsbetau: null, tab: null };
  private readonly status: Record<string, MarketStatus | null> = { pointsbetau: null, tab: null };
  market: MarketStatus | null = null;
  closedAtSecs: number | null = null;

  apply({ book, secs, bookLag, status, field }: Poll): void {
    const bookAt = bookLag === null ? null : secs + bookLag;
    const behind = bookAt === null ? 0 : bookAt - (this.bookAt[book] ?? bookAt);
    if (secs >= this.polled[book] || (behind > 0 && behind < 300)) return;
    this.polled[book] = secs;
    this.bookAt[book] = bookAt ?? this.bookAt[book]!;
    const sets = book === SOURCE && field !== null && status !== null;
    if (field) this.status[book] = status;
    const beforeClose = this.closedAtSecs !== null && secs > this.closedAtSecs;
    const open = this.status[book] !== 'CLOSED' && (sets || this.market !== 'CLOSED' || beforeClose);
    if (field) this.store(book, field);
    for (const [number, line] of this.stored[book]) {
      if (!open || secs > 3600 || line.win === null || line.win === line.ticked) continue;
      line.ticked = line.win;
      this.ticks.push(`${book} ${secs} ${number} ${line.key} ${line.win}`);
    }
    if (sets) this.market = status;
    if (sets && status === 'CLOSED') this.closedAtSecs ??= secs;
  }

  private store(book: Poll['book'], field: NonNullable<Poll['field']>): void {
    field.forEach((row, i) => {
      const line = this.stored[book].get(i + 1);
      if (!row) {
        if (line) line.win = null;
      } else if (line?.key === runnerKey(row.name)) line.win = row.win;
      else this.stored[book].set(i + 1, { key: runnerKey(row.name), win: row.win, ticked: null });
    });
  }
}

const runnersOf = (field: NonNullable<Poll['field']>): FeedRunner[] =>
  field.flatMap((row, i) => (row ? [feedRunner(i + 1, row)] : []));

let venue = 0;
const ours = () => createStores(db.pool).quotes;

test('stored prices, ticks and the market’s close equal the model’s', async () => {
  const writers = [ours(), ours()];
  await fc.assert(
    fc.asyncProperty(fc.array(aPoll, { maxLength: 14 }), async (polls) => {
      const { raceId, before } = await storeRace(db, { venue: `Venue ${++venue}` }, BOOKS);
      const model = new Model();
      for (const poll of polls) {
        model.apply(poll);
        await writers[poll.process]!.savePoll({
          raceId,
          bookmakerKey: poll.book,
          fence: FIRST_HOLDER,
          observedAt: before(poll.secs),
          bookAt: poll.bookLag === null ? null : before(poll.secs + poll.bookLag),
          snapshot: poll.field && raceSnapshot({ marketStatus: poll.status, runners: runnersOf(poll.field) }),
          marketStateSource: poll.book === SOURCE,
          startSource: false,
        });
      }
      const ticks = await db.pool.query(
        `SELECT concat_ws(' ', bookmaker_key, secs_to_jump, runner_number, runner_key, win_price) AS tick
           FROM price_ticks WHERE race_id = $1`,
        [raceId],
      );
      expect(ticks.rows.map((row) => row.tick).sort()).toEqual([...model.ticks].sort());
      const books = await db.pool.query(
        'SELECT bookmaker_key, numbers, runner_keys, win FROM race_books WHERE race_id = $1',
        [raceId],
      );
      for (const { bookmaker_key, numbers, runner_keys, win } of books.rows) {
        const stored = [...model.stored[bookmaker_key as Poll['book']]].sort(([a], [b]) => a - b);
        expect({ numbers, runner_keys, win }).toEqual({
          numbers: stored.map(([number]) => number),
          runner_keys: stored.map(([, line]) => line.key),
          win: stored.map(([, line]) => line.win),
        });
      }
      const race = await db.pool.query('SELECT market_status, market_closed_at FROM races WHERE race_id = $1', [
        raceId,
      ]);
      const closed = model.closedAtSecs === null ? null : before(model.closedAtSecs);
      expect(race.rows[0]).toEqual({ market_status: model.market, market_closed_at: closed });
    }),
    { numRuns: runs(180) },
  );
});
