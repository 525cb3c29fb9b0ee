// A batch stores the same as its polls one by one, whatever they are; and what another writer holds is left to it.
import fc from 'fast-check';
import type { FeedRunner } from '../../../src/domain/race/feed-race';
import type { BookPoll } from '../../../src/store/card/book-poll';
import { BookReply } from '../../../src/store/card/book-reply';
import { runs } from '../../support/property';
import { feedRunner, raceSnapshot } from '../../support/races/builders';
import { type StoredRace, storeRace } from '../../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const BOOKS = ['betfair_ex_au', 'ladbrokes_au', 'neds', 'pointsbetau', 'tab'];

const mostly = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
const other = fc.constantFrom(1.4, 1.6, null);
const entry = fc.record({
  name: mostly('Alpha', 'Beta'),
  win: fc.constantFrom(2, 2, 2.5, 8, null),
  ...{ place: other, top2: other, top3: other, top4: other },
  toteWin: fc.constantFrom(null, { PROV: 4.2 }),
});
const aPoll = fc.record({
  /** Seconds before the moment of its batch. */
  late: mostly(0, 1, 900, 4000),
  epoch: mostly(1, 0, 2),
  attempt: mostly(1, 0, 2),
  bookLag: fc.constantFrom(null, null, null, 0, 60, 310),
  status: mostly('OPEN' as const, null, 'SUSPENDED' as const, 'CLOSED' as const),
  inPlay: mostly(null, false, true),
  startMoves: mostly(false, true),
  sourceUrl: fc.constantFrom(null, 'https://book.example/1', 'https://book.example/2'),
  hash: fc.constantFrom('own', 'other', 'none'),
  /** Null: only the hash is sent. */
  field: fc.option(fc.array(fc.option(entry, { freq: 20 }), { minLength: 3, maxLength: 3 }), { freq: 8 }),
});
type APoll = typeof aPoll extends fc.Arbitrary<infer T> ? T : never;
/** Seconds before the start, of each batch in turn. */
const MOMENTS = [7200, 3700, 3600, 3590, 1700, 1690, 900, 0, -60];
/** At most one poll a book. */
const aBatch = fc.dictionary(fc.constantFrom(...BOOKS, 'unlisted'), aPoll, { minKeys: 1 });

const runnersOf = (field: NonNullable<APoll['field']>): FeedRunner[] =>
  field.flatMap((row, i) => (row ? [feedRunner(i + 1, row)] : []));

/** As `write_poll` takes it. */
function valuesOf(race: StoredRace, book: string, moment: number, drawn: APoll): unknown[] {
  const secs = moment + drawn.late;
  const observedAt = race.before(secs);
  const startTime = race.before(drawn.startMoves ? -120 : 0);
  const poll: BookPoll = {
    ...{ raceId: race.raceId, bookmakerKey: book, fence: { epoch: drawn.epoch, attempt: drawn.attempt }, observedAt },
    bookAt: drawn.bookLag === null ? null : race.before(secs + drawn.bookLag),
    snapshot:
      drawn.field && raceSnapshot({ ...drawn, marketStatus: drawn.status, startTime, runners: runnersOf(drawn.field) }),
    marketStateSource: book === 'pointsbetau',
    startSource: book === 'ladbrokes_au',
  };
  const reply = poll.snapshot && new BookReply(poll, poll.snapshot);
  const hash = reply?.hash ?? { own: null, none: null, other: 'another' }[drawn.hash];
  return [race.raceId, book, drawn.epoch, drawn.attempt, observedAt, poll.bookAt, hash, reply?.literal() ?? null];
}

const PARAMETERS =
  '$1::uuid[], $2::text[], $3::int[], $4::int[], $5::timestamptz[], $6::timestamptz[], $7::text[], $8::text[]';
const TOGETHER = `SELECT * FROM write_polls(${PARAMETERS}) ORDER BY place`;
const ALONE = 'SELECT * FROM write_poll($1, $2, $3, $4, $5, $6, $7, $8)';

type Verdict = Record<string, unknown>;
const alone = async (poll: readonly unknown[]): Promise<Verdict> => (await db.pool.query(ALONE, [...poll])).rows[0];

