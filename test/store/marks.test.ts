// Which writes mark a race as changed, by any writer: exactly those that a customer can see.
import { BOOKMAKERS, visibleToCustomers } from '../../src/domain/bookmakers';
import { feedRunner } from '../support/races/builders';
import { type StoredRace, storeRace } from '../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../support/servers/database';

let db: TestDatabase;
let stored: StoredRace;
let count = 0;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
beforeEach(async () => {
  stored = await storeRace(db, { venue: `Venue ${count++}`, country: null }, ['ladbrokes_au', 'tab']);
});

interface Marks {
  readonly written_at: string;
  readonly shown_written_at: string;
}

const marks = async (): Promise<Marks> =>
  (
    await db.pool.query('SELECT written_at::text, shown_written_at::text FROM races WHERE race_id = $1', [
      stored.raceId,
    ])
  ).rows[0];

async function marksOf(write: () => Promise<unknown>): Promise<{ written: boolean; shown: boolean }> {
  const before = await marks();
  await write();
  const after = await marks();
  return {
    written: after.written_at !== before.written_at,
    shown: after.shown_written_at !== before.shown_written_at,
  };
}

const set = (what: string) => () => db.pool.query(`UPDATE races SET ${what} WHERE race_id = $1`, [stored.raceId]);

test.each([
  "start_time = start_time + interval '1 minute'",
  "status = 'abandoned'",
  "track_condition = 'Soft (5)'",
  "weather = 'Rain'",
  'track_condition_changed_at = now()',
])('%s marks the race', async (what) => {
  expect(await marksOf(set(what))).toEqual({ written: true, shown: false });
  expect(
    await marksOf(
      set(what.replace('start_time + ', 'start_time + 0 * ').replace('now()', 'track_condition_changed_at')),
    ),
  ).toEqual({ written: false, shown: false });
});

test.each(["phase = 'live'", 'inplay = true, inplay_at = now()', 'updated_at = now()', 'start_version = 9'])(
  '%s changes nothing that a customer sees',
  async (what) => {
    expect(await marksOf(set(what))).toEqual({ written: false, shown: false });
  },
);

test.each(BOOKMAKERS.map(({ key }) => key))(
  'market state of %s marks the race if customers may see it',
  async (key) => {
    const states = [`'OPEN', market_state_source = '${key}'`, `'CLOSED', market_closed_at = now()`];
    for (const state of states) {
      expect(await marksOf(set(`market_status = ${state}`))).toEqual({
        written: visibleToCustomers(key),
        shown: false,
      });
    }
  },
);

test('all prices come into view when a country becomes known or a race returns to the board', async () => {
  expect(await marksOf(set("country = 'AU'"))).toEqual({ written: true, shown: true });
  expect(await marksOf(set('left_board_at = now()'))).toEqual({ written: false, shown: false });
  expect(await marksOf(set('left_board_at = NULL'))).toEqual({ written: true, shown: true });
});

const names = async () =>
  (
    await db.pool.query('SELECT name, number, state, again FROM race_names WHERE race_id = $1 ORDER BY name', [
      stored.raceId,
    ])
  ).rows.map(({ name, number, state, again }) => `${name} ${number} ${state}${again ? ' again' : ''}`);

test('every name has its own state: after a swap, a scratching, or a runner that goes and comes back', async () => {
  const alpha = feedRunner(1, { name: 'Alpha', win: 2 });
  const beta = feedRunner(2, { name: 'Beta', win: 3 });
  const out = { at: null, late: null, winDeduction: null, placeDeduction: null };
  await stored.poll(100, { runners: [alpha, beta] });
  expect(await names()).toEqual(['Alpha 1 running', 'Beta 2 running']);
  const polls = [
    [
      [
        { ...alpha, number: 2 },
        { ...beta, number: 1 },
      ],
      ['Alpha 2 running again', 'Beta 1 running again'],
    ],
    [[{ ...beta, number: 1 }], ['Alpha 2 gone again', 'Beta 1 running again']],
    [[{ ...beta, number: 1, scratching: out }], ['Alpha 2 gone again', 'Beta 1 scratched again']],
    [[alpha], ['Alpha 1 running again', 'Beta 1 gone again']],
  ] as const;
  let secs = 90;
  for (const [runners, expected] of polls) {
    const poll = () => stored.poll(secs--, { runners: [...runners] });
    expect(await marksOf(poll)).toMatchObject({ written: true });
    expect(await names()).toEqual(expected);
    expect(await marksOf(poll)).toMatchObject({ written: false });
  }
});

test('a more exact report of a scratching marks the race; the runner stays scratched', async () => {
  const out = { at: null, late: null, winDeduction: null, placeDeduction: null };
  const runners = (late: boolean | null) => [
    feedRunner(1, { win: 2 }),
    feedRunner(2, { scratching: { ...out, late } }),
  ];
  await stored.poll(100, { runners: runners(null) });
  expect(await marksOf(() => stored.poll(90, { runners: runners(null) }))).toMatchObject({ written: false });
  expect(await marksOf(() => stored.poll(80, { runners: runners(true) }))).toMatchObject({ written: true });
});

test('each runner keeps the mark of its own last move, also when the field changes', async () => {
  const of = async () =>
    (
      await db.pool.query(
        `SELECT numbers, win_written_at::text[] AS marks, moved_written_at::text AS moved FROM race_books
          WHERE race_id = $1 AND bookmaker_key = 'ladbrokes_au'`,
        [stored.raceId],
      )
    ).rows[0];
  const field = (...wins: (number | null)[]) => wins.map((win, i) => feedRunner(i + 1, { win }));
  await stored.poll(100, { runners: field(2, 3) });
  const first = await of();
  await stored.poll(90, { runners: field(2, 3.5) });
  const second = await of();
  expect([second.marks[0], second.marks[1] > first.marks[1]]).toEqual([first.marks[0], true]);
  await stored.poll(80, { runners: [...field(2, 3.5), feedRunner(3)].map((one) => ({ ...one, place: 1.2 })) });
  expect(await of()).toEqual({ ...second, numbers: [1, 2, 3], marks: [...second.marks, null] });
  await stored.poll(70, { runners: [feedRunner(1, { win: 2 }), feedRunner(2, { name: 'Another' })] });
  const last = await of();
  expect([last.marks[0], last.marks[1] > second.marks[1], last.moved > second.moved]).toEqual([
    first.marks[0],
    true,
    true,
  ]);
});
