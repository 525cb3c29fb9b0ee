// The pages of price quality and their CSV: the figures of the archive with their counts, and nothing where nothing is
// known.
import { parse } from 'csv-parse/sync';
import { createPriceQualitySource } from '../../src/api/pages/price-quality-source';
import { createArchiveStore } from '../../src/store/archive/archive';
import { createReads } from '../../src/store/reads/reads';
import { priceQualityCsv } from '../../src/web/price-quality/csv';
import { priceQualityMain } from '../../src/web/price-quality/page';
import { createPriceQuality } from '../../src/web/price-quality/price-quality';
import { archivedRace } from '../support/races/archived-race';
import type { TimedQuotes } from '../support/races/polled-race';
import { createTestDatabase, type TestDatabase } from '../support/servers/database';
import { createBoardWorld } from './board-world';
import { pastRace } from './hour-race';

const NOW = Date.parse('2026-11-24T01:00:00Z');
let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** Every 100 seconds of the last hour. */
const steady = (...wins: (number | null)[]): TimedQuotes[] =>
  Array.from({ length: 37 }, (_, i): TimedQuotes => [3600 - i * 100, ...wins]);

const race = (startTime: string, raceNumber: number, books: Parameters<typeof archivedRace>[2]) =>
  archivedRace(db.pool, { startTime, raceNumber, country: 'AU', category: 'greyhound' }, books);

const quality = () =>
  createPriceQuality({ source: createPriceQualitySource(createReads(db.pool)), now: () => NOW, speed: 1 });

type Row = Readonly<Record<string, string>>;

async function rowsOf(name: string): Promise<readonly Row[]> {
  const csv = priceQualityCsv((await quality().of(name))!);
  expect(csv.endsWith('\r\n')).toBe(true);
  return parse(csv, { columns: true, record_delimiter: '\r\n', relax_column_count: false }) as Row[];
}

const cells = (page: string): string => page.replace(/<(?:\/t[hd]|small|\/?dd)[^>]*>/g, ' | ').replace(/<[^>]*>/g, '');

describe('two days of races', () => {
  let ids: string[];
  beforeAll(async () => {
    ids = [
      await race('2026-11-21T03:00:00.000Z', 1, {
        tab: steady(2, 4),
        neds: steady(2, 3),
        playup: [[3000, 2.2, 3.5]],
        betfair_ex_au: steady(9, 9),
        realbookie: steady(8, 8),
      }),
      // TAB is not read for the last eleven minutes.
      await race('2026-11-22T03:00:00.000Z', 2, { tab: steady(3, 3).slice(0, 30), neds: steady(2.5, null) }),
    ];
  });

  test('a day has each figure with its count, and a month the sum of its days', async () => {
    const [day, month] = [await rowsOf('2026-11-21'), await rowsOf('2026-11')];
    const at = (rows: readonly Row[], book: string, minutes: string) =>
      rows.find((row) => row.bookmaker_key === book && row.minutes_to_jump === minutes)!;
    expect([...new Set(day.map(({ bookmaker_key }) => bookmaker_key))]).toEqual(['neds', 'playup', 'tab']);
    expect(at(day, 'tab', '5')).toMatchObject({
      ...{ category: 'greyhound', bookmaker: 'TAB', races: '1', quoted: '2', age_known: '2', stale: '0' },
      ...{ compared: '2', best: '2', best_alone: '1', closes: '2', vs_close_pct: '0' },
    });
    // PlayUp may be 30 minutes old until six minutes before the jump.
    expect(at(day, 'playup', '30')).toMatchObject({ stale: '0', compared: '2', best: '1' });
    expect(at(day, 'playup', '5')).toMatchObject({
      stale: '2',
      compared: '0',
      best: '0',
      vs_close_pct: '',
      vs_fair_pct: '',
    });
    expect(at(day, 'neds', '30')).toMatchObject({ compared: '2', best: '0' });
    expect(at(month, 'tab', '5')).toMatchObject({ races: '2', quoted: '4', age_known: '4', stale: '2', compared: '2' });
    expect(at(month, 'neds', '5')).toMatchObject({ races: '2', quoted: '3', stale: '0', compared: '2', best: '1' });
  });

  test('the page has the figures of its CSV, in order of the marks, and names no exchange and no retired book', async () => {
    const view = (await quality().of('2026-11'))!;
    const page = cells(priceQualityMain(view, '2026-11-24').text);
    expect(page).toContain('TAB | 66.7% | 2 of 3 | 2 alone | 100.0% | 3 of 3 | 2 alone | 100.0% | 2 of 2 | 1 alone |');
    expect(page).toContain('More races will be added.');
    expect(page).toContain('Ages are known from Sat 21 Nov; before that');
    expect(page).not.toMatch(/Betfair|RealBookie/);
    expect(view.days).toEqual(['2026-11-21', '2026-11-22']);
  });

  test('a price of unknown age still counts, and no share of stale ones is shown', async () => {
    await db.pool.query('DELETE FROM poll_gaps');
    for (const id of ids) await createArchiveStore(db.pool).rewrite(id, '2026-11-23T00:00:00.000Z');
    const rows = await rowsOf('2026-11');
    expect(rows.map(({ age_known, stale }) => [age_known, stale])).toEqual(rows.map(() => ['0', '']));
    const view = (await quality().of('2026-11'))!;
    expect(view.checkedFrom).toBeNull();
    const page = cells(priceQualityMain(view, '2026-11-24').text);
    expect(page).toContain('No age is known yet');
    expect(page.split('Stale prices')[1]!.split('Placeholders')[0]).not.toMatch(/\d of \d/);
  });

  test('only days and months with figures have a page; many viewers are one reading', async () => {
    const source = createPriceQualitySource(createReads(db.pool));
    let read = 0;
    const counting = { ...source, rows: (from: string, to: string) => source.rows(from, to).finally(() => read++) };
    const pages = createPriceQuality({ source: counting, now: () => NOW, speed: 1 });
    const names = ['2026-13', '2026-10', '2026-11-23', '2026-02-30', '2026', '2026-11-2', 'x', '2026-1 1'];
    expect(await Promise.all(names.map((name) => pages.of(name)))).toEqual(names.map(() => null));
    expect(read).toBe(0);
    const views = await Promise.all(Array.from({ length: 50 }, () => pages.newest()));
    expect([views[49]!.period, read]).toEqual([{ name: '2026-11', from: '2026-11-01', to: '2026-11-30' }, 1]);
    expect(await pages.of('2026-11')).toBe(views[0]);
  });
});

