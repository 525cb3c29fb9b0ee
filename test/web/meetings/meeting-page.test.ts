// A meeting to print: no price without its book and the time of its response, none that is invented, and a bound on
// what a page reads.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { visibleRaceOf } from '../../../src/api/pages/shown/visible-race';
import type { LiveRace } from '../../../src/store/reads/races/find-races';
import { raceMarketOf } from '../../../src/web/board/race-market';
import { raceSheetOf } from '../../../src/web/board/sheet';
import { createMeetingDays } from '../../../src/web/meetings/days';
import { meetingsOfRaces } from '../../../src/web/meetings/grouped';
import { meetingMain } from '../../../src/web/meetings/meeting-page';
import type { MeetingSource, PrintedRace } from '../../../src/web/meetings/model';
import { createWeb } from '../../../src/web/routes';
import { meetingRace } from '../../support/pages/meeting-race';
import { book, NOW, race, runner } from '../board/live-race';

const DAY = '2026-11-21';
const [meeting] = meetingsOfRaces([meetingRace()], NOW);

function printedOf(over: Partial<LiveRace>): PrintedRace {
  const visible = visibleRaceOf(race(over), NOW);
  const readings = {
    marks: () => null,
    changes: { track: null, deductions: [] },
    market: raceMarketOf(visible, [], NOW),
  };
  return { sheet: raceSheetOf(visible, readings, NOW), outcome: null };
}

/** The rows of runners, as text. */
function rowsOf(over: Partial<LiveRace>): string[] {
  const html = meetingMain(meeting!, DAY, [printedOf(over)], { nowMs: NOW, today: DAY }).text;
  const body = /<tbody>([\s\S]*)<\/tbody>/.exec(html)![1]!;
  return body.split('</tr>').flatMap(
    (row) =>
      row
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim() || [],
  );
}

test('each best price has the newest of its books, the number of the others, and the time', () => {
  const books = [book('tab', [3, 2.5], 65), book('neds', [3, 2.4], 5), book('ladbrokes_au', [2.8, 2.4], 5)];
  const [first, second] = rowsOf({ books });
  expect(first).toMatch(/3\.00 Neds \+1, 12:59:55 pm/);
  expect(second).toMatch(/2\.50 TAB, 12:58:55 pm/);
});

test('a stale price is marked, a scratched runner has none, and unknown is a dash', () => {
  const runners = [runner(1), runner(2, { scratched: true }), runner(3)];
  const rows = rowsOf({ runners, books: [book('tab', [3, 2, null], 1800)] });
  expect(rows[0]).toMatch(/3\.00 all books|3\.00 TAB/);
  expect(rows[0]).toMatch(/stale/);
  expect(rows[1]).toMatch(/Scratched$/);
  expect(rows[1]).not.toMatch(/2\.00/);
  expect(rows[2]).toMatch(/– –$/);
});

test('a page reads at most twenty-four races, read together, once in five seconds for all visitors', async () => {
  const races = Array.from({ length: 40 }, (_, i) => meetingRace({ raceId: `r${i}`, raceNumber: i + 1 }));
  const reads: number[] = [];
  let nowMs = NOW;
  const live = {
    board: async () => ({ next: [], featured: null, jumped: [], outcomes: [] }),
    chart: async () => null,
    race: () => Promise.reject(),
  };
  const source: MeetingSource = {
    races: async (day) => (day === DAY ? races : []),
    ofVenue: async () => [],
    span: async () => ({ first: DAY, last: null }),
    record: async () => [],
    outcomes: async () => [],
    printed: async (raceIds) => {
      reads.push(raceIds.length);
      return raceIds.map(() => ({ race: visibleRaceOf(race({}), NOW), captured: [], outcome: null }));
    },
  };
  const meetings = createMeetingDays({ source, now: () => nowMs });
  const server = new Koa()
    .use(createWeb({ live, meetings, now: () => nowMs, speed: 1 }).routes())
    .listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/meeting`;
    const get = (path: string) => fetch(`${url}/${path}`);
    const pages = await Promise.all([1, 2, 3].map(() => get(`${DAY}/horse-flemington-1`)));
    expect([pages.map(({ status }) => status), reads]).toEqual([[200, 200, 200], [24]]);
    nowMs += 5000;
    await get(`${DAY}/horse-flemington-1`);
    expect(reads).toEqual([24, 24]);
    for (const none of [`${DAY}/horse-nowhere-1`, '2026-11-20/horse-flemington-1', `${DAY}/%00`])
      expect((await get(none)).status).toBe(404);
    expect(reads).toEqual([24, 24]);
    // Two days later its runners are not read at all.
    nowMs += 2 * 24 * 3_600_000;
    const old = await fetch(`${url}/${DAY}/horse-flemington-1`, { redirect: 'manual' });
    expect([old.status, old.headers.get('location'), reads]).toEqual([302, `/results/${DAY}`, [24, 24]]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
