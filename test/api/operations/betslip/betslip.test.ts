// Betslip links on next-to-go and best-odds (A 2.3, A 2.4 rule 6): absent below Plus, null without a route or a passed
// check.
import { createBetslipStore } from '../../../../src/store/betslip';
import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { addRace } from '../../../support/races/board';
import { feedRunner } from '../../../support/races/builders';

let served: Served;
let plus: string;
let standard: string;
let tabRace: string;

const PAGE = 'https://www.ladbrokes.com.au/racing/flemington/e1';

beforeAll(async () => {
  served = await serve();
  plus = await served.addKey({ plan: 'growth' });
  standard = await served.addKey({ plan: 'standard' });
  const ids = (id: string) => ({ sourceIds: { win: id, place: id } });
  const { raceId } = await addRace(
    served.db.pool,
    { startTime: '2026-11-21T03:10:00.000Z' },
    {
      ladbrokes_au: {
        sourceUrl: PAGE,
        runners: [feedRunner(1, { win: 5, place: 2, ...ids('a1') }), feedRunner(2, { win: 3, ...ids('a2') })],
      },
      tab: { runners: [feedRunner(1, { win: 4, place: 2.2, top2: 2, ...ids('91') }), feedRunner(2, { win: 3.2 })] },
      // No route at all.
      pointsbetau: { runners: [feedRunner(1, { win: 4.5 }), feedRunner(2, { win: 2.9 })] },
    },
  );
  const { rows } = await served.db.pool.query(
    "SELECT source_race_id FROM race_books WHERE race_id = $1 AND bookmaker_key = 'tab'",
    [raceId],
  );
  tabRace = rows[0].source_race_id;
});
afterAll(() => served.stop());

interface Slip {
  readonly key: string;
  readonly betslip_win_url?: string | null;
}

async function quotesOf(key: string) {
  const { body } = await served.api.get('/v1/racing/next-to-go', key);
  expectConforms('next_to_go', body);
  const rows: { bookmakers: Slip[] }[] = body[0].runners;
  return rows.map((row) => Object.fromEntries(row.bookmakers.map((book) => [book.key, book])));
}

async function bestOf(key: string) {
  // A cached response is of an earlier instant.
  served.api.now += 20_000;
  const { body } = await served.api.get('/v1/racing/best-odds', key);
  expectConforms('racing_best_odds', body);
  return body[0].runners;
}

const links = (win: string | null, place: string | null, appOnly: boolean | null) => ({
  betslip_win_url: win,
  betslip_place_url: place,
  betslip_app_only: appOnly,
});

test('below Plus no betslip member is present', async () => {
  for (const answer of [await quotesOf(standard), await bestOf(standard)]) {
    expect(JSON.stringify(answer)).not.toContain('betslip');
  }
});

test('on Plus each quote has its links; a missing market or id has none', async () => {
  const [first, second] = await quotesOf(plus);
  expect(first!.ladbrokes_au).toMatchObject(links(`${PAGE}/a1/fw`, `${PAGE}/a1/fp`, true));
  const tab = `https://tab.example/add/${encodeURIComponent(tabRace)}/91`;
  expect(first!.tab).toMatchObject(links(tab, tab, false));
  expect(first!.pointsbetau).toMatchObject(links(null, null, null));
  expect(second!.ladbrokes_au).toMatchObject(links(`${PAGE}/a2/fw`, null, true));
  expect(second!.tab).toMatchObject(links(null, null, null));
});

test('best-odds links the books of the best prices', async () => {
  const [first, second] = await bestOf(plus);
  expect(first.best_win).toMatchObject({ bookmaker: 'ladbrokes_au', betslip_url: `${PAGE}/a1/fw` });
  expect(first.best_place).toMatchObject({ bookmaker: 'tab', betslip_url: expect.stringContaining('tab.example') });
  expect(first.best_top2).toMatchObject({ bookmaker: 'tab', betslip_url: null });
  expect(first).toMatchObject(links(`${PAGE}/a1/fw`, first.best_place.betslip_url, true));
  expect(second.best_win).toMatchObject({ bookmaker: 'tab', betslip_url: null });
  expect(second).toMatchObject(links(null, null, null));
});

test('a failed check removes only that book’s links; a passed check restores them', async () => {
  const store = createBetslipStore(served.db.pool);
  const check = { bookmakerKey: 'ladbrokes_au', links: 3, failed: 3, message: '404' };
  await store.recordCheck({ ...check, at: '2026-11-21T02:00:00.000Z', ok: false });
  expect((await quotesOf(plus))[0]!.ladbrokes_au).toMatchObject(links(null, null, null));
  expect((await quotesOf(plus))[0]!.tab).toMatchObject({ betslip_app_only: false });
  expect((await bestOf(plus))[0].best_win).toMatchObject({ bookmaker: 'ladbrokes_au', betslip_url: null });
  // A check made before and stored after changes nothing.
  await store.recordCheck({ ...check, at: '2026-11-21T01:00:00.000Z', ok: true, failed: 0, message: null });
  expect((await bestOf(plus))[0].best_win.betslip_url).toBeNull();
  await store.recordCheck({ ...check, at: '2026-11-21T03:00:00.000Z', ok: true, failed: 0, message: null });
  expect((await bestOf(plus))[0].best_win.betslip_url).toBe(`${PAGE}/a1/fw`);
});