test.each([
  ['2026-11-23', '2026-11-23T13:01:00Z', true],
  ['2026-11-23', '2026-11-24T12:59:00Z', true],
  ['2026-11-23', '2026-11-24T13:01:00Z', false],
  ['2026-11', '2026-11-30T13:01:00Z', true],
  ['2026-11', '2026-12-01T13:01:00Z', false],
])('races of %s may be added until the end of the day after it: at %s %p', async (name, now, isOpen) => {
  const source = { days: async () => [{ day: '2026-11-23', checked: true }], rows: async () => [] };
  const pages = createPriceQuality({ source, now: () => Date.parse(now), speed: 1 });
  expect((await pages.of(name))!.isOpen).toBe(isOpen);
});

test('an installation without archived races says so and shows no figure', async () => {
  const source = { days: async () => [], rows: async () => [] };
  const view = await createPriceQuality({ source, now: () => NOW, speed: 1 }).newest();
  const page = cells(priceQualityMain(view, '2026-11-24').text);
  expect(page).toContain('No race of November 2026 has been counted yet.');
  expect(page).not.toContain('%');
});

test('a page costs little processor time, however large its figures', async () => {
  const marks = { quoted: 99_999, checked: 99_999, stale: 999, placeholders: 99, compared: 98_000, best: 30_000 };
  const sums = { bestAlone: 9000, closes: 98_000, closeSum: -1_234_567, fairs: 98_000, fairSum: 765_432, races: 9999 };
  const rows = (['horse', 'greyhound', 'harness'] as const).flatMap((category) =>
    Array.from({ length: 20 }, (_, i) => `book${i}`).flatMap((bookmaker) =>
      ([30, 10, 5, 1] as const).map((minutes) => ({
        category,
        bookmaker,
        title: bookmaker,
        minutes,
        ...marks,
        ...sums,
      })),
    ),
  );
  const source = { days: async () => [{ day: '2026-11-21', checked: true }], rows: async () => rows };
  const view = (await createPriceQuality({ source, now: () => NOW, speed: 1 }).of('2026-11'))!;
  priceQualityMain(view, '2026-11-24');
  const before = process.cpuUsage();
  for (let i = 0; i < 10; i++) priceQualityMain(view, '2026-11-24');
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 10_000).toBeLessThan(30);
});

test('over HTTP: a page and a CSV that browsers may store, and a 404 for a month without figures', async () => {
  const world = await createBoardWorld();
  try {
    await pastRace(world);
    const page = await fetch(`${world.url}/price-quality`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const text = await page.text();
    expect(text).toContain('<h1 id="page-title">Which bookmaker had the best price, November 2026</h1>');
    expect(text).not.toMatch(/Betfair|Pinnacle/);
    const csv = await fetch(`${world.url}/price-quality/2026-11-21.csv`);
    expect([csv.status, csv.headers.get('content-type'), csv.headers.get('cache-control')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'public, max-age=300',
    ]);
    const headers = { 'If-None-Match': csv.headers.get('etag')! };
    expect((await fetch(`${world.url}/price-quality/2026-11-21.csv`, { headers })).status).toBe(304);
    for (const path of ['2026-10', '2026-10.csv', '2026-10-01', 'x.csv'])
      expect([path, (await fetch(`${world.url}/price-quality/${path}`)).status]).toEqual([path, 404]);
  } finally {
    await world.close();
  }
});
