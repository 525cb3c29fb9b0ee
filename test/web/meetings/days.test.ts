// The pages of a day: which days have one, the choice of meetings and its addresses, and what a cell says.

import { racesMain } from '../../../src/web/meetings/day-page';
import { createMeetingDays } from '../../../src/web/meetings/days';
import { EVERY_MEETING, filterQuery, meetingFilter } from '../../../src/web/meetings/filter';
import type { MeetingSource } from '../../../src/web/meetings/model';
import { pageOfResults, resultsMain } from '../../../src/web/meetings/results-page';
import { meetingRace, NOON } from '../../support/pages/meeting-race';

const DAY = '2026-11-21';
const options = { nowMs: NOON, today: DAY, filter: EVERY_MEETING };
const dayOf = (...races: ReturnType<typeof meetingRace>[]) => ({ day: DAY, races, before: null, after: null });
const textOf = (html: string): string => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

test('days have a page from the first race to the last, and always today and tomorrow', async () => {
  const read: string[] = [];
  const spanned = (first: string | null, last: string | null) => {
    const source: MeetingSource = {
      races: async (day) => {
        read.push(day);
        return [];
      },
      span: async () => ({ first, last }),
      ofVenue: async () => [],
      record: async () => [],
      outcomes: async () => [],
      printed: async () => [],
    };
    return createMeetingDays({ source, now: () => NOON });
  };
  const empty = spanned(null, null);
  expect(await empty.day(DAY)).toMatchObject({ before: null, after: '2026-11-22' });
  expect(await empty.day('2026-11-22')).toMatchObject({ before: DAY, after: null });
  expect(await empty.day('2026-11-20')).toBeNull();
  const filled = spanned('2026-11-19', '2026-11-24');
  expect(await filled.day('2026-11-19')).toMatchObject({ before: null, after: '2026-11-20' });
  expect(await filled.day('2026-11-24')).toMatchObject({ after: null });
  for (const none of ['2026-11-18', '2026-11-25', '2026-02-30', 'x']) expect(await filled.day(none)).toBeNull();
  expect(await empty.days('2026-11-14', '2026-11-23')).toEqual([DAY, '2026-11-22']);
  expect(await filled.days('2026-11-20', '2026-11-23')).toEqual(['2026-11-20', DAY, '2026-11-22', '2026-11-23']);
  expect(await filled.days('2026-11-14', '2026-11-30')).toHaveLength(6);
  expect(read).toEqual([DAY, '2026-11-22', '2026-11-19', '2026-11-24']);
});

test('meetings link to their own page while the day may change: until the day after', () => {
  const links = (today: string, nowMs: number): boolean =>
    racesMain(dayOf(meetingRace()), { ...options, today, nowMs }).text.includes('href="/meeting/');
  const days = (n: number): number => NOON + n * 24 * 3_600_000;
  expect([links('2026-11-21', days(0)), links('2026-11-22', days(1)), links('2026-11-23', days(2))]).toEqual([
    true,
    true,
    false,
  ]);
});

test('a choice has one address, whatever was sent', () => {
  const address = (query: Record<string, unknown>, page?: number) => filterQuery(meetingFilter(query), page);
  expect(address({})).toBe('');
  expect(address({ state: 'VIC', code: 'horse', country: 'AU' })).toBe('?code=horse&country=AU&state=VIC');
  expect(address({ code: 'camel', country: '"><b>', state: ['VIC', 'WA'] })).toBe('');
  expect(address({ code: 'greyhound' }, 3)).toBe('?code=greyhound&page=3');
});

