// A 2.5, A 4.4: what is particular to consensus. Its arithmetic has its own tests (test/domain/market).

import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { addRace, type BookReport } from '../../../support/races/board';
import { feedField, feedRunner } from '../../../support/races/builders';

const HERE = '/v1/racing/consensus';
const NOW = Date.parse('2026-11-21T03:00:00.000Z');
const START = '2026-11-21T03:30:00.000Z';
const ago = (seconds: number): string => new Date(NOW - seconds * 1000).toISOString();

let served: Served;
let free: string;
let operator: string;
beforeAll(async () => {
  served = await serve();
  free = await served.addKey();
  operator = await served.addKey({ role: 'internal', plan: 'enterprise' });
});
afterAll(() => served.stop());

let races = 0;
/** Adds a race for the test and returns its id. */
async function race(books: Readonly<Record<string, BookReport>>, over: object = {}): Promise<string> {
  const listed = { venue: `Track ${++races}`, startTime: START, ...over };
  return (await addRace(served.db.pool, listed, books)).raceId;
}
const report = (...wins: (number | null)[]): BookReport => ({ runners: feedField(...wins) });
const get = (query: string, key = free) => served.api.get(`${HERE}?${query}`, key);
const read = async (raceId: string, more = '', key = free) => {
  const answer = await get(`race_id=${raceId}${more}`, key);
  expect(answer.status).toBe(200);
  expectConforms('consensus', answer.body);
  return answer.body;
};
type Body = Awaited<ReturnType<typeof read>>;
const reasons = ({ books_excluded }: Body) =>
  books_excluded.map((one: { bookmaker: string; reason: string }) => `${one.bookmaker} ${one.reason}`);
const probabilities = ({ runners }: Body) => runners.map((runner: { consensus_prob: number }) => runner.consensus_prob);

describe('the books', () => {
  let raceId: string;
  beforeAll(async () => {
    raceId = await race({
      betr_au: { ...report(1.5, 5.2, 9), at: ago(300) },
      ladbrokes_au: { ...report(1.5, 5, 9), at: ago(9) },
      neds: { ...report(1.52, 5, 8.5), at: ago(30) },
      palmerbet: { ...report(1.5, 201, 9), at: ago(20) },
      pointsbetau: { ...report(1.55, 4.8, null), at: ago(4) },
      tab: { ...report(1.48, 5.5, 9), at: ago(121) },
      unibet: { ...report(1.5, 4.9, 9.5), at: ago(120) },
      betfair_ex_au: report(1.6, 5.6, 10),
      pinnacle: report(1.61, 5.7, 11),
    });
  });

  test('fresh books that price the complete field are included; the others are excluded with the reason', async () => {
    const body = await read(raceId);
    expect([body.books_quoting, body.books_in_consensus]).toEqual([7, 3]);
    expect(reasons(body)).toEqual([
      'betr_au stale',
      'palmerbet partial_field',
      'pointsbetau partial_field',
      'tab stale',
    ]);
    const included = body.bookmakers.filter((one: { included: boolean }) => one.included);
    expect(included.map((one: { bookmaker: string }) => one.bookmaker)).toEqual(['ladbrokes_au', 'neds', 'unibet']);
    expect(body.bookmakers[1]).toEqual({
      bookmaker: 'ladbrokes_au',
      runners_priced: 3,
      overround_pct: -2.22,
      age_seconds: 9,
      last_update: ago(9),
      refresh_tier: 'live',
      stale: false,
      included: true,
      reason: null,
    });
    expect(body.bookmakers[4]).toMatchObject({ bookmaker: 'pointsbetau', runners_priced: 2, overround_pct: null });
  });

  test('a placeholder is dropped and listed', async () => {
    const body = await read(raceId);
    expect(body.excluded_quotes).toEqual([
      { bookmaker: 'palmerbet', number: 2, name: 'Runner 2', price: 201, consensus: 4.95 },
    ]);
    expect(body.runners[1]).toMatchObject({
      best_price: 5,
      best_bookmaker: 'ladbrokes_au',
      worst_price: 4.8,
      books: 3,
    });
  });

  test('a runner’s figures come from its quotes', async () => {
    const { runners, market } = await read(raceId);
    expect(runners[2].quotes.map((one: { bookmaker: string }) => one.bookmaker)).toEqual([
      'ladbrokes_au',
      'neds',
      'palmerbet',
      'unibet',
    ]);
    expect(runners[2]).toMatchObject({
      name: 'Runner 3',
      horse_ref: 'pe:runner3',
      scratched: false,
      median_price: 9,
      mean_price: 9,
      best_price: 9.5,
      worst_price: 8.5,
      price_spread_pct: 11.76,
      freshest_age_seconds: 9,
      oldest_age_seconds: 120,
    });
    const { consensus_prob: probability, consensus_price: price } = runners[2];
    expect(price).toBeCloseTo(1 / probability, 2);
    expect(runners[2].best_vs_consensus_pct).toBeCloseTo((9.5 * probability - 1) * 100, 2);
    expect(market).toMatchObject({ field_size: 3, best_price_market_pct: 95.04 });
    expect(probabilities({ runners }).reduce((a: number, b: number) => a + b, 0)).toBeCloseTo(1, 11);
  });

  test('the sum of the medians is reported before scaling to 1', async () => {
    const { market } = await read(raceId, '&method=multiplicative');
    const shares = [
      [1.5, 5, 9],
      [1.52, 5, 8.5],
      [1.5, 4.9, 9.5],
    ].map((prices) => prices.map((price) => 1 / price / prices.reduce((sum, one) => sum + 1 / one, 0)));
    const middle = (at: number): number => shares.map((one) => one[at]!).sort((a, b) => a - b)[1]!;
    const sum = middle(0) + middle(1) + middle(2);
    expect(Math.abs(sum - 1)).toBeGreaterThan(1e-4);
    expect(market.consensus_sum_before_normalisation).toBeCloseTo(sum, 11);
  });

  test('stale books count on request', async () => {
    const body = await read(raceId, '&include_stale=true');
    expect(reasons(body)).toEqual(['palmerbet partial_field', 'pointsbetau partial_field']);
    expect(body.method.include_stale).toBe(true);
    expect(body.bookmakers[0]).toMatchObject({ bookmaker: 'betr_au', stale: true, included: true });
    expect(body.runners[1]).toMatchObject({ best_price: 5.5, best_bookmaker: 'tab', oldest_age_seconds: 300 });
  });

  test('only the requested books count, but the field is still that of all books', async () => {
    const body = await read(raceId, '&bookmakers=pointsbetau,neds');
    expect([body.books_quoting, body.books_in_consensus, body.market.field_size]).toEqual([2, 1, 3]);
    expect(reasons(body)).toEqual(['pointsbetau partial_field']);
    expect(probabilities(body)).toEqual([null, null, null]);
    const alone = await read(raceId, '&bookmakers=neds&min_books=1&method=multiplicative');
    expect(alone.method).toMatchObject({ normalisation: 'multiplicative', min_books: 1 });
    expect(probabilities(alone)[1]).toBeCloseTo(1 / 5 / (1 / 1.52 + 1 / 5 + 1 / 8.5), 12);
  });

  test('a retired book may be named and is never compared', async () => {
    const body = await read(raceId, '&bookmakers=ponybet');
    expect([body.books_quoting, body.runners[0].quotes, body.market.field_size]).toEqual([0, [], 3]);
  });

  test('too few books give no consensus', async () => {
    const body = await read(raceId, '&min_books=4');
    expect(probabilities(body)).toEqual([null, null, null]);
    expect(body.market.consensus_sum_before_normalisation).toBeNull();
    expect(body.runners[0]).toMatchObject({ consensus_price: null, best_vs_consensus_pct: null, books: 3 });
  });

  test('an exchange is for operators only, and no caller receives a reference book (A 1)', async () => {
    const body = await read(raceId, '', operator);
    const keys = body.bookmakers.map((one: { bookmaker: string }) => one.bookmaker);
    expect(keys).toContain('betfair_ex_au');
    expect(keys).not.toContain('pinnacle');
    expect(body.runners[0]).toMatchObject({ best_price: 1.6, best_bookmaker: 'betfair_ex_au' });
    expect((await get(`race_id=${raceId}`)).text).not.toMatch(/betfair|pinnacle/);
  });

  test('the response carries its age, and keeps its tag while only time passes', async () => {
    const first = await get(`race_id=${raceId}&bookmakers=ladbrokes_au,neds`);
    expect(first.headers.get('x-data-age-seconds')).toBe('30');
    served.api.now += 5_000;
    const later = await get(`race_id=${raceId}&bookmakers=ladbrokes_au,neds`);
    served.api.now -= 5_000;
    expect(later.body.bookmakers[0].age_seconds).toBe(14);
    expect(later.headers.get('etag')).toBe(first.headers.get('etag'));
  });
});

