import type { FeedRunner } from '../../../src/domain/race/feed-race';
import { NO_FACTS } from '../../../src/domain/race/not-reported';
import type { BookPoll } from '../../../src/store/card/book-poll';
import { BookReply } from '../../../src/store/card/book-reply';
import { createCardMerges } from '../../../src/store/card/card-merges';
import { feedField, feedRunner, placedRace, raceSnapshot } from '../../support/races/builders';
import { registryCard, registryListing } from '../../support/races/registry';
import { type StoredRace, storeRace } from '../../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
let venue = 0;
const race = () => storeRace(db, { venue: `Venue ${++venue}` }, ['ladbrokes_au', 'neds', 'tab']);
const runnersOf = async (raceId: string) =>
  (await db.pool.query('SELECT * FROM race_runners WHERE race_id = $1 ORDER BY number', [raceId])).rows;
const raceRow = async (raceId: string) =>
  (await db.pool.query('SELECT * FROM races WHERE race_id = $1', [raceId])).rows[0];
const out = (over = {}) => ({ at: null, late: null, winDeduction: null, placeDeduction: null, ...over });
const by = (stored: StoredRace, book: string, secs: number, runners: FeedRunner[], facts = {}) =>
  stored.poll(secs, { runners, facts: { ...NO_FACTS, ...facts } }, { bookmakerKey: book });

const report = (stored: StoredRace, bookmakerKey: string, secs: number, runners: FeedRunner[], epoch = 1) => {
  const { raceId, before } = stored;
  const poll: BookPoll = {
    ...{ raceId, bookmakerKey, fence: { epoch, attempt: 1 }, observedAt: before(secs), bookAt: null },
    ...{ snapshot: raceSnapshot({ runners }), marketStateSource: false, startSource: false },
  };
  return { poll, reply: new BookReply(poll, poll.snapshot!) };
};

test('names and enrichment come from the best-ranked book, gaps from the next, in any order of reports', async () => {
  const stored = await race();
  await by(stored, 'tab', 900, [feedRunner(1, { name: 'BELLA', jockey: 'J Low', trainer: 'T Low', barrier: 4 })]);
  await by(stored, 'ladbrokes_au', 880, [feedRunner(1, { name: 'Bella (NZ)', jockey: 'J High' })]);
  await by(stored, 'neds', 860, [feedRunner(1, { name: 'Bella', trainer: 'T Mid' })]);
  expect(await runnersOf(stored.raceId)).toMatchObject([
    {
      number: 1,
      name: 'Bella (NZ)',
      runner_key: 'bella',
      jockey: 'J High',
      trainer: 'T Mid',
      barrier: 4,
      scratched: false,
    },
  ]);
});

test('a runner is scratched while any book reports it scratched, with the earliest stamp, and restored when the last book withdraws it', async () => {
  const stored = await race();
  const { raceId, before } = stored;
  await by(stored, 'ladbrokes_au', 900, feedField(2, 3));
  await by(stored, 'tab', 890, [
    feedRunner(1, { win: 2 }),
    feedRunner(2, { scratching: out({ at: before(895), winDeduction: 0.1 }) }),
  ]);
  expect(await raceRow(raceId)).toMatchObject({ updated_at: before(890) });
  await by(stored, 'neds', 880, [
    feedRunner(1),
    feedRunner(2, { scratching: out({ at: before(899), late: true, winDeduction: 0.12 }) }),
  ]);
  expect((await runnersOf(raceId))[1]).toMatchObject({
    scratched: true,
    scratched_at: before(899),
    late: true,
    win_deduction: 0.12,
  });
  await by(stored, 'tab', 870, feedField(2, 3));
  expect((await runnersOf(raceId))[1]).toMatchObject({ scratched: true });
  await by(stored, 'neds', 860, feedField(2, 3));
  expect((await runnersOf(raceId))[1]).toMatchObject({ scratched: false, scratched_at: null, win_deduction: null });
});

