// However long a writer keeps its transaction open, no read passes it, and the read after its commit reports its
// writes.

import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import type { PlacedRace } from '../../../../src/store/card/card';
import { createRaceStore } from '../../../../src/store/card/races';
import { createQuoteStore } from '../../../../src/store/polls/quotes';
import { type Changes, type ChangesQuery, readChanges } from '../../../../src/store/reads/races/changes';
import { feedField, placedRace, raceSnapshot } from '../../../support/races/builders';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database';
import { type SlowWriter, slowWriter } from '../../../support/servers/slow-writer';

// Each test has its own database: what is reported and how rows are updated depends on all open transactions.
let db: TestDatabase;
beforeEach(async () => {
  db = await createTestDatabase();
});
afterEach(() => db.drop());

const BOOKS = ['ladbrokes_au', 'neds', 'tab', 'pointsbetau', 'unibet', 'playup'];
const REACH = {
  at: '2026-11-21T03:00:00.000Z',
  oldestMs: 1_800_000,
  aheadMs: 60_000,
  includeUnresolved: true,
  bookmakers: BOOKS,
};
const since = (sinceMs: number, over: Partial<ChangesQuery> = {}): Promise<Changes> =>
  readChanges(db.pool, { ...REACH, sinceMs, ...over });

let count = 0;
async function listed(books = BOOKS): Promise<PlacedRace> {
  const race = placedRace({ venue: `Venue ${count++}` });
  for (const book of books) await createRaceStore(db.pool).saveCard(book, [race], '2026-11-21T00:00:00.000Z');
  return race;
}

let polls = 0;
/** Every poll is a second later than the previous one, from any writer. */
function poll({ raceId }: PlacedRace, bookmakerKey: string, wins: (number | null)[], writer?: SlowWriter) {
  return createQuoteStore(writer?.pool ?? db.pool).savePoll({
    raceId,
    bookmakerKey,
    fence: { epoch: 1, attempt: 1 },
    observedAt: new Date(Date.parse('2026-11-21T01:00:00.000Z') + polls++ * 1000).toISOString(),
    bookAt: null,
    snapshot: raceSnapshot({ runners: feedField(...wins) }),
    marketStateSource: false,
    startSource: false,
  });
}

const quotesOf = ({ races }: Changes, { raceId }: PlacedRace) =>
  races!.find((race) => race.race_id === raceId)?.quotes.map(({ number, bookmaker, win }) => [number, bookmaker, win]);

test('a price that commits late is reported after its commit, with its early stamp', async () => {
  const race = await listed();
  await poll(race, 'tab', [2, 3]);
  const writer = await slowWriter(db.url);
  const at = new Date(Date.parse('2026-11-21T01:00:00.000Z') + polls * 1000).getTime();
  await poll(race, 'tab', [2, 3.5], writer);
  let last = await since(Date.now());
  for (let i = 0; i < 3; i++) {
    await poll(race, 'neds', [2, 4 + i]);
    last = await since(last.settledMs);
    expect(quotesOf(last, race)).not.toContainEqual([2, 'tab', 3.5]);
  }
  await writer.commit();
  last = await since(last.settledMs);
  const late = last.races!.find(({ race_id }) => race_id === race.raceId)!.quotes.find((quote) => quote.win === 3.5);
  expect(late).toMatchObject({ number: 2, bookmaker: 'tab', changedAtMs: at });
});

