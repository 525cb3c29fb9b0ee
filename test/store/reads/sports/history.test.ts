// Pages of captured prices: whole matches, limited by matches and by snapshots, so that no response is large.
import { uuidOf } from '../../../../src/simulator/world/random';
import {
  HISTORY_MATCHES,
  type MatchHistory,
  MOST_SNAPSHOTS,
  PAGE_SNAPSHOTS,
  readSportHistory,
} from '../../../../src/store/reads/sports/series';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database';
import { addMadeMatch } from '../../../support/sports/made-ticks';

let db: TestDatabase;
const at = (hours: number): string => new Date(Date.parse('2026-11-01T00:00:00Z') + hours * 3_600_000).toISOString();

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** Matches of a sport with this many captures each, one a minute before the start, at two books in turn. */
async function add(sportKey: string, sizes: readonly number[]): Promise<void> {
  for (const [i, size] of sizes.entries()) {
    const eventId = uuidOf(3, `${sportKey} ${i}`);
    const commenceTime = at(600 - i);
    await addMadeMatch(db, { eventId, sportKey, commenceTime });
    await db.pool.query(
      `INSERT INTO sport_ticks (event_id, bookmaker_key, market, captured_at, home_price, away_price)
       SELECT $1, CASE WHEN n % 2 = 0 THEN 'tab' ELSE 'neds' END, 'h2h', $2::timestamptz - n * interval '10 seconds', 1 + n / 1000.0, 2
         FROM generate_series(1, $3) n`,
      [eventId, commenceTime, size],
    );
  }
}

const all = { market: 'h2h', bookmakers: ['tab', 'neds'], from: at(0), until: at(700) } as const;
const read = (sportKey: string, offset: number, over: object = {}) =>
  readSportHistory(db.pool, { ...all, sportKey, offset, ...over });
const sizeOf = (page: readonly MatchHistory[]): number =>
  page.reduce((sum, { snapshots }) => sum + snapshots.length, 0);

/** As the document states it: the matches of each page are added to the offset, until a page has fewer of both. */
async function everyPage(sportKey: string): Promise<readonly (readonly MatchHistory[])[]> {
  const pages: (readonly MatchHistory[])[] = [];
  for (let offset = 0; pages.length < 20; ) {
    const page = await read(sportKey, offset);
    pages.push(page);
    if (page.length < HISTORY_MATCHES && sizeOf(page) < PAGE_SNAPSHOTS) return pages;
    offset += page.length;
  }
  throw new Error('the pages do not end');
}

test('a page of large matches ends with the match that fills it, and every match is on one page', async () => {
  const sizes = [2500, 1999, 2000, 1000, 2000, 1500, 40, 3000, 2000, 2000, 2000, 2000, 1999, 1, 5];
  await add('nrl', sizes);
  const pages = await everyPage('nrl');
  expect(pages.map((page) => page.length)).toEqual([6, 6, 3]);
  for (const page of pages) expect(sizeOf(page)).toBeLessThan(PAGE_SNAPSHOTS + MOST_SNAPSHOTS);
  const matches = pages.flat();
  expect(matches.map(({ event_id: id }) => id)).toEqual(sizes.map((_, i) => uuidOf(3, `nrl ${i}`)));
  expect(matches.map(({ snapshots }) => snapshots.length)).toEqual(sizes.map((size) => Math.min(size, MOST_SNAPSHOTS)));
  expect(matches.map(({ truncated }) => truncated)).toEqual(sizes.map((size) => size > MOST_SNAPSHOTS));
  // The snapshots of a truncated match before its oldest one are read with that as the end of the span.
  const [first] = matches;
  const oldest = first!.snapshots.at(-1)!.recorded_at;
  const [rest] = await read('nrl', 0, { until: oldest });
  expect([rest!.event_id, rest!.snapshots.length, rest!.truncated]).toEqual([first!.event_id, 500, false]);
  expect(rest!.snapshots[0]!.recorded_at < oldest).toBe(true);
});

test('small matches are 25 a page, each with its snapshots newest first', async () => {
  await add('afl', Array(27).fill(3));
  const pages = await everyPage('afl');
  expect(pages.map((page) => page.length)).toEqual([25, 2]);
  expect(pages[0]![0]).toMatchObject({
    sport_key: 'afl',
    commence_time: at(600),
    truncated: false,
    snapshots: [
      { bookmaker: 'neds', home_price: 1.001, away_price: 2, draw_price: null, home_point: null },
      { bookmaker: 'tab', home_price: 1.002 },
      { bookmaker: 'neds', home_price: 1.003 },
    ],
  });
  const [tab] = await read('afl', 0, { bookmakers: ['tab'] });
  expect(tab!.snapshots).toMatchObject([{ bookmaker: 'tab', home_price: 1.002 }]);
  expect(await read('afl', 27)).toEqual([]);
  expect(await read('afl', 0, { market: 'totals' })).toEqual([]);
});

test('five matches at the maximum size fill a page, and the sixth starts the next', async () => {
  await add('nba', Array(6).fill(2000));
  expect((await everyPage('nba')).map((page) => page.length)).toEqual([5, 1]);
});
