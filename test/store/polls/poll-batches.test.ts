// Polls that arrive together are written together, each as if it had arrived alone.

import type { BookPoll } from '../../../src/store/card/book-poll';
import { createStores } from '../../../src/store/create-stores';
import { feedField, placedRace, raceSnapshot } from '../../support/races/builders';
import { storeRace } from '../../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { plansOf, wholeScans } from '../../support/servers/plans';

let db: TestDatabase;
let statements: string[];
beforeAll(async () => {
  db = await createTestDatabase();
  const query = db.pool.query.bind(db.pool) as (...args: unknown[]) => unknown;
  // The real query, recorded.
  db.pool.query = ((...args: unknown[]) => {
    statements.push(typeof args[0] === 'string' ? args[0] : (args[0] as { name: string }).name);
    return query(...args);
  }) as never;
});
beforeEach(() => {
  statements = [];
});
afterAll(() => db.drop());

const START = '2026-11-21T03:00:00.000Z';
const at = (seconds: number): string => new Date(Date.parse(START) - 7200_000 + seconds * 1000).toISOString();

/** Forty races at two books, polled once. */
async function board() {
  const stores = createStores(db.pool);
  const polls: BookPoll[] = [];
  for (let i = 0; i < 40; i++) {
    const race = placedRace({ venue: `Track ${Math.random()}`, startTime: START });
    for (const bookmakerKey of ['tab', 'neds']) {
      await stores.races.saveCard(bookmakerKey, [race], at(-9999));
      polls.push({
        raceId: race.raceId,
        bookmakerKey,
        fence: { epoch: 1, attempt: 1 },
        observedAt: at(0),
        bookAt: null,
        snapshot: raceSnapshot({ runners: feedField(2, 3), startTime: START }),
        marketStateSource: false,
        startSource: false,
      });
    }
  }
  await Promise.all(polls.map((poll) => stores.quotes.savePoll(poll)));
  statements = [];
  return { stores, polls };
}

const polledAt = async (polls: readonly BookPoll[]) => {
  const { rows } = await db.pool.query(
    'SELECT polled_at, count(*)::int AS books FROM race_books WHERE race_id = ANY ($1) GROUP BY 1 ORDER BY 1',
    [polls.map((poll) => poll.raceId)],
  );
  return Object.fromEntries(rows.map((row) => [row.polled_at, row.books]));
};

test('eighty equal replies at once are a few statements, and each is stamped with its own instant', async () => {
  const { stores, polls } = await board();
  const again = polls.map((poll, i) => ({ ...poll, observedAt: at(20 + (i % 2)), mayWait: i % 3 > 0 }));
  const verdicts = await Promise.all(again.map((poll) => stores.quotes.savePoll(poll)));
  expect(verdicts).toEqual(
    verdicts.map(() => ({
      fenced: false,
      changed: 0,
      ticks: 0,
      startMoved: false,
      startVersion: 1,
      marketClosedAt: null,
      outOfOrder: false,
    })),
  );
  expect(statements.length).toBeLessThanOrEqual(3);
  expect(new Set(statements)).toEqual(new Set(['stamp-polls']));
  expect(await polledAt(polls)).toEqual({ [at(20)]: 40, [at(21)]: 40 });
});

test('eighty changed replies at once are a few statements, each with its own change and ticks', async () => {
  const { stores, polls } = await board();
  const changed = polls.map((poll, i) => ({
    ...poll,
    observedAt: at(7000),
    snapshot: raceSnapshot({ runners: feedField(2 + i, 3), startTime: START }),
  }));
  const verdicts = await Promise.all(changed.map((poll) => stores.quotes.savePoll(poll)));
  // The very first price is the stored one; its baseline is a tick all the same.
  expect(verdicts.map(({ changed: n, ticks }) => `${n} ${ticks}`)).toEqual(
    polls.map((_, i) => (i === 0 ? '0 2' : '1 2')),
  );
  expect(statements.filter((name) => name === 'write-polls').length).toBeLessThanOrEqual(5);
});

test('a stamp does not wait for the disk and a write does; neither changes the session', async () => {
  const { polls } = await board();
  const { raceId, bookmakerKey } = polls[0]!;
  const stamp = `SELECT * FROM stamp_polls($1, $2, '{1}', '{1}', $3, '{NULL}', '{NULL}')`;
  const write = `SELECT verdict FROM write_poll($1, $2, 1, 1, $3, NULL, NULL, NULL)`;
  const session = await db.pool.connect();
  const setting = async (): Promise<string> =>
    (await session.query('SHOW synchronous_commit')).rows[0].synchronous_commit;
  try {
    await session.query('SET synchronous_commit = on');
    for (const [statement, values, waits] of [
      [stamp, [[raceId], [bookmakerKey], [at(30)]], 'off'],
      [write, [raceId, bookmakerKey, at(40)], 'on'],
    ] as const) {
      await session.query('BEGIN');
      expect((await session.query(statement, [...values])).rowCount).toBe(1);
      expect(await setting()).toBe(waits);
      await session.query('COMMIT');
      expect(await setting()).toBe('on');
    }
    expect((await session.query('SHOW plan_cache_mode')).rows).toEqual([{ plan_cache_mode: 'auto' }]);
  } finally {
    await session.query('RESET synchronous_commit');
    session.release();
  }
  expect(await polledAt(polls.slice(0, 1))).toMatchObject({ [at(40)]: 1 });
});

