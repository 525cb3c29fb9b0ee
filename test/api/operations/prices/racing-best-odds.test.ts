import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { addRace } from '../../../support/races/board';
import { feedRunner } from '../../../support/races/builders';

let served: Served;
let free: string;
let plus: string;
const HERE = '/v1/racing/best-odds';

beforeAll(async () => {
  served = await serve();
  free = await served.addKey();
  plus = await served.addKey({ plan: 'plus' });
});
afterAll(() => served.stop());

const START = '2026-11-21T03:30:00.000Z';
const only = (venue: string, search = '') => `${HERE}?venue=${encodeURIComponent(venue)}${search}`;
const one = async (venue: string, key = free) => (await served.api.get(only(venue), key)).body[0];

describe('lines', () => {
  const field = (...wins: number[]) => wins.map((win, i) => feedRunner(i + 1, { win, place: 1 + win / 10 }));
  beforeAll(async () => {
    await addRace(
      served.db.pool,
      { venue: 'Lines', startTime: START, trackCondition: 'Soft (5)' },
      {
        ladbrokes_au: { runners: field(2, 4, 30), at: '2026-11-21T02:59:00.000Z', sourceUrl: 'https://l.example/1' },
        neds: { runners: field(2.2, 4, 8), at: '2026-11-21T02:59:30.000Z' },
        tab: { runners: field(2.1, 4, 7), at: '2026-11-21T02:57:00.000Z' },
        pointsbetau: { runners: field(2.1, 3.9, 7), at: '2026-11-21T02:59:55.000Z' },
      },
    );
  });

  test('the race reports what it compared and how old that is', async () => {
    const race = await one('Lines');
    expectConforms('racing_best_odds', [race]);
    expect(race).toMatchObject({
      venue: 'Lines',
      track_condition: 'Soft (5)',
      books_compared: 4,
      refresh_tier: 'live',
    });
    // Prices are 2.2, 4 and 8: the 30 is four times the median of the other three.
    expect(race.market_percentage).toBeCloseTo(100 / 2.2 + 100 / 4 + 100 / 8, 1);
    // The oldest and the newest of the winning quotes: ladbrokes_au (best place of 3) and neds.
    expect([race.data_age_seconds, race.freshest_age_seconds, race.stale]).toEqual([60, 30, false]);
    expect(race.stale_bookmakers).toEqual(['tab']);
  });

  test('a best quote carries its book, its age and its page', async () => {
    const { runners } = await one('Lines');
    expect(runners[0].best_win).toEqual({
      price: 2.2,
      bookmaker: 'neds',
      last_update: '2026-11-21T02:59:30.000Z',
      age_seconds: 30,
      stale: false,
      refresh_tier: 'live',
      age_basis: 'poll',
      source_url: null,
    });
    expect(runners[0]).toMatchObject({
      books_quoting: 4,
      books_quoting_win: 4,
      books_quoting_place: 4,
      price_spread_pct: 10,
    });
  });

  test('equal prices go to the fresher quote', async () => {
    const { runners } = await one('Lines');
    expect(runners[1].best_win).toMatchObject({ price: 4, bookmaker: 'neds' });
  });

  test('a placeholder is listed and counts in no line (A 2.4 rule 2)', async () => {
    const { runners } = await one('Lines');
    expect(runners[2].suspect_win).toEqual({ bookmaker: 'ladbrokes_au', price: 30, consensus: 7 });
    expect(runners[2].best_win).toMatchObject({ price: 8, bookmaker: 'neds' });
    expect(runners[2].price_spread_pct).toBeCloseTo(14.29, 2);
    expect(runners[0]).toMatchObject({ suspect_win: null, suspect_place: null });
  });

  test('only the requested books are compared', async () => {
    const [race] = (await served.api.get(only('Lines', '&bookmakers=TAB'), free)).body;
    expect(race).toMatchObject({ books_compared: 1, stale: true, stale_bookmakers: ['tab'], data_age_seconds: 180 });
    expect(race.runners[2]).toMatchObject({ best_win: { price: 7, bookmaker: 'tab' }, suspect_win: null });
  });
});

