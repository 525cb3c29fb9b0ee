import { createQuoteStore } from '../../../../src/store/polls/quotes';
import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { addRace } from '../../../support/races/board';
import { feedField, feedRunner, raceSnapshot } from '../../../support/races/builders';

let served: Served;
let key: string;
beforeEach(async () => {
  served = await serve();
  key = await served.addKey();
});
afterEach(() => served.stop());

const get = async (search = '', by = key) => {
  const { status, body } = await served.api.get(`/v1/racing/movers${search}`, by);
  expect(status).toBe(200);
  expectConforms('movers', body);
  return body;
};

type Wins = (number | null)[];
const START = '2026-11-21T03:20:00.000Z';

/** One race, and at each book one poll per row of win prices, a minute apart, the last one at 02:59:50. */
async function moving(books: Readonly<Record<string, readonly Wins[]>>, over: Parameters<typeof addRace>[1] = {}) {
  const quotes = createQuoteStore(served.db.pool);
  const at = (minutesAgo: number) => new Date(Date.parse('2026-11-21T02:59:50Z') - minutesAgo * 60_000).toISOString();
  const first = Object.entries(books).map(([book, polls]) => [
    book,
    { runners: feedField(...polls[0]!), at: at(polls.length - 1) },
  ]);
  const { raceId } = await addRace(served.db.pool, { startTime: START, ...over }, Object.fromEntries(first));
  for (const [bookmakerKey, polls] of Object.entries(books)) {
    for (const [i, wins] of polls.entries()) {
      if (i === 0) continue;
      await quotes.savePoll({
        raceId,
        bookmakerKey,
        fence: { epoch: 1, attempt: 1 },
        observedAt: at(polls.length - 1 - i),
        bookAt: null,
        snapshot: raceSnapshot({ runners: feedField(...wins) }),
        marketStateSource: false,
        startSource: false,
      });
    }
  }
  return raceId;
}

test('a mover is shown with every book that quotes it, counted or not (A 2.7)', async () => {
  await moving({
    ladbrokes_au: [
      [6, 2],
      [5.5, 2],
      [5, 2],
    ],
    tab: [
      [6.5, 2],
      [5, 2],
    ],
    pointsbetau: [[5.2, 2]],
  });
  expect(await get('?min_books=2')).toEqual([
    {
      venue: 'Flemington',
      race_number: 1,
      category: 'horse',
      country: 'AU',
      start_time: START,
      mins_to_jump: 20,
      number: 1,
      runner: 'Runner 1',
      open_price: 6.25,
      current_price: 5,
      move_pct: -20,
      direction: 'firming',
      books_quoting: 3,
      books_with_history: 2,
      books_firming: 2,
      books_drifting: 0,
      books_unchanged: 1,
      bookmakers: [
        {
          key: 'ladbrokes_au',
          open_price: 6,
          current_price: 5,
          move_pct: -16.67,
          open_secs_to_jump: 1330,
          points: 3,
          counted_in_consensus: true,
        },
        expect.objectContaining({ key: 'pointsbetau', points: 1, move_pct: 0, counted_in_consensus: false }),
        expect.objectContaining({ key: 'tab', open_price: 6.5, points: 2, move_pct: -23.08 }),
      ],
    },
  ]);
  expect(await get()).toEqual([]);
});

test('the filters: books, size, direction, code, country, minutes to the jump, and number of movers', async () => {
  const three = (from: Wins, to: Wins) => ({ ladbrokes_au: [from, to], tab: [from, to], neds: [from, to] });
  await moving(three([10, 10, 10, 10], [5, 12, 9, 10]));
  await moving(three([10], [16]), {
    raceNumber: 2,
    category: 'greyhound',
    country: 'NZ',
    startTime: '2026-11-21T03:50:00.000Z',
  });
  await moving(three([10], [30]), { raceNumber: 3, country: null });
  const moves = async (search: string) => (await get(search)).map((row: { move_pct: number }) => row.move_pct);
  expect(await moves('')).toEqual([60, -50, 20, -10]);
  expect(await moves('?include_unresolved=true')).toEqual([200, 60, -50, 20, -10]);
  expect(await moves('?min_move_pct=21')).toEqual([60, -50]);
  expect(await moves('?direction=firming')).toEqual([-50, -10]);
  expect(await moves('?direction=drifting&limit=1')).toEqual([60]);
  expect(await moves('?category=horse')).toEqual([-50, 20, -10]);
  expect(await moves('?country=nz')).toEqual([60]);
  expect(await moves('?max_mins_to_jump=21')).toEqual([-50, 20, -10]);
  expect(await moves('?min_books=4')).toEqual([]);
});

