// GET /v1/racing/jockeys/stats and trainers/stats (B 2.8, B 4.9).
import { createCharger } from '../../../../src/api/kernel/charging/charger';
import type { PremiershipTable } from '../../../../src/domain/registry/premiership';
import { createStores } from '../../../../src/store/create-stores';
import { createPremiershipStore } from '../../../../src/store/registry/premierships';
import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { addPremierships, premiershipPage } from '../../../support/races/premierships';

let served: Served;
let key: string;
const request = (search = '', role = 'jockey') => served.api.get(`/v1/racing/${role}s/stats${search}`, key);
const get = async (search = '', role = 'jockey') => {
  const { status, body } = await request(search, role);
  expect(status).toBe(200);
  expectConforms(`${role}_stats`, body);
  return body;
};
const save = (table: Partial<PremiershipTable>, at: string, ...names: string[]) =>
  createPremiershipStore(served.db.pool).save(
    { role: 'jockey', state: 'AUS', scope: 'all', seasonStartYear: 2026, ...table },
    premiershipPage(...names.map((name) => ({ name }))),
    at,
  );
const NIGHT = '2026-11-19T13:00:00.000Z';
const LATER = '2026-11-20T13:00:00.000Z';
const places = (body: { rows: { state: string; scope: string; rank: number; name: string }[] }) =>
  body.rows.map(({ state, scope, rank, name }) => [state, scope, rank, name]);

beforeAll(async () => {
  served = await serve(({ pool }) => ({ charger: createCharger(createStores(pool).credits) }));
  key = await served.addKey();
});
afterAll(() => served.stop());

test('while a requested table was never read, the response is a free 503 that names when to come back', async () => {
  const answer = await request();
  expect([answer.status, answer.body.code]).toEqual([503, 'store_filling']);
  expect(answer.headers.get('retry-after')).toBe('30');
  expect(answer.headers.get('x-credits-cost')).toBe('0');
  await save({}, NIGHT, 'A Rider', 'B Rider');
  expect(places(await get())).toEqual([
    ['AUS', 'all', 1, 'A Rider'],
    ['AUS', 'all', 2, 'B Rider'],
  ]);
  for (const search of ['?name=rider', '?state=NSW', '?scope=metro', '?season=previous'])
    expect((await request(search)).status).toBe(503);
  expect((await request('', 'trainer')).status).toBe(503);
});

test('without a name one table is returned; a name widens to every state and scope of the season, unless they narrow it', async () => {
  await served.db.pool.query('DELETE FROM premiership_tables');
  await addPremierships(served.db.pool, NIGHT);
  await save({}, LATER, 'Jo Smith', 'A Smithson', 'K Other');
  await save({ state: 'NSW', scope: 'metro' }, LATER, 'K Other', 'Jo SMITH');
  await save({ state: 'VIC', scope: 'all' }, LATER, 'Jo Smith');
  await save({ seasonStartYear: 2025 }, LATER, 'Old Smith');
  await save({ role: 'trainer' }, LATER, 'T Smith');
  expect(await get('?state=nsw&scope=Metro')).toMatchObject({
    role: 'jockey',
    season_start_year: 2026,
    state: 'NSW',
    scope: 'metro',
    name: null,
    rows: [
      { name: 'K Other', rank: 1, ra_code: '30417', firsts: 12.5, starts: 64, strike_rate: 19.4, prize_money: 410_500 },
      { name: 'Jo SMITH', rank: 2, period_from: '2026-08-01', period_to: '2026-11-20' },
    ],
    source: {
      feed: 'racing-australia-premierships',
      region: 'AU',
      sport: 'thoroughbred',
      scraped_at: LATER,
      top_n: 20,
    },
  });
  expect(places(await get('?name=smith'))).toEqual([
    ['AUS', 'all', 1, 'Jo Smith'],
    ['AUS', 'all', 2, 'A Smithson'],
    ['NSW', 'metro', 2, 'Jo SMITH'],
    ['VIC', 'all', 1, 'Jo Smith'],
  ]);
  expect(await get('?name=smith')).toMatchObject({ state: null, scope: null, name: 'smith' });
  expect(places(await get('?name=jo%20smith&state=NSW'))).toEqual([['NSW', 'metro', 2, 'Jo SMITH']]);
  expect(places(await get('?name=smith&scope=all&season=previous'))).toEqual([['AUS', 'all', 1, 'Old Smith']]);
  expect(places(await get('?name=smith', 'trainer'))).toEqual([['AUS', 'all', 1, 'T Smith']]);
});

test('an empty response is dated by the tables that were searched, and one with rows by the newest read among them', async () => {
  const none = await request('?name=nobody%25');
  expect([none.status, none.body.rows, none.body.source.scraped_at]).toEqual([200, [], LATER]);
  expect(none.headers.get('x-credits-cost')).toBe('2');
  const old = await get('?name=leading&state=TAS');
  expect([old.rows.length, old.source.scraped_at]).toEqual([5, NIGHT]);
  const empty = { state: 'ACT', scope: 'picnic' } as const;
  await save(empty, LATER);
  expect(await get('?state=ACT&scope=picnic')).toMatchObject({ rows: [], source: { scraped_at: LATER } });
});

test('no request waits for a table that the registry does not publish', async () => {
  await served.db.pool.query(
    "UPDATE premiership_tables SET scraped_at = NULL, absent = true WHERE state = 'NT' AND scope = 'picnic'",
  );
  expect((await request('?name=smith')).status).toBe(200);
  expect((await request('?state=NT&scope=picnic')).status).toBe(503);
});

test('an unknown value is a free 422', async () => {
  for (const search of ['?state=NZ', '?scope=city', '?season=2025', '?name=%20', '?jockey=x']) {
    const { status, headers } = await request(search);
    expect([status, headers.get('x-credits-cost')]).toEqual([422, '0']);
  }
});