async function together(polls: readonly (readonly unknown[])[]): Promise<Verdict[]> {
  const { rows } = await db.pool.query(
    TOGETHER,
    polls[0]!.map((_, i) => polls.map((poll) => poll[i])),
  );
  expect(rows.map(({ place }) => place)).toEqual(polls.map((_, i) => i + 1));
  return rows.map(({ place: _, ...verdict }) => verdict);
}

/** A batch, and then what it leaves to `write_poll`. */
async function inBatch(polls: readonly (readonly unknown[])[]): Promise<Verdict[]> {
  const verdicts = await together(polls);
  for (const [i, { verdict }] of verdicts.entries()) if (verdict === 'alone') verdicts[i] = await alone(polls[i]!);
  return verdicts;
}

async function oneByOne(polls: readonly (readonly unknown[])[], leaves: readonly boolean[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  // Those that the batch leaves come after it.
  for (const left of [false, true])
    for (const [i, poll] of polls.entries()) if (leaves[i] === left) verdicts[i] = await alone(poll);
  return verdicts;
}

/** All that a poll writes. Marks are the wall's clock: only where there is one. */
async function stored({ raceId }: StoredRace) {
  const rows = async (text: string) => (await db.pool.query(text, [raceId])).rows;
  return {
    books:
      await rows(`SELECT to_jsonb(b) - '{race_id,source_race_id,win_written_at,moved_written_at,board_written_at,linked_written_at}'::text[] AS book,
        (SELECT array_agg(at IS NULL) FROM unnest(b.win_written_at) at) AS marks, moved_written_at IS NULL AS unmoved,
        moved_written_at = ANY (win_written_at) OR moved_written_at >= (SELECT max(at) FROM unnest(win_written_at) at) AS newest
      FROM race_books b WHERE race_id = $1 ORDER BY bookmaker_key`),
    ticks: await rows(
      `SELECT to_jsonb(t) - 'race_id' AS tick FROM price_ticks t WHERE race_id = $1 ORDER BY bookmaker_key, captured_at, runner_number`,
    ),
    breaks: await rows(
      `SELECT to_jsonb(t) - 'race_id' AS brk FROM price_breaks t WHERE race_id = $1 ORDER BY bookmaker_key, at, runner_number`,
    ),
    gaps: await rows(
      `SELECT to_jsonb(t) - 'race_id' AS gap FROM poll_gaps t WHERE race_id = $1 ORDER BY bookmaker_key, at`,
    ),
    race: await rows(`SELECT start_time, start_version, market_status, market_state_source, market_closed_at, inplay, inplay_at, odds_open
      FROM races WHERE race_id = $1`),
  };
}

let venue = 0;
async function newRace(isOpen = true): Promise<StoredRace> {
  const race = await storeRace(db, { venue: `Course ${venue++}` }, BOOKS);
  await db.pool.query('UPDATE races SET odds_open = $2 WHERE race_id = $1', [race.raceId, isOpen]);
  return race;
}

test('a batch of any polls stores what they store one by one, with the same verdicts', async () => {
  const seen = new Map<unknown, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(aBatch, { minLength: 2, maxLength: MOMENTS.length }),
      mostly(true, false),
      async (batches, isOpen) => {
        const [one, other] = [await newRace(isOpen), await newRace(isOpen)];
        for (const [at, batch] of batches.entries()) {
          const books = Object.keys(batch).sort();
          const polls = books.map((book) => valuesOf(one, book, MOMENTS[at]!, batch[book]!));
          const first = await together(polls);
          const leaves = first.map(({ verdict }) => verdict === 'alone');
          for (const [i, { verdict }] of first.entries()) {
            seen.set(verdict, (seen.get(verdict) ?? 0) + 1);
            if (verdict === 'alone') first[i] = await alone(polls[i]!);
          }
          const theirs = await oneByOne(
            books.map((book) => valuesOf(other, book, MOMENTS[at]!, batch[book]!)),
            leaves,
          );
          expect(first).toEqual(theirs);
          expect(await stored(one)).toEqual(await stored(other));
        }
      },
    ),
    { numRuns: runs(40) },
  );
  expect([...seen.keys()].sort()).toEqual(['alone', 'fenced', 'late', 'older', 'resend', 'unknown', 'written']);
  // The batch itself writes most of them.
  expect(seen.get('written')!).toBeGreaterThan(seen.get('alone')! / 4);
});

