// The cached board equals the board read whole, for any writes in between, and an unchanged race is the same object.
import fc from 'fast-check';
import type { Pool, QueryConfig } from 'pg';
import { createStores } from '../../../../src/store/create-stores';
import { type BoardQuery, readBoard } from '../../../../src/store/reads/races/board';
import { createBoardCache } from '../../../../src/store/reads/races/board-cache';
import { runs } from '../../../support/property';
import { addRace } from '../../../support/races/board';
import { feedRunner, raceSnapshot } from '../../../support/races/builders';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database';

const BOOKS = ['ladbrokes_au', 'neds', 'tab'] as const;
const WINDOW = {
  at: '2026-11-21T03:00:00.000Z',
  from: '2026-11-21T01:50:00.000Z',
  until: '2026-11-22T03:00:00.000Z',
  includeUnresolved: false,
};
const ALL: BoardQuery = { ...WINDOW, bookmakers: BOOKS, limit: 10 };
const T0 = Date.parse('2026-11-21T03:00:00.000Z');

let db: TestDatabase;
let races: readonly string[];
beforeEach(async () => {
  db = await createTestDatabase(3);
  const books = Object.fromEntries(BOOKS.map((key) => [key, {}]));
  const added = [1, 2, 3].map((raceNumber) =>
    addRace(db.pool, { raceNumber, startTime: `2026-11-21T0${3 + raceNumber}:00:00.000Z` }, books),
  );
  races = (await Promise.all(added)).map(({ raceId }) => raceId);
});
afterEach(() => db.drop());

interface Step {
  readonly race: number;
  readonly book: number;
  readonly win: number | null;
  readonly place: number | null;
  readonly scratched: boolean;
  readonly lateMs: number;
  readonly unchanged: boolean;
}

/** A poll that may repeat itself, move a price, scratch a runner or arrive late. */
async function poll(at: number, step: Step): Promise<void> {
  const scratching = { at: null, late: null, winDeduction: null, placeDeduction: null };
  const runners = [
    feedRunner(1, { win: step.win, place: step.place }),
    feedRunner(2, { win: 4.2, scratching: step.scratched ? scratching : null }),
    feedRunner(3, { win: 8, toteWin: step.place === null ? undefined : { PROV: step.place } }),
  ];
  await createStores(db.pool).quotes.savePoll({
    raceId: races[step.race]!,
    bookmakerKey: BOOKS[step.book]!,
    fence: { epoch: 1, attempt: 1 },
    observedAt: new Date(T0 + at * 1000 - step.lateMs).toISOString(),
    bookAt: null,
    snapshot: step.unchanged ? null : raceSnapshot({ runners }),
    marketStateSource: false,
    startSource: false,
  });
}

const price = fc.option(fc.constantFrom(2, 2.5, 3.1), { nil: null });
const aStep: fc.Arbitrary<Step> = fc.record({
  race: fc.nat(2),
  book: fc.nat(2),
  win: price,
  place: price,
  scratched: fc.boolean(),
  lateMs: fc.constantFrom(0, 0, 4500),
  unchanged: fc.boolean(),
});

test('the cached board equals the whole board, for any queries in between', async () => {
  const read = createBoardCache(db.pool);
  let at = 0;
  const queries: readonly BoardQuery[] = [ALL, { ...ALL, limit: 1 }, { ...ALL, bookmakers: ['tab'] }];
  const sequence = fc.array(fc.tuple(aStep, fc.nat(2)), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(sequence, async (steps) => {
      for (const [step, which] of steps) {
        await poll(++at, step);
        const query = queries[which]!;
        expect(await read(query)).toEqual(await readBoard(db.pool, query));
      }
    }),
    { numRuns: runs(25) },
  );
});

const still = { race: 0, book: 0, win: 2, place: 1.5, scratched: false, lateMs: 0, unchanged: false };

test('an unchanged race is the same object; a race polled again has the new freshness, and a moved one the new price', async () => {
  const read = createBoardCache(db.pool);
  await poll(1, still);
  const first = await read(ALL);
  const again = await read(ALL);
  expect(again.map((race, i) => race === first[i])).toEqual([true, true, true]);
  await poll(2, { ...still, unchanged: true });
  const polled = await read(ALL);
  expect(polled.map((race, i) => race === first[i])).toEqual([false, true, true]);
  expect(polled[0]!.books[0]!.polledAtMs).toBe(T0 + 2000);
  await poll(3, { ...still, win: 2.1 });
  const moved = await read(ALL);
  expect(moved[0]!.books[0]!.win[0]).toBe(2.1);
});

test('a changed head and a scratched runner are read', async () => {
  const read = createBoardCache(db.pool);
  await read(ALL);
  await db.pool.query("UPDATE races SET track_condition = 'Heavy (9)' WHERE race_id = $1", [races[0]]);
  const [wet] = await read(ALL);
  expect(wet).toMatchObject({ track_condition: 'Heavy (9)' });
  await db.pool.query('UPDATE race_runners SET scratched = true WHERE race_id = $1 AND number = 2', [races[0]]);
  const [out] = await read(ALL);
  expect(out!.runners[1]).toMatchObject({ scratched: true });
});

test('two simultaneous reads during a write both read the earlier state', async () => {
  const read = createBoardCache(db.pool);
  for (let at = 1; at < 15; at++) {
    const win = 2 + at / 10;
    const reading = Promise.all([read(ALL), read({ ...ALL, limit: 1 }), poll(at, { ...still, win }), read(ALL)]);
    for (const board of (await reading).flatMap((each) => (each ? [each] : [])))
      expect([2.5, win, win - 0.1].some((one) => Math.abs(one - board[0]!.books[0]!.win[0]!) < 1e-9)).toBe(true);
    expect(await read(ALL)).toEqual(await readBoard(db.pool, ALL));
  }
});

/** This many races like the first, at one book. */
async function addLike(count: number): Promise<void> {
  const like = (
    table: string,
    of: string,
  ) => `INSERT INTO ${table} SELECT made.* FROM ${table} t, generate_series(1, $2::int) i,
    jsonb_populate_record(t, jsonb_build_object('race_id', md5('like ' || i)${of})) made WHERE t.race_id = $1`;
  await db.pool.query(like('races', `, 'venue_id', 'like-' || i`), [races[0], count]);
  await db.pool.query(`${like('race_books', `, 'source_race_id', i`)} AND t.bookmaker_key = 'tab'`, [races[0], count]);
}

test('a board of any size is read whole, and again without its unchanged races, also after smaller ones', async () => {
  await poll(1, still);
  await addLike(1198);
  const statements: string[] = [];
  const query = (of: QueryConfig) => {
    statements.push(of.name!);
    return db.pool.query(of);
  };
  const read = createBoardCache({ query } as unknown as Pool);
  const all = { ...ALL, limit: null };
  const first = await read(all);
  expect(first.length).toBe(1201);
  await read({ ...ALL, limit: 1 });
  statements.splice(0);
  const again = await read(all);
  expect(statements).toEqual(['board-stamps']);
  expect(again.every((race, i) => race === first[i])).toBe(true);
});
