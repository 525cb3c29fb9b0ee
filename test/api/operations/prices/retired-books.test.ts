// A retired book's key may still be named in `bookmakers=` (A 1), and clients name foreign ones (reference-shapes 11);
// none of their prices is compared.

import { type Served, serve } from '../../../support/api/served';
import { addRace } from '../../../support/races/board';
import { feedRunner } from '../../../support/races/builders';

let served: Served;
let key: string;
beforeAll(async () => {
  served = await serve();
  key = await served.addKey();
  await addRace(
    served.db.pool,
    { startTime: '2026-11-21T03:10:00.000Z' },
    // Left over from before the book was retired, and better than any other.
    { tab: { runners: [feedRunner(1, { win: 3 })] }, dafabet: { runners: [feedRunner(1, { win: 9 })] } },
  );
});
afterAll(() => served.stop());

const RETIRED = ['realbookie', 'winnersbet', 'dafabet', 'premiumbet', 'ponybet', 'stablebet'];
const FOREIGN = ['ladbrokes_uk', 'williamhill', 'betway_uk'];

test.each([...RETIRED, ...FOREIGN])('%s is accepted', async (book) => {
  for (const path of ['next-to-go', 'best-odds']) {
    const { status } = await served.api.get(`/v1/racing/${path}?bookmakers=tab,${book}`, key);
    expect(status).toBe(200);
  }
});

test('a retired book’s remaining prices are never the best', async () => {
  for (const query of ['', '?bookmakers=tab,dafabet']) {
    const [race] = (await served.api.get(`/v1/racing/best-odds${query}`, key)).body;
    expect(race).toMatchObject({ books_compared: 1, runners: [{ best_win: { bookmaker: 'tab', price: 3 } }] });
  }
});