test('batches of stamps and of writes find every row by its key, however few rows there are', async () => {
  const { polls } = await board();
  const changed = raceSnapshot({ runners: feedField(5, 6), startTime: START });
  // A plan made for tables of few rows stays when they are large.
  await db.pool.query('ANALYZE races, race_books');
  const nodes = await plansOf(db.url, async (session) => {
    const { quotes } = createStores(session);
    await Promise.all(polls.map((poll) => quotes.savePoll({ ...poll, observedAt: at(30), snapshot: null })));
    await Promise.all(polls.map((poll) => quotes.savePoll({ ...poll, observedAt: at(40), snapshot: changed })));
  });
  expect(nodes.filter((node) => node['Relation Name'] === 'race_books').length).toBeGreaterThanOrEqual(8);
  expect(wholeScans(nodes)).toEqual([]);
  expect(await polledAt(polls)).toEqual({ [at(40)]: 80 });
});

test('a poll whose stamp is refused has waited for others once, and is compared without a second wait', async () => {
  const { stores, polls } = await board();
  const poll = { ...polls[0]!, mayWait: true };
  // Another process writes another reply: what this one last wrote is not what is stored.
  const snapshot = raceSnapshot({ runners: feedField(5, 6), startTime: START });
  await createStores(db.pool).quotes.savePoll({ ...poll, mayWait: false, observedAt: at(10), snapshot });
  statements = [];
  jest.useFakeTimers({
    doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'setInterval', 'Date', 'performance'],
  });
  try {
    const saved = stores.quotes.savePoll({ ...poll, observedAt: at(20) });
    jest.advanceTimersByTime(49);
    await new Promise((resolve) => setImmediate(resolve));
    expect(statements).toEqual([]);
    jest.advanceTimersByTime(1);
    // No more time passes here: a second wait would never end.
    expect(await saved).toMatchObject({ changed: 2, fenced: false, outOfOrder: false });
  } finally {
    jest.useRealTimers();
  }
  expect(statements).toEqual(['stamp-polls', 'write-polls', 'write-polls']);
});

test('batches, single polls and new holders of the same races never deadlock', async () => {
  const { stores, polls } = await board();
  const raceIds = [...new Set(polls.map((poll) => poll.raceId))];
  for (const raceId of raceIds)
    await stores.control.setControl({ raceId, epoch: 1, tier: 'live', advertisedStart: START, closed: false }, at(1));
  const work: Promise<unknown>[] = [];
  for (let round = 0; round < 6; round++) {
    const fence = { epoch: 1, attempt: round + 2 };
    for (const [i, poll] of polls.entries()) {
      const snapshot = raceSnapshot({ runners: feedField(2 + round, 3 + i), startTime: START });
      work.push(
        stores.quotes.savePoll({ ...poll, fence, observedAt: at(100 + round), snapshot, startSource: i % 5 === 0 }),
      );
    }
    for (const raceId of raceIds) work.push(stores.control.claim(raceId, 1, fence.attempt, at(100 + round)));
  }
  // The database would end a deadlock after a second by failing one of them, and a claim is not retried.
  const ended = await Promise.allSettled(work);
  expect(ended.filter(({ status }) => status === 'rejected')).toEqual([]);
  const { rows } = await db.pool.query('SELECT DISTINCT attempt FROM race_books WHERE race_id = ANY ($1)', [raceIds]);
  expect(rows).toEqual([{ attempt: 7 }]);
});

test('in a batch, changed, late, fenced and broken replies each have their own verdict and do not affect the others', async () => {
  const { stores, polls } = await board();
  const [changed, late, fenced, broken, ...rest] = polls.map((poll) => ({
    ...poll,
    observedAt: at(20),
    snapshot: null,
  }));
  await stores.control.setControl(
    { raceId: fenced!.raceId, epoch: 2, tier: 'live', advertisedStart: START, closed: false },
    at(10),
  );
  const verdicts = await Promise.all(
    [
      { ...changed!, snapshot: raceSnapshot({ runners: feedField(2, 4), startTime: START }) },
      { ...late!, observedAt: at(-5) },
      fenced!,
      { ...broken!, raceId: 'no id at all' },
      ...rest,
    ].map((poll) => stores.quotes.savePoll(poll).catch((error: Error) => error)),
  );
  expect(verdicts[0]).toMatchObject({ changed: 1, fenced: false });
  expect(verdicts[1]).toMatchObject({ changed: 0, fenced: false });
  expect(verdicts[2]).toMatchObject({ fenced: true });
  expect(verdicts[3]).toBeInstanceOf(Error);
  const inTime = verdicts.slice(4).filter((each) => !(each instanceof Error) && !each.fenced);
  expect(inTime).toHaveLength(rest.length);
  const stamped = await polledAt(polls);
  expect(stamped[at(20)]).toBe(inTime.length + 1);
});

test('an unchanged reply is a tick once the window is open', async () => {
  const { poll } = await storeRace(db, { venue: 'Alone', startTime: START });
  await poll(3700, { runners: feedField(2, 3) });
  expect(await poll(3500, { runners: feedField(2, 3) })).toMatchObject({ changed: 0, ticks: 2 });
});

test('control rows that are read together are one statement, in the order of the calls', async () => {
  const { stores, polls } = await board();
  const raceIds = [...new Set(polls.map((poll) => poll.raceId))];
  for (const [i, raceId] of raceIds.slice(1).entries()) {
    await stores.control.setControl(
      { raceId, epoch: i + 1, tier: 'live', advertisedStart: START, closed: false },
      at(0),
    );
  }
  statements = [];
  const rows = await Promise.all(raceIds.map((raceId) => stores.control.readControl(raceId)));
  expect(statements).toEqual(['control-read']);
  expect(rows.map((row) => row?.epoch ?? null)).toEqual([null, ...raceIds.slice(1).map((_, i) => i + 1)]);
});