test('a choice shows its meetings alone, and every other choice is a link that keeps the rest', () => {
  const races = [
    meetingRace(),
    meetingRace({ raceId: 'b', venue: 'Ascot', venueId: 'ascot', state: 'WA' }),
    meetingRace({ raceId: 'c', venue: 'Ellerslie', venueId: 'ellerslie', country: 'NZ', state: null }),
    meetingRace({ raceId: 'd', category: 'greyhound', venue: 'Meadows', venueId: 'meadows' }),
  ];
  const page = racesMain(dayOf(...races), { ...options, filter: meetingFilter({ code: 'horse', state: 'VIC' }) }).text;
  expect([...page.matchAll(/<h3><a href="[^"]+">(\w+)/g)].map(([, venue]) => venue)).toEqual(['Flemington']);
  expect(page).toContain('<a href="/races/2026-11-21?code=horse&amp;state=WA">WA</a>');
  expect(page).toContain('<a href="/races/2026-11-21?state=VIC">All codes</a>');
  expect(page).toContain('<a href="/races/2026-11-21?code=horse&amp;state=VIC" aria-current="true">Thoroughbred</a>');
  const none = racesMain(dayOf(...races), { ...options, filter: meetingFilter({ country: 'FR' }) }).text;
  expect(none).toContain('No meeting of this day fits this choice.');
});

test('a meeting has its state and track with the time of its change; unknown is a dash or left out', () => {
  const races = [
    meetingRace({ trackCondition: 'Good4', trackChangedMs: NOON - 3_600_000, weather: 'OCAST' }),
    meetingRace({ raceId: 'b', category: 'harness', venue: 'Somewhere', state: null, country: null }),
  ];
  const [, known, unknown] = textOf(racesMain(dayOf(...races), options).text).split(/(?=Flemington State|Somewhere)/);
  expect(known).toMatch(/State VIC Country AU 2:10 pm AEDT Track Good \(4\) since 1:00 pm AEDT Overcast R4/);
  expect(unknown).toMatch(/^Somewhere Country – 2:10 pm AEDT Track – R4/);
});

test('a cell has the time, the winner or the state of its race', () => {
  const ago = (minutes: number) => ({ startMs: NOON - minutes * 60_000 });
  const won = (status: 'interim' | 'final', ...numbers: number[]) => ({
    result: { status, winners: numbers.map((number) => ({ number, name: 'Jade <b>' })) },
  });
  const races = [
    meetingRace({ raceId: 'a', raceNumber: 1, ...ago(200), ...won('final', 4, 7) }),
    meetingRace({ raceId: 'b', raceNumber: 2, ...ago(190), ...won('interim', 2) }),
    meetingRace({ raceId: 'c', raceNumber: 3, ...ago(150) }),
    meetingRace({ raceId: 'd', raceNumber: 4, ...ago(5) }),
    meetingRace({ raceId: 'e', raceNumber: 5, facts: { ...meetingRace().facts, status: 'abandoned' } }),
    meetingRace({ raceId: 'f', raceNumber: 6 }),
    meetingRace({ raceId: 'g', raceNumber: 7, startMs: NOON + 40 * 60_000 }),
  ];
  const page = racesMain(dayOf(...races), options).text;
  expect(page).toContain('title="1st: 4 Jade &lt;b&gt;, 7 Jade &lt;b&gt;"');
  const cells = page.split('<li><a class="cell').slice(1);
  expect(cells.map((cell) => textOf(`<a class="${cell.split('</li>')[0]}`).trim())).toEqual([
    'R1 won by 4 7',
    'R2 won by 2 interim',
    'R3 No result',
    'R4 Jumped',
    'R5 Abandoned',
    'R6 2:10 pm AEDT 10m 00s',
    'R7 2:40 pm AEDT',
  ]);
  // Results of races in Hong Kong are not shown, so none is missing.
  const abroad = racesMain(dayOf(meetingRace({ country: 'HK', ...ago(600) })), options).text;
  expect(textOf(abroad)).toMatch(/R4 Jumped/);
});

test('results have some meetings a page; a page past the last is the last, and each races id is asked for once', () => {
  const races = Array.from({ length: 19 }, (_, i) =>
    meetingRace({ raceId: `r${i}`, venueId: `v${i}`, venue: `V${i}`, result: { status: 'final', winners: [] } }),
  );
  const day = dayOf(...races, meetingRace({ raceId: 'open' }));
  const pages = [1, 2, 3, 9].map((wanted) => pageOfResults(day, options, wanted));
  expect(pages.map(({ number, of, meetings }) => [number, of, meetings.length])).toEqual([
    [1, 3, 8],
    [2, 3, 8],
    [3, 3, 3],
    [3, 3, 3],
  ]);
  const ids = pages.slice(0, 3).flatMap(({ raceIds }) => raceIds);
  expect(ids.toSorted()).toEqual(races.map(({ raceId }) => raceId).toSorted());
  const page = resultsMain(day, pages[1]!, [], options).text;
  expect(page).toContain('href="/results/2026-11-21">Meetings before</a>');
  expect(page).toContain('href="/results/2026-11-21?page=3">More meetings</a>');
  expect(page).toContain('19 results of 20 races');
});