describe('legs, tote, scratchings', () => {
  beforeAll(async () => {
    const scratching = { at: null, late: null, winDeduction: null, placeDeduction: null };
    await addRace(
      served.db.pool,
      { venue: 'Legs', startTime: START },
      {
        tab: {
          runners: [
            feedRunner(1, { name: 'Zabeel (NZ)', win: 3, top2: 2, top3: 1.5, toteWin: { PROV: 3.4, SP: 3.1 } }),
            feedRunner(2, { place: 1.9 }),
            feedRunner(3, { win: 9, scratching }),
          ],
        },
        neds: {
          runners: [feedRunner(1, { name: 'ZABEEL', win: 2.9, top2: 2.1 }), feedRunner(2), feedRunner(3, { win: 9 })],
        },
      },
    );
  });

  test('a leg is present if a book quotes it, with the number of books that do', async () => {
    const { runners } = await one('Legs');
    expect(runners[0].best_top2).toMatchObject({ price: 2.1, bookmaker: 'neds', books_quoting: 2 });
    expect(runners[0].best_top3).toMatchObject({ price: 1.5, bookmaker: 'tab', books_quoting: 1 });
    expect(runners[0]).not.toHaveProperty('best_top4');
    expect(runners[1]).not.toHaveProperty('best_top2');
  });

  test('the tote is the highest estimate, with its product, and never a win price', async () => {
    const { runners } = await one('Legs');
    expect(runners[0].best_tote).toMatchObject({ price: 3.4, product: 'PROV', bookmaker: 'tab' });
    expect(runners[0].best_win.price).toBe(3);
    expect(runners[1].best_tote).toBeNull();
  });

  test('an unquoted leg is null, never 0; a runner with only a place price leaves no sum', async () => {
    const race = await one('Legs');
    expect(race.runners[1]).toMatchObject({
      best_win: null,
      books_quoting_win: 0,
      books_quoting_place: 1,
      price_spread_pct: null,
    });
    expect(race.market_percentage).toBeNull();
  });

  test('a runner that no book quotes is left out; a starter among them leaves no sum', async () => {
    const listed = [feedRunner(1, { win: 2 }), feedRunner(2, { win: 3 })];
    const race = (venue: string, emergency: boolean | null) =>
      addRace(
        served.db.pool,
        { venue, startTime: START },
        { tab: { runners: [...listed, feedRunner(3, { emergency })] } },
      );
    await Promise.all([race('Emergency', true), race('Starter', null)]);
    for (const [venue, sum] of [
      ['Emergency', expect.closeTo(100 / 2 + 100 / 3, 1)],
      ['Starter', null],
    ]) {
      const { runners, market_percentage } = await one(venue);
      expect(runners.map(({ number }: { number: number }) => number)).toEqual([1, 2]);
      expect(market_percentage).toEqual(sum);
    }
  });

  test('a scratched runner is never priced (A 2.4 rule 1)', async () => {
    const race = await one('Legs');
    expect(race.runners.map((runner: { number: number }) => runner.number)).toEqual([1, 2]);
    expect(race.scratchings).toMatchObject([{ number: 3, scratched_at: null, late: null }]);
    expect(race.runners[0].horse_ref).toBe('pe:zabeel');
  });
});

describe('cached for 20 seconds (A 8)', () => {
  test('prices do not change, ages do, and the response reports its cache age', async () => {
    const books = (win: number) => ({ tab: { runners: [feedRunner(1, { win })], at: '2026-11-21T02:59:50.000Z' } });
    const path = only('Held');
    await addRace(served.db.pool, { venue: 'Held', startTime: START }, books(3));
    const first = await served.api.get(path, free);
    expect(first.body[0]).toMatchObject({ cached: false, cache_age_seconds: 0, data_age_seconds: 10 });
    expect(first.headers.get('x-data-age-seconds')).toBe('10');

    await addRace(served.db.pool, { venue: 'Held', raceNumber: 2, startTime: START }, books(4));
    served.api.now += 19_000;
    const cached = await served.api.get(path, free);
    expect(cached.body).toHaveLength(1);
    expect(cached.body[0]).toMatchObject({ cached: true, cache_age_seconds: 19, data_age_seconds: 29 });
    expect(cached.body[0].runners[0].best_win.age_seconds).toBe(29);
    expect(cached.headers.get('etag')).toBe(first.headers.get('etag'));

    served.api.now += 1_000;
    const next = await served.api.get(path, free);
    expect(next.body).toHaveLength(2);
    expect(next.body[0]).toMatchObject({ cached: false, cache_age_seconds: 0 });
    served.api.now -= 20_000;
  });

  test('the tag changes when a quote goes stale, even if no price moved', async () => {
    const path = only('Held', '&num_races=1');
    const fresh = await served.api.get(path, free);
    served.api.now += 111_000;
    const stale = await served.api.get(path, free);
    served.api.now -= 111_000;
    expect(stale.body[0]).toMatchObject({ stale: true, stale_bookmakers: ['tab'], data_age_seconds: 121 });
    expect(stale.headers.get('etag')).not.toBe(fresh.headers.get('etag'));
  });
});

describe('what a plan may request', () => {
  test('betslip members are present from Plus, and absent below (A 2.4 rule 6)', async () => {
    const below = (await one('Lines')).runners[0];
    const above = (await one('Lines', plus)).runners[0];
    expect(Object.keys(below).filter((name) => name.startsWith('betslip'))).toEqual([]);
    expect(below.best_win).not.toHaveProperty('betslip_url');
    expect(above).toMatchObject({ betslip_win_url: null, betslip_place_url: null, betslip_app_only: null });
    expect(above.best_place.betslip_url).toBeNull();
  });

  test.each([
    ['hours_ahead=25', 403],
    ['hours_ahead=169', 403],
    ['hours_ahead=0', 422],
    ['hours_ahead=24', 200],
    ['date=2026-11-22', 403],
    ['date=2026-11-21', 200],
    ['date=2026-11-20', 422],
    ['date=2026-11-21&hours_ahead=3', 422],
    ['num_races=151', 422],
    ['num_races=150', 200],
  ])('%s on Free is a %i', async (search, status) => {
    expect((await served.api.get(`${HERE}?${search}`, free)).status).toBe(status);
  });

  test('limit is an alias of num_races, and wins (A 4.3)', async () => {
    expect((await served.api.get(`${HERE}?num_races=3&limit=1`, free)).body).toHaveLength(1);
  });
});