test('after a start was put back a book opens at its price at the beginning of the new window', async () => {
  const quotes = createQuoteStore(served.db.pool);
  const books = ['ladbrokes_au', 'tab', 'neds'];
  const at = (minutes: number) => new Date(Date.parse(START) + minutes * 60_000).toISOString();
  const poll = (bookmakerKey: string, minutes: number, win: number) => ({
    bookmakerKey,
    observedAt: at(minutes),
    bookAt: null,
    fence: { epoch: 1, attempt: 1 },
    snapshot: raceSnapshot({ runners: feedField(win, 2) }),
    marketStateSource: false,
    startSource: false,
  });
  const report = { at: at(-60), runners: feedField(10, 2) };
  const reports = Object.fromEntries(books.map((book) => [book, report]));
  const { raceId } = await addRace(served.db.pool, { startTime: START }, reports);
  for (const [minutes, win] of [
    [-40, 5.5],
    [-21, 5],
  ] as const)
    for (const book of books) await quotes.savePoll({ raceId, ...poll(book, minutes, win) });
  expect(await get()).toMatchObject([{ move_pct: -50, open_price: 10 }]);
  // The window now opens at 02:45: 5.5 stood then.
  await served.db.pool.query('UPDATE races SET start_time = $2 WHERE race_id = $1', [raceId, at(25)]);
  const [row] = await get('?min_move_pct=9');
  expect(row).toMatchObject({ open_price: 5.5, current_price: 5, move_pct: -9.09 });
  expect(row.bookmakers[0]).toMatchObject({ open_price: 5.5, open_secs_to_jump: 3600, points: 2 });
});

test('equal moves are ordered by start, then race, then number', async () => {
  const books = {
    ladbrokes_au: [
      [10, 10],
      [5, 5],
    ],
    tab: [
      [10, 10],
      [5, 5],
    ],
    neds: [
      [10, 10],
      [5, 5],
    ],
  };
  await moving(books, { raceNumber: 7, startTime: '2026-11-21T03:30:00.000Z' });
  await moving(books, { raceNumber: 8 });
  const rows = (await get()).map((row: { race_number: number; number: number }) => [row.race_number, row.number]);
  expect(rows).toEqual([
    [8, 1],
    [8, 2],
    [7, 1],
    [7, 2],
  ]);
});

test('a book that withdrew its price, or is stale, quotes nothing', async () => {
  const polls = [[10], [5]];
  await moving({ ladbrokes_au: polls, tab: polls, neds: polls, unibet: [[10], [6], [null]] });
  const [row] = await get();
  expect(row.bookmakers.map((book: { key: string }) => book.key)).toEqual(['ladbrokes_au', 'neds', 'tab']);
  served.api.now += 3 * 60_000;
  expect(await get()).toEqual([]);
});

test('a scratched runner has no move, and a number with a new runner starts over', async () => {
  const books = ['ladbrokes_au', 'tab', 'neds'];
  const polls = [
    [10, 10],
    [5, 5],
  ];
  const raceId = await moving(Object.fromEntries(books.map((book) => [book, polls])));
  const quotes = createQuoteStore(served.db.pool);
  const out = { at: null, late: true, winDeduction: null, placeDeduction: null };
  for (const bookmakerKey of books) {
    await quotes.savePoll({
      raceId,
      bookmakerKey,
      fence: { epoch: 1, attempt: 1 },
      observedAt: '2026-11-21T02:59:55.000Z',
      bookAt: null,
      snapshot: raceSnapshot({
        runners: [feedRunner(1, { name: 'Another', win: 20 }), feedRunner(2, { scratching: out })],
      }),
      marketStateSource: false,
      startSource: false,
    });
  }
  expect(await get('?min_books=1&min_move_pct=1')).toEqual([]);
});

test('a race that has jumped has no movers', async () => {
  const polls = [[10], [5]];
  await moving({ ladbrokes_au: polls, tab: polls, neds: polls }, { startTime: '2026-11-21T03:00:01.000Z' });
  expect(await get()).toHaveLength(1);
  served.api.now += 1000;
  expect(await get()).toEqual([]);
});

test('only operators see an exchange’s moves', async () => {
  const polls = [[10], [5]];
  await moving({ betfair_ex_au: polls, tab: polls });
  const keys = (rows: { bookmakers: { key: string }[] }[]) =>
    rows.flatMap((row) => row.bookmakers.map((book) => book.key));
  expect(keys(await get('?min_books=1'))).toEqual(['tab']);
  const operator = await served.addKey({ role: 'internal', plan: 'enterprise' });
  expect(keys(await get('?min_books=1', operator))).toEqual(['betfair_ex_au', 'tab']);
});

test.each([
  ['direction=in', 'direction'],
  ['min_move_pct=0.5', 'min_move_pct'],
  ['min_books=21', 'min_books'],
  ['max_mins_to_jump=61', 'max_mins_to_jump'],
  ['limit=201', 'limit'],
])('%s is a free 422', async (search, parameter) => {
  const { status, body } = await served.api.get(`/v1/racing/movers?${search}`, key);
  expect([status, body.errors[0].parameter]).toEqual([422, parameter]);
});