test('a scratched runner missing from the replies stays scratched; any other runner that no book lists is deleted', async () => {
  const stored = await race();
  await by(stored, 'tab', 900, [feedRunner(1), feedRunner(2, { scratching: out() }), feedRunner(3)]);
  await by(stored, 'tab', 880, [feedRunner(1)]);
  expect(await runnersOf(stored.raceId)).toMatchObject([{ number: 1 }, { number: 2, scratched: true }]);
  await by(stored, 'tab', 860, []);
  expect(await runnersOf(stored.raceId)).toHaveLength(2);
});

test('when another runner takes over a number, it inherits nothing', async () => {
  const stored = await race();
  await by(stored, 'tab', 900, [feedRunner(1, { name: 'Old Dog', trainer: 'Old Trainer' })]);
  await by(stored, 'ladbrokes_au', 880, [feedRunner(1, { name: 'New Dog' })]);
  expect(await runnersOf(stored.raceId)).toMatchObject([{ name: 'New Dog', trainer: null }]);
});

test('race facts follow the books’ rank, and a stored fact is kept', async () => {
  const stored = await race();
  await by(stored, 'tab', 900, [], { raceName: 'Low Cup', distanceM: 1200, rail: 'True' });
  await by(stored, 'ladbrokes_au', 880, [], { raceName: 'High Cup' });
  expect(await raceRow(stored.raceId)).toMatchObject({ race_name: 'High Cup', distance_m: 1200, rail: 'True' });
  await by(stored, 'tab', 860, [], {});
  expect(await raceRow(stored.raceId)).toMatchObject({ distance_m: 1200, updated_at: stored.before(880) });
});

test('a condition that moves between two polls of one book is logged once and stamps the meeting', async () => {
  const stored = await race();
  const { raceId, stores, before } = stored;
  const row = await raceRow(raceId);
  const sibling = placedRace({ venue: row.venue, raceNumber: 2 });
  await stores.races.saveCard('tab', [sibling], before(1000));
  await by(stored, 'tab', 920, [], { trackCondition: 'None' });
  await by(stored, 'tab', 900, [], { trackCondition: 'Good4', weather: 'Fine' });
  await by(stored, 'tab', 880, [], { trackCondition: 'GOOD (4)', weather: 'Fine' });
  await by(stored, 'neds', 870, [], { trackCondition: 'Soft5' });
  expect((await db.pool.query('SELECT 1 FROM track_condition_changes WHERE race_id = $1', [raceId])).rowCount).toBe(0);
  await by(stored, 'tab', 860, [], { trackCondition: 'Soft (5)', weather: 'Showers' });
  await by(stored, 'tab', 840, [], { trackCondition: 'Soft (5)', weather: 'Showers' });
  const { rows } = await db.pool.query('SELECT * FROM track_condition_changes WHERE race_id = $1', [raceId]);
  expect(rows).toEqual([
    {
      race_id: raceId,
      observed_at: before(860),
      source: 'tab',
      category: 'horse',
      track_condition: 'Soft (5)',
      weather: 'Showers',
      prev_track_condition: 'GOOD (4)',
    },
  ]);
  expect(await raceRow(sibling.raceId)).toMatchObject({
    track_condition_changed_at: before(860),
    updated_at: before(860),
  });
});