describe('the runners', () => {
  test('the power method gives the golden table’s figures to 1e-12, rounding included', async () => {
    const raceId = await race({ neds: report(2.6, 2.4, 4.3), tab: report(2.6, 2.4, 4.3) });
    const golden = [0.372984404068709, 0.405107167456798, 0.221908428474493];
    probabilities(await read(raceId)).forEach((p: number, i: number) => {
      expect(Math.abs(p - golden[i]!)).toBeLessThan(1e-12);
    });
  });

  test('a scratched runner is in scratchings only, and no book needs to price it', async () => {
    const scratching = { at: ago(600), late: true, winDeduction: null, placeDeduction: null };
    const out = [...feedField(1.9, 1.95), feedRunner(3, { scratching })];
    const raceId = await race({ neds: { runners: out }, tab: report(1.9, 1.9, 4) });
    const body = await read(raceId);
    expect(body.runners.map((one: { number: number }) => one.number)).toEqual([1, 2]);
    expect(body.scratchings).toMatchObject([{ number: 3, late: true }]);
    expect([body.market.field_size, body.books_in_consensus]).toEqual([2, 2]);
  });

  test('a runner that no book prices is listed without figures and is not part of the field', async () => {
    const raceId = await race({ neds: report(1.9, 1.95, null), tab: report(1.9, 1.9) });
    const body = await read(raceId);
    expect([body.market.field_size, body.books_in_consensus]).toEqual([2, 2]);
    expect(body.runners[2]).toMatchObject({ number: 3, books: 0, consensus_prob: null, best_price: null, quotes: [] });
  });

  test('a race that no book prices has no consensus', async () => {
    const raceId = await race({ neds: { runners: feedField(null, null) } });
    const answer = await get(`race_id=${raceId}`);
    expect(answer.body).toMatchObject({ books_quoting: 0, bookmakers: [], market: { field_size: 0 } });
    expect(answer.headers.get('x-data-age-seconds')).toBeNull();
  });
});
