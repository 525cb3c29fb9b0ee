// The lists of past races: coverage in words, the outcome of each race, and where the links end.
import { dayMain, daysMain } from '../../../src/web/past/day-pages';
import type { PastDay, PastRaceRow } from '../../../src/web/past/model';
import { createPastRaces } from '../../../src/web/past/past-races';
import type { PastSource } from '../../../src/web/past/source';

const TODAY = '2026-01-02';
const DAY: PastDay = { day: '2025-12-31', run: 3, archived: 2, closed: 1, without: { last_seen_only: 1 } };
const RACE: PastRaceRow = {
  raceId: 'a',
  category: 'horse',
  country: 'AU',
  venue: 'Kembla <i>Grange</i>',
  raceNumber: 2,
  startMs: Date.parse('2025-12-31T02:00:00Z'),
  outcome: 'closed',
  resultStatus: 'final',
  winners: [{ number: 4, name: 'Jade & Co' }],
  closes: 110,
  books: 11,
};

const sourceOf = (more: Partial<PastSource>, archiveFrom = '2025-11-01T00:00:00Z'): PastSource => ({
  archiveFromMs: async () => Date.parse(archiveFrom),
  days: async (days) => days.map((day) => ({ ...DAY, day, run: day === TODAY ? 0 : 1 })),
  races: async () => [RACE],
  race: async () => null,
  ...more,
});

test('a day has its counts and why a race has no close; what is not archived is marked as pending', () => {
  const page = daysMain({ days: [DAY], since: DAY.day, older: '2025-12-03' }, TODAY).text;
  expect(page).toContain('<a href="/past/2025-12-31">Wed 31 Dec 2025</a>');
  expect(page).toMatch(/>3<\/td>.*>2 <span class="tag tag-warn">1 to come<\/span>.*>1<\/td>.*>1 last seen too early</);
  expect(page).toContain('href="/past?until=2025-12-03"');
  expect(daysMain({ days: [], since: null, older: null }, TODAY).text).toContain('No race has been run yet.');
});

test('where most races have no price, the page says since when there are closing lines', () => {
  const unpriced = (no_prices: number): PastDay => ({ ...DAY, run: 5, archived: 5, closed: 0, without: { no_prices } });
  const pages = (day: PastDay, since: string | null) => [
    daysMain({ days: [DAY, day], since, older: null }, TODAY).text,
    dayMain({ coverage: day, races: [], since, before: null }, TODAY).text,
  ];
  for (const page of pages(unpriced(3), '2025-12-30'))
    expect(page).toContain('This service has collected closing lines since Tue 30 Dec 2025.');
  for (const page of pages(unpriced(3), null)) expect(page).toContain('No closing line has been collected yet.');
  for (const page of pages(unpriced(2), '2025-12-30')) expect(page).not.toContain('collected');
});

test('a race has its winner and its closes, as text', () => {
  const races = [
    RACE,
    { ...RACE, resultStatus: 'abandoned' as const, outcome: 'abandoned' as const, winners: [] },
    { ...RACE, resultStatus: null, outcome: null, winners: [] },
    { ...RACE, winners: [1, 2].map((number) => ({ number, name: null })), outcome: 'no_prices' as const },
  ];
  const page = dayMain({ coverage: DAY, races, since: DAY.day, before: null }, TODAY).text;
  expect(page).toContain(
    '3 races have left the board: 2 archived, 1 with a closing line. Without one: 1 last seen too early.',
  );
  expect(page).toContain('Kembla &lt;i&gt;Grange&lt;/i&gt;');
  const rows = page
    .split('<li>')
    .slice(1)
    .map((row) => row.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' '));
  expect(rows[0]).toMatch(/1st 4 Jade &amp; Co 110 closes , 11 books/);
  expect(rows[1]).toMatch(/Abandoned –/);
  expect(rows[2]).toMatch(/no result not archived yet/);
  expect(rows[3]).toMatch(/1 – = 2 – no price captured/);
});

test('the links to other days end today and where the archive begins; an earlier day has no page', async () => {
  const past = createPastRaces({
    source: sourceOf({ races: async (day) => (day === '2025-12-29' ? [RACE] : []) }, '2025-12-29T14:00:00Z'),
    now: () => Date.parse('2026-01-02T05:00:00Z'),
  });
  const links = async (day: string) => {
    const view = await past.day(day);
    return view && [...dayMain(view, TODAY).text.matchAll(/href="\/past\/([\d-]+)"/g)].map(([, to]) => to);
  };
  expect(await links('2025-12-31')).toEqual(['2025-12-30', '2026-01-01']);
  expect(await links(TODAY)).toEqual(['2026-01-01']);
  // The archive begins after midnight in Sydney; a race of the previous day is not archived, but shown.
  expect(await links('2025-12-30')).toEqual(['2025-12-31']);
  expect(await links('2025-12-29')).toEqual(['2025-12-30']);
  expect(await links('2025-12-28')).toBeNull();
});

test('only past days are read, four weeks at a time, and only valid ids', async () => {
  const read: string[] = [];
  const source = sourceOf({
    race: async (raceId) => {
      read.push(raceId);
      return null;
    },
  });
  const past = createPastRaces({ source, now: () => Date.parse('2026-01-02T05:00:00Z') });
  const { days, since, older } = await past.days('2030-01-01');
  expect([days.length, days[0]!.day, since, older]).toEqual([27, '2026-01-01', '2025-11-01', '2025-12-05']);
  expect((await past.days('2025-11-10')).older).toBeNull();
  expect(await past.day('2026-01-03')).toBeNull();
  expect(await past.day('2025-02-30')).toBeNull();
  expect((await past.day(TODAY))?.races).toEqual([RACE]);
  expect(await past.race('x')).toBeNull();
  expect(await past.chart('00000000-0000-4000-8000-000000000000')).toBeNull();
  expect(read).toEqual(['00000000-0000-4000-8000-000000000000']);
});