test('simultaneous reports of several books merge at once, to the same card as reports in turn', async () => {
  const connect = jest.spyOn(db.pool, 'connect');
  // `pool.query` passes a callback.
  const transactions = () => connect.mock.calls.filter(([callback]) => !callback).length;
  try {
    for (let round = 0; round < 5; round++) {
      const stored = await race();
      const books = ['tab', 'neds', 'ladbrokes_au'];
      const field = (book: string, i: number) => [
        feedRunner(1, { name: 'One', trainer: `T ${book}` }),
        feedRunner(2 + i, { name: `Only ${book}` }),
      ];
      if (round === 0) await Promise.all(books.map((book, i) => by(stored, book, 900, field(book, i))));
      else {
        await Promise.all(books.map((book) => by(stored, book, 900, [])));
        const merge = createCardMerges(db.pool);
        const before = transactions();
        await Promise.all(books.map((book, i) => merge(report(stored, book, 900, field(book, i)))));
        expect(transactions() - before).toBe(1);
      }
      expect((await runnersOf(stored.raceId)).map((runner) => [runner.number, runner.trainer])).toEqual([
        [1, 'T ladbrokes_au'],
        [2, null],
        [3, null],
        [4, null],
      ]);
    }
  } finally {
    connect.mockRestore();
  }
});

test('a card that could not be merged is merged with the next poll, though its reply is the same', async () => {
  const stored = await race();
  const field = [feedRunner(1), feedRunner(2, { scratching: out() })];
  await by(stored, 'tab', 900, feedField(2, 3));
  const lost = Object.assign(new Error('the connection is lost'), { code: 'ECONNRESET' });
  const real = db.pool.connect.bind(db.pool) as (callback: unknown) => unknown;
  const connect = jest.spyOn(db.pool, 'connect');
  connect.mockImplementation((callback?: unknown) => (callback ? real(callback) : Promise.reject(lost)));
  try {
    await expect(by(stored, 'tab', 880, field)).rejects.toBe(lost);
  } finally {
    connect.mockRestore();
  }
  await by(stored, 'tab', 860, field);
  expect((await runnersOf(stored.raceId))[1]).toMatchObject({ scratched: true });
});

test('of cards that are merged at once, one that cannot be stored fails alone', async () => {
  const stored = await race();
  const facts = { tab: {}, neds: { weather: 'F\u0000ne' }, ladbrokes_au: {} };
  const polls = Object.entries(facts).map(([book, more], i) =>
    by(stored, book, 900, [feedRunner(1, { scratching: out() }), feedRunner(2 + i)], more),
  );
  const ended = await Promise.allSettled(polls);
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((await runnersOf(stored.raceId)).map(({ number }) => number)).toEqual([1, 2, 4]);
  // It differs from the stored card until it is stored.
  await by(stored, 'neds', 880, [feedRunner(1), feedRunner(3)]);
  expect((await runnersOf(stored.raceId)).map(({ number }) => number)).toEqual([1, 2, 3, 4]);
});

test('of cards that are merged at once, the newest of a book counts, and none of a former holder', async () => {
  const stored = await race();
  const { raceId, before } = stored;
  await by(stored, 'tab', 900, [feedRunner(1)]);
  await by(stored, 'neds', 900, [feedRunner(1)]);
  const merge = createCardMerges(db.pool);
  const merged = await Promise.all([
    merge(report(stored, 'tab', 880, [feedRunner(5)])),
    merge(report(stored, 'tab', 890, [feedRunner(4)])),
    merge(report(stored, 'neds', 880, [feedRunner(6)], 0)),
    merge(report(stored, 'neds', 910, [feedRunner(7)])),
  ]);
  expect(merged).toEqual([true, true, false, false]);
  const cards = await db.pool.query(
    `SELECT bookmaker_key AS book, card->'runners'->0->'number' AS number, updated_at AS at FROM race_book_cards
      WHERE race_id = $1 ORDER BY 1`,
    [raceId],
  );
  expect(cards.rows).toEqual([
    { book: 'neds', number: 1, at: before(900) },
    { book: 'tab', number: 5, at: before(880) },
  ]);
  expect((await runnersOf(raceId)).map(({ number }) => number)).toEqual([1, 5]);
});