test('a writer that waits for the table marks its rows when it gets the lock, not when the wait began', async () => {
  const race = await listed();
  await poll(race, 'tab', [2]);
  const locker = await slowWriter(db.url);
  await locker.pool.query('LOCK TABLE race_books IN SHARE MODE');
  const written = poll(race, 'tab', [7]);
  // Copies of a database have the same table ids.
  const WAITING = `SELECT 1 FROM pg_locks WHERE relation = 'race_books'::regclass AND NOT granted
                      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  while ((await db.pool.query(WAITING)).rowCount === 0);
  const before = await since(Date.now());
  expect(before.settledMs).toBe(before.nowMs);
  await locker.rollback();
  await written;
  expect(quotesOf(await since(before.settledMs), race)).toEqual([[1, 'tab', 7]]);
});

// `settledMs` of one read is the `since` of the next, and a later write may have the very same mark (A 2.8).
describe('a write with the mark of `since` is reported, one with an older mark is not', () => {
  const MARK = Date.now() - 60_000;
  const EARLIER = new Date(MARK - 60_000).toISOString();
  /**
   * Everything is written long before, except the changes of `sets` to the race, with the mark in $2. Triggers set
   * marks, so they are off.
   */
  async function marked(race: PlacedRace, ...sets: string[]): Promise<void> {
    const { pool, rollback, commit } = await slowWriter(db.url);
    try {
      await pool.query('SET LOCAL session_replication_role = replica');
      const old = [
        'UPDATE races SET written_at = $2, shown_written_at = $2 WHERE race_id = $1',
        'UPDATE race_names SET written_at = $2 WHERE race_id = $1',
        'UPDATE race_books SET moved_written_at = $2, win_written_at = array_fill($2::timestamptz, ARRAY[2]) WHERE race_id = $1',
      ];
      for (const text of old) await pool.query(text, [race.raceId, EARLIER]);
      for (const text of sets)
        await pool.query(`${text} WHERE race_id = $1`, [race.raceId, new Date(MARK).toISOString()]);
    } catch (error) {
      await rollback();
      throw error;
    }
    await commit();
  }

  const RACE = 'UPDATE races SET written_at = $2';
  test.each([
    ['a price that moved', ['UPDATE race_books SET moved_written_at = $2, win_written_at[2] = $2'], [2]],
    [
      'a runner that came back',
      [
        RACE,
        'UPDATE race_names SET again = true, written_at = CASE number WHEN 1 THEN $2::timestamptz ELSE written_at END',
      ],
      [1],
    ],
    ['a race that came into view', [RACE, 'UPDATE races SET shown_written_at = $2'], [1, 2]],
    ['a race whose own row alone was written', [RACE], []],
  ])('%s', async (_, sets, numbers) => {
    const race = await listed(['tab']);
    await poll(race, 'tab', [2, 3]);
    await marked(race, ...sets);
    expect(quotesOf(await since(MARK), race)?.map(([number]) => number)).toEqual(numbers);
    expect(quotesOf(await since(MARK + 1), race)).toBeUndefined();
  });
});

test('`settledMs` does not move while a writer is open, and moves on however the writer ends', async () => {
  const race = await listed();
  await poll(race, 'tab', [2]);
  for (const end of ['commit', 'rollback'] as const) {
    const writer = await slowWriter(db.url);
    await poll(race, 'tab', [end === 'commit' ? 4 : 5], writer);
    const during = [await since(Date.now()), await since(Date.now()), await since(Date.now())];
    expect(new Set(during.map(({ settledMs }) => settledMs)).size).toBe(1);
    expect(during[2]!.settledMs).toBeLessThan(during[2]!.nowMs);
    await writer[end]();
    const after = await since(during[0]!.settledMs);
    expect(after.settledMs).toBe(after.nowMs);
    expect(quotesOf(after, race)).toEqual(end === 'commit' ? [[1, 'tab', 4]] : undefined);
  }
});

test('transactions that only read, or write elsewhere, delay nothing', async () => {
  const reader = await slowWriter(db.url);
  await reader.pool.query('SELECT * FROM races, race_books LIMIT 1');
  await reader.pool.query('SELECT * FROM races FOR SHARE');
  await reader.pool.query(`INSERT INTO connector_health (connector, status) VALUES ('x', 'ok')`);
  const { nowMs, settledMs } = await since(Date.now());
  expect(settledMs).toBe(nowMs);
  await reader.rollback();
});

test('a read that cannot see open transactions fails instead of skipping writes', async () => {
  const role = `short_sighted_${randomBytes(4).toString('hex')}`;
  await db.pool.query(`CREATE ROLE ${role}; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`);
  const client = await db.pool.connect();
  await client.query(`SET ROLE ${role}`);
  const read = () => readChanges(client as unknown as Pool, { ...REACH, sinceMs: Date.now() });
  const race = await listed();
  const writer = await slowWriter(db.url);
  await poll(race, 'tab', [2], writer);
  await expect(read()).rejects.toThrow('pg_read_all_stats');
  await writer.rollback();
  expect((await read()).races).toEqual([]);
  await client.query(`RESET ROLE; DROP OWNED BY ${role}; DROP ROLE ${role}`);
  client.release();
});

test('a standby refuses the read, because it has no writers of its own to see', async () => {
  await db.pool.query('CREATE SCHEMA standby');
  await db.pool.query('CREATE FUNCTION standby.pg_is_in_recovery() RETURNS boolean LANGUAGE sql RETURN true');
  const client = await db.pool.connect();
  try {
    await client.query('SET search_path = standby, pg_catalog, public');
    const read = readChanges(client as unknown as Pool, { ...REACH, sinceMs: Date.now() });
    await expect(read).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('standby') });
  } finally {
    client.release(true);
  }
});

test('with many simultaneous writers, each open over several reads, the follower ends with every price', async () => {
  const race = await listed();
  const stored = new Map<string, number | null>();
  let last = await since(Date.now());
  const waiting: { readings: number; go: () => void }[] = [];
  const readings = (n: number) => new Promise<void>((go) => (n === 0 ? go() : waiting.push({ readings: n, go })));
  const read = async () => {
    last = await since(last.settledMs);
    for (const [number, book, win] of quotesOf(last, race) ?? []) stored.set(`${number} ${book}`, win as number | null);
    for (const one of waiting) if (--one.readings === 0) one.go();
  };
  let open = BOOKS.length;
  const write = async (book: string, n: number) => {
    for (let i = 0; i < 12; i++) {
      const writer = await slowWriter(db.url);
      await poll(race, book, [2 + i, null, 3 + ((i * n) % 5)], writer);
      await readings((i * (n + 1)) % 4);
      await (i % 5 === 4 ? writer.rollback() : writer.commit());
    }
    open--;
  };
  // The first poll of each book merges its card, which is serialised per race.
  for (const book of BOOKS) await poll(race, book, [1.5, 9, 9]);
  const writers = Promise.all(BOOKS.map(write));
  while (open > 0) await read();
  await writers;
  await read();
  const { rows } = await db.pool.query<{ id: string; win: number | null }>(
    `SELECT q.number || ' ' || b.bookmaker_key AS id, q.win FROM race_books b, unnest(b.numbers, b.win) AS q (number, win)
      WHERE b.race_id = $1`,
    [race.raceId],
  );
  expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(rows.map(({ id, win }) => [id, win])));
});

test('an unchanged poll stays a HOT update: the index of moved prices is not touched', async () => {
  // One row, so that its page has room for its next versions, which a HOT update needs.
  const race = await listed(['tab']);
  await poll(race, 'tab', [2, 3]);
  const writer = await slowWriter(db.url);
  const hot = async () => {
    const { rows } = await writer.pool.query(
      `SELECT pg_stat_get_xact_tuples_updated(t)::int AS updated, pg_stat_get_xact_tuples_hot_updated(t)::int AS hot
         FROM (SELECT 'race_books'::regclass AS t) x`,
    );
    return rows[0];
  };
  await poll(race, 'tab', [2, 3], writer);
  await poll(race, 'tab', [2, 3], writer);
  expect(await hot()).toEqual({ updated: 2, hot: 2 });
  await poll(race, 'tab', [2, 4], writer);
  expect(await hot()).toEqual({ updated: 3, hot: 2 });
  await writer.rollback();
});

test('a `since` that is too old or too far ahead is refused', async () => {
  expect((await since(Date.now() - 1_801_000)).races).toBeNull();
  expect((await since(Date.now() + 600_000)).races).toBeNull();
  expect((await since(Date.now() + 30_000)).races).toEqual([]);
});
