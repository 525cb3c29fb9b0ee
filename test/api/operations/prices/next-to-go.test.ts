import { NextRace } from '../../../../src/api/operations/prices/next-to-go-schema';
import { createStores } from '../../../../src/store/create-stores';
import { type Served, serve } from '../../../support/api/served';
import { addRace } from '../../../support/races/board';
import { feedRunner, raceSnapshot } from '../../../support/races/builders';

let served: Served;
let key: string;
const HERE = '/v1/racing/next-to-go';

beforeAll(async () => {
  served = await serve();
  key = await served.addKey({ plan: 'standard' });
  const full = { win: 3, place: 1.5, top2: 2, top3: 1.6, top4: 1.3, toteWin: { PROV: 3.2 } };
  await addRace(
    served.db.pool,
    { venue: 'Soon', startTime: '2026-11-21T03:20:00.000Z', raceName: 'Cup' },
    {
      tab: { runners: [feedRunner(1, { ...full, weightKg: 57.5 }), feedRunner(2)], at: '2026-11-21T02:58:00.000Z' },
      neds: {
        runners: [feedRunner(1, { win: 2.9 }), feedRunner(2)],
        at: '2026-11-21T02:57:59.000Z',
        sourceUrl: 'https://n.example',
      },
      betr_au: { runners: [feedRunner(1, { place: 1.4 })], at: '2026-11-21T02:40:00.000Z' },
      playup: { runners: [feedRunner(1, { win: 2.8 })], at: '2026-11-21T02:40:00.000Z' },
    },
  );
  await addRace(
    served.db.pool,
    { venue: 'Later', startTime: '2026-11-21T06:00:01.000Z', category: 'greyhound' },
    {
      tab: { runners: [feedRunner(1, { win: 2 })], at: '2026-11-21T02:30:00.000Z' },
    },
  );
  await addRace(
    served.db.pool,
    { venue: 'Tomorrow', startTime: '2026-11-22T05:00:00.000Z', meetingDate: '2026-11-22' },
    {
      tab: { runners: [feedRunner(1, { win: 2 })] },
    },
  );
});
afterAll(() => served.stop());

const get = async (search = '') => (await served.api.get(HERE + search, key)).body;

test('the next race comes first, and the window is a day', async () => {
  expect((await get()).map((race: { venue: string }) => race.venue)).toEqual(['Soon', 'Later']);
  expect((await get('?hours_ahead=48')).map((race: { venue: string }) => race.venue)).toContain('Tomorrow');
  expect((await served.api.get(`${HERE}?hours_ahead=49`, key)).body.code).toBe('horizon_exceeded');
});

test('a race has every member of its schema', async () => {
  const [race] = await get('?num_races=1');
  expect(Object.keys(race).sort()).toEqual(Object.keys(NextRace.properties).sort());
  expect(race).toMatchObject({
    source_id: null,
    race_name: 'Cup',
    places_paid: null,
    cached: false,
    cache_age_seconds: 0,
  });
});

test('a book’s row has what it quotes; an unquoted leg is absent (D3)', async () => {
  const [race] = await get();
  const [first, second] = race.runners;
  const rows = Object.fromEntries(first.bookmakers.map((row: { key: string }) => [row.key, row]));
  expect(rows.tab).toMatchObject({ win_price: 3, place_price: 1.5, top2_price: 2, top3_price: 1.6, top4_price: 1.3 });
  expect(rows.tab).toMatchObject({
    tote_win: { PROV: 3.2 },
    last_update: '2026-11-21T02:58:00.000Z',
    age_basis: 'poll',
  });
  expect(rows.tab).not.toHaveProperty('source_url');
  expect(Object.keys(rows.neds)).toEqual([
    'key',
    'win_price',
    'source_url',
    'last_update',
    'age_seconds',
    'stale',
    'refresh_tier',
    'age_basis',
  ]);
  expect(rows.betr_au).toMatchObject({ win_price: null, place_price: 1.4 });
  expect(first).toMatchObject({ weight: 57.5, jockey: null });
  expect(second.bookmakers).toEqual([]);
});

test('a quote is stale past its tier’s threshold, and some books have their own horizon (A 2.4 rule 4)', async () => {
  const [race] = await get();
  const freshness = Object.fromEntries(
    race.runners[0].bookmakers.map(
      (row: { key: string; age_seconds: number; stale: boolean; refresh_tier: string }) => [
        row.key,
        [row.age_seconds, row.refresh_tier, row.stale],
      ],
    ),
  );
  expect(freshness).toEqual({
    tab: [120, 'live', false],
    neds: [121, 'live', true],
    betr_au: [1200, 'live', true], // live inside 30 minutes
    playup: [1200, 'card', false], // live only inside 6 minutes
  });
  expect(race).toMatchObject({ refresh_tier: 'live', stale_bookmakers: ['betr_au', 'neds'], stale: true });
  expect([race.data_age_seconds, race.freshest_age_seconds]).toEqual([1200, 120]);
});

test('beyond three hours a race and its quotes are of the card tier', async () => {
  const [race] = await get('?category=greyhound');
  expect(race).toMatchObject({ refresh_tier: 'card', stale: false, data_age_seconds: 1800 });
  expect(race.runners[0]).toMatchObject({ horse_ref: null, bookmakers: [{ refresh_tier: 'card', stale: false }] });
});

test('the response’s oldest age is in its headers', async () => {
  expect((await served.api.get(HERE, key)).headers.get('x-data-age-seconds')).toBe('1800');
});

test('books, venue and number of races narrow the response', async () => {
  const [race, ...others] = await get('?bookmakers=neds&num_races=200');
  expect(others).toEqual([]);
  expect(race.runners[0].bookmakers).toMatchObject([{ key: 'neds' }]);
  expect(await get('?venue=nowhere')).toEqual([]);
  expect(await get('?venue=SOON,later&num_races=1')).toHaveLength(1);
});

test.each([
  ['date=2026-11-21', 200],
  ['date=2026-11-22', 200],
  ['date=2026-11-20', 422],
  ['date=2026-11-24', 403],
  ['date=2026-11-21&hours_ahead=3', 422],
  ['num_races=200', 200],
  ['num_races=201', 422],
])('%s on Standard is a %i', async (search, status) => {
  expect((await served.api.get(`${HERE}?${search}`, key)).status).toBe(status);
});

test('a date is one meeting day (AET), with the horizon in the headers', async () => {
  expect((await get('?date=2026-11-22')).map((race: { venue: string }) => race.venue)).toEqual(['Tomorrow']);
  const { headers } = await served.api.get(`${HERE}?date=2026-11-22`, key);
  expect([headers.get('x-horizon-hours'), headers.get('x-horizon-used-hours')]).toEqual(['48', '34']);
});

test('a moved price is served at once: the response is never cached', async () => {
  const win = async () => (await get('?venue=moving'))[0].runners[0].bookmakers[0].win_price;
  const listed = { venue: 'Moving', startTime: '2026-11-21T03:25:00.000Z' };
  const { raceId } = await addRace(served.db.pool, listed, { tab: { runners: [feedRunner(1, { win: 4 })] } });
  expect(await win()).toBe(4);
  await createStores(served.db.pool).quotes.savePoll({
    raceId,
    bookmakerKey: 'tab',
    fence: { epoch: 1, attempt: 1 },
    observedAt: '2026-11-21T02:59:59.000Z',
    bookAt: null,
    snapshot: raceSnapshot({ runners: [feedRunner(1, { win: 4.4 })] }),
    marketStateSource: false,
    startSource: false,
  });
  expect(await win()).toBe(4.4);
});
