import { type Served, serve } from '../../../support/api/served';
import { addRace } from '../../../support/races/board';
import { feedField } from '../../../support/races/builders';

let served: Served;
beforeAll(async () => {
  served = await serve();
  const runners = (shift: number) => ({ runners: feedField(...[2, 3, 4, 5, 6, 7].map((win) => win + shift)) });
  const books = {
    tab: runners(0),
    neds: runners(0.3),
    ladbrokes_au: runners(0.1),
    pointsbetau: runners(0.2),
    betfair_ex_au: runners(9),
  };
  for (const n of [1, 2, 3, 4]) {
    await addRace(served.db.pool, { raceNumber: n, startTime: `2026-11-21T03:${n}0:00.000Z` }, books);
  }
  await addRace(served.db.pool, { venue: 'Abroad', country: 'GB', startTime: '2026-11-21T03:05:00.000Z' }, books);
});
afterAll(() => served.stop());

const get = () => served.api.get('/v1/demo/racing/next-to-go');

test('three Australian races, five runners, three books, best price first, without a key', async () => {
  const { body, headers } = await get();
  expect(body).toMatchObject({ demo: true, cached: false, signup_url: 'https://api.example.com/signup' });
  expect(body.races.map((race: { race_number: number }) => race.race_number)).toEqual([1, 2, 3]);
  for (const race of body.races) expect(race.runners).toHaveLength(5);
  expect(body.races[0].runners[0].bookmakers).toEqual([
    { key: 'neds', win_price: 2.3, source_url: null },
    { key: 'pointsbetau', win_price: 2.2, source_url: null },
    { key: 'ladbrokes_au', win_price: 2.1, source_url: null },
  ]);
  expect([...headers.keys()].filter((name) => /^x-(credits|ratelimit)/.test(name))).toEqual([]);
});

test('a placeholder is not a best price (A 2.4 rule 2)', async () => {
  const other = await serve();
  try {
    const books = { tab: 5.2, neds: 5, ladbrokes_au: 4.8, pointsbetau: 101 };
    const reports = Object.entries(books).map(([key, win]) => [key, { runners: feedField(win) }]);
    await addRace(other.db.pool, { startTime: '2026-11-21T03:10:00.000Z' }, Object.fromEntries(reports));
    const { body } = await other.api.get('/v1/demo/racing/next-to-go');
    const [{ bookmakers }] = body.races[0].runners;
    expect(bookmakers.map((quote: { win_price: number }) => quote.win_price)).toEqual([5.2, 5, 4.8]);
    expect(body.truncated).toBe(false);
  } finally {
    await other.stop();
  }
});

describe('truncated is true only if something was left out', () => {
  let small: Served;
  beforeAll(async () => {
    small = await serve();
  });
  afterAll(() => small.stop());
  /** The sample after listing one more race with this many runners. */
  const withRace = async (raceNumber: number, ...wins: number[]) => {
    const listed = { raceNumber, startTime: '2026-11-21T03:10:00.000Z' };
    await addRace(small.db.pool, listed, { tab: { runners: feedField(...wins) } });
    small.api.now += 30_001;
    return (await small.api.get('/v1/demo/racing/next-to-go')).body;
  };

  test('of runners and books', async () => {
    expect((await get()).body.truncated).toBe(true);
    const body = await withRace(1, 2, 3);
    expect(body).toMatchObject({ truncated: false, races: [{ runners: [{ number: 1 }, { number: 2 }] }] });
  });

  test('of races: three are complete, a fourth is left out', async () => {
    await withRace(2, 2);
    expect(await withRace(3, 2)).toMatchObject({ truncated: false, races: [{}, {}, {}] });
    const { truncated, races } = await withRace(4, 2);
    expect([truncated, races.length]).toEqual([true, 3]);
  });
});

test('the sample is computed once in 30 seconds', async () => {
  expect((await get()).body.cached).toBe(true);
  served.api.now += 30_001;
  expect((await get()).body.cached).toBe(false);
});

test('30 requests a minute are served to one address', async () => {
  let requests = 1;
  let refused = await get();
  // One request becomes available every two seconds in the meantime.
  for (; refused.status === 200; requests++) refused = await get();
  expect(refused.status).toBe(429);
  expect(requests).toBeGreaterThan(20);
  expect(refused.body).toMatchObject({ code: 'rate_limit', retry_after_seconds: expect.any(Number) });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
});