test('a sheet can withdraw a scratching even if no book lists the runner, but a book that still reports it scratched wins', async () => {
  const stored = await race();
  const { raceId, before, stores } = stored;
  const { registry } = stores;
  const name = (await raceRow(raceId)).venue;
  const key = `2026Nov21,VIC,${name}`;
  const sheet = (...numbers: number[]) => ({
    key,
    races: [{ raceNumber: 1, scratched: numbers.map((number) => ({ number, name: `RUNNER ${number}` })) }],
  });
  await registry.saveCalendar([registryListing({ key, venue: name })], before(2000));
  await registry.saveAcceptances(registryCard({ key }), before(2000));
  await registry.join({ meetingKey: key, raceNumber: 1 }, raceId);
  await by(stored, 'tab', 1900, [feedRunner(1), feedRunner(3, { scratching: out() })]);
  await registry.saveSheet(sheet(2, 3), before(1800));
  await registry.mergeDue(before(1800));
  const shown = async () => (await runnersOf(raceId)).map((row) => [row.number, row.scratched, row.scratched_at]);
  expect(await shown()).toEqual([
    [1, false, null],
    [2, true, before(1800)],
    [3, true, before(1800)],
  ]);
  await registry.saveSheet(sheet(), before(1700));
  await registry.mergeDue(before(1700));
  expect(await shown()).toEqual([
    [1, false, null],
    [3, true, null],
  ]);
});

test('a reply after the jump adds scratchings and deductions only', async () => {
  const stored = await race();
  const { raceId, stores, before } = stored;
  const field = [feedRunner(1, { win: 2, jockey: 'J High' }), feedRunner(2, { win: 3 }), feedRunner(3, { win: 4 })];
  await by(stored, 'tab', 900, field);
  const late = (secs: number, ...runners: FeedRunner[]) =>
    stores.quotes.saveLateScratchings({ raceId, bookmakerKey: 'tab', runners, at: before(secs) });
  await late(-120, feedRunner(1), feedRunner(2, { scratching: out({ at: before(20), winDeduction: 0.12 }) }));
  await late(-180, feedRunner(2, { scratching: out({ placeDeduction: 0.1 }) }));
  await late(-240, feedRunner(3, { name: 'Somebody Else', scratching: out() }));
  await stores.quotes.saveLateScratchings({ raceId, bookmakerKey: 'neds', runners: [], at: before(-240) });
  expect(await runnersOf(raceId)).toMatchObject([
    { number: 1, jockey: 'J High', scratched: false },
    { number: 2, scratched: true, scratched_at: before(20), win_deduction: 0.12, place_deduction: 0.1 },
    { number: 3, scratched: false },
  ]);
  // A reinstated race is polled again, and its earlier card counts as changed.
  await by(stored, 'tab', -300, field);
  expect((await runnersOf(raceId))[1]).toMatchObject({ scratched: false, win_deduction: null });
});

test('a reply after the jump locks the book’s row before the race, as a poll does, so the two never deadlock', async () => {
  const { raceId, stores, poll, before } = await race();
  await poll(900, { runners: feedField(2, 3) });
  const polling = await db.pool.connect();
  try {
    await polling.query('BEGIN');
    const { rows } = await polling.query(
      `SELECT pg_backend_pid() AS pid FROM race_books WHERE race_id = $1 AND bookmaker_key = 'ladbrokes_au' FOR NO KEY UPDATE`,
      [raceId],
    );
    const runners = [feedRunner(2, { scratching: out({ winDeduction: 0.1 }) })];
    const late = stores.quotes.saveLateScratchings({ raceId, bookmakerKey: 'ladbrokes_au', runners, at: before(-120) });
    const waits = 'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';
    while ((await db.pool.query(waits, [rows[0].pid])).rowCount === 0);
    await polling.query('SELECT 1 FROM races WHERE race_id = $1 FOR NO KEY UPDATE NOWAIT', [raceId]);
    await polling.query('COMMIT');
    await late;
    expect((await runnersOf(raceId))[1]).toMatchObject({ scratched: true, win_deduction: 0.1 });
  } finally {
    polling.release(true);
  }
});