function alpha(win: 2 | 2.5 | 8) {
  return { name: 'Alpha', win, ...{ place: null, top2: null, top3: null, top4: null, toteWin: null } } as const;
}

const drawn: APoll = {
  ...{ late: 0, epoch: 1, attempt: 1, bookLag: null, status: 'OPEN', inPlay: null, startMoves: false, hash: 'own' },
  sourceUrl: null,
  field: [alpha(2)],
};

const moved: APoll = { ...drawn, field: [alpha(2.5)] };
const verdictsOf = (rows: readonly Verdict[]) => rows.map(({ verdict }) => verdict);

test.each([
  [1, 2],
  [2, 1],
])('of two polls of one book in a batch, attempts %i and %i, one is left for after the other', async (...attempts) => {
  const [one, other] = [await newRace(), await newRace()];
  const pollsOf = (race: StoredRace) =>
    attempts.map((attempt, i) =>
      valuesOf(race, 'tab', 600 - i, { ...moved, attempt, field: [alpha(i === 0 ? 2.5 : 8)] }),
    );
  for (const race of [one, other]) await alone(valuesOf(race, 'tab', 700, drawn));
  const verdicts = await together(pollsOf(one));
  const leaves = verdicts.map(({ verdict }) => verdict === 'alone');
  expect(leaves).toEqual([false, true]);
  verdicts[1] = await alone(pollsOf(one)[1]!);
  expect(verdicts).toEqual(await oneByOne(pollsOf(other), leaves));
  expect(verdictsOf(verdicts)).toEqual(['written', attempts[1] === 2 ? 'written' : 'fenced']);
  expect(await stored(one)).toEqual(await stored(other));
});

/** While another transaction has done `first`. */
async function beside(first: string, race: StoredRace, work: (end: () => Promise<unknown>) => Promise<void>) {
  const other = await db.pool.connect();
  try {
    await other.query('BEGIN');
    await other.query(first, [race.raceId]);
    await work(() => other.query('COMMIT'));
  } finally {
    await other.query('ROLLBACK');
    other.release();
  }
}

test('a batch waits for no row that another writer has: it is left, and the others are written meanwhile', async () => {
  const race = await newRace();
  const pollsOf = (secs: number, drawnOf: APoll) => ['neds', 'tab'].map((book) => valuesOf(race, book, secs, drawnOf));
  for (const poll of pollsOf(700, drawn)) await alone(poll);
  const newHolder = `UPDATE race_books SET attempt = 7 WHERE race_id = $1 AND bookmaker_key = 'neds'`;
  await beside(newHolder, race, async (end) => {
    expect(verdictsOf(await together(pollsOf(600, moved)))).toEqual(['alone', 'written']);
    await end();
  });
  expect((await stored(race)).ticks).toHaveLength(3);
  expect(verdictsOf(await inBatch(pollsOf(600, moved)))).toEqual(['fenced', 'late']);
});

const LOCK_RACE = 'SELECT FROM races WHERE race_id = $1 FOR UPDATE';

test('a batch locks no race: one that another transaction holds delays no poll that leaves it as it is', async () => {
  const race = await newRace();
  for (const book of BOOKS) await alone(valuesOf(race, book, 600, drawn));
  await beside(LOCK_RACE, race, async () => {
    const polls = BOOKS.slice(1).map((book) => valuesOf(race, book, 500, moved));
    // A fifth, of the exchange, turns the race in play.
    polls.unshift(valuesOf(race, BOOKS[0]!, 500, { ...moved, inPlay: true }));
    const written = BOOKS.slice(1).map(() => 'written');
    expect(verdictsOf(await together(polls))).toEqual(['alone', ...written]);
  });
});

test('what opens the odds of a race is left, because that locks the race; other first replies are written', async () => {
  const [opening, open] = [await newRace(false), await newRace()];
  await beside(LOCK_RACE, opening, async () => {
    const polls = [opening, open].map((race) => valuesOf(race, 'tab', 500, drawn));
    expect(await together(polls)).toMatchObject([{ verdict: 'alone' }, { verdict: 'written', changed: 1, ticks: 1 }]);
  });
  const { books } = await stored(open);
  expect(books.find(({ book }) => book.bookmaker_key === 'tab')!.book).toMatchObject({ numbers: [1], win: [2] });
});
