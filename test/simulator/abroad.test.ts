// The meetings abroad as our own feeds read them from the simulated books: which books list them, how they name the
// country, and which quote them.
import type { BookListing, BookSnapshot } from '../../src/domain/race/feed-race';
import { addDays, aetDayBounds } from '../../src/domain/time/aet';
import type { Feed, FeedReply } from '../../src/feeds/feed';
import { CONNECTED_BOOKS, createFeeds } from '../../src/feeds/registry';
import { createSimulator, type Simulator } from '../../src/simulator/http/server';
import type { Meeting } from '../../src/simulator/world/race';
import { firstStartMs } from '../../src/simulator/world/story/race-times';
import type { Abroad } from '../../src/simulator/world/tracks';
import { createWorld } from '../../src/simulator/world/world';
import { PATIENT_MS } from '../support/patient';

const DAY = '2026-11-21';
const NEXT_DAY = '2026-11-22';
const MINUTE = 60_000;

const clock = { nowMs: 0 };
let simulator: Simulator;
let feeds: ReadonlyMap<string, Feed>;

beforeAll(async () => {
  simulator = createSimulator({ seed: 'a', now: () => clock.nowMs });
  const url = await simulator.listen(0);
  const who = { contact: 'ops@racing-odds.example', partner: 'racing-odds-service', timeoutMs: PATIENT_MS };
  feeds = createFeeds(
    Object.fromEntries(CONNECTED_BOOKS.map((key) => [key, { baseUrl: `${url}/${key}`, ...who }])),
    () => clock.nowMs,
  );
});
afterAll(() => simulator.close());

const abroadOn = (day: string): readonly Meeting[] =>
  simulator.world.meetings(day).filter(({ track }) => track.abroad !== null);
const meetingOf = (role: Abroad, day: string): Meeting => abroadOn(day).find(({ track }) => track.abroad === role)!;
const beginsMs = ({ races }: Meeting): number => firstStartMs(races[0]!);

function valueIn<T>(reply: FeedReply<T>): T {
  if (reply.kind !== 'ok') throw new Error(`${reply.kind} ${JSON.stringify(reply)}`);
  return reply.value;
}

const VENUES = ['Sha Tin', 'Happy Valley', 'Veliefendi', 'Newmarket', 'Saratoga', 'Keeneland'];

const isCalled = (venue: string, name: string): boolean => venue.toLowerCase().startsWith(name.toLowerCase());

async function listedAbroad(key: string, day: string): Promise<readonly BookListing[]> {
  const races = valueIn(await feeds.get(key)!.listRaces(day));
  return races.filter(({ venue, category }) => category === 'horse' && VENUES.some((name) => isCalled(venue, name)));
}

/** Each book's meetings abroad with their country, first race first. Books without such meetings are left out. */
async function listedOn(day: string): Promise<Record<string, string[]>> {
  const entries = await Promise.all(
    CONNECTED_BOOKS.map(async (key) => {
      const rows = await listedAbroad(key, day);
      return [key, [...new Set(rows.map(({ venue, country }) => `${venue} ${country}`))].sort()] as const;
    }),
  );
  return Object.fromEntries(entries.filter(([, meetings]) => meetings.length > 0));
}

test('every day has a Hong Kong race night, an international meeting and one whose country comes late, inside the Sydney day', () => {
  const world = createWorld({ seed: 'b' });
  for (const day of [...Array.from({ length: 7 }, (_, i) => addDays(DAY, i)), '2026-10-04', '2027-04-04']) {
    const meetings = world.meetings(day).filter(({ track }) => track.abroad !== null);
    expect(meetings.map(({ track }) => track.abroad)).toEqual(['hongKong', 'international', 'unlabelled']);
    expect(meetings.every(({ track, races }) => track.category === 'horse' && races.length >= 6)).toBe(true);
    const { startMs, endMs } = aetDayBounds(day);
    const starts = meetings.flatMap(({ races }) => races.map(firstStartMs));
    expect(starts.filter((start) => start < startMs || start >= endMs)).toEqual([]);
  }
});

test('each book that lists a meeting abroad names it in its own way, and a book of two countries lists none', async () => {
  clock.nowMs = aetDayBounds(DAY).startMs;
  expect(await listedOn(DAY)).toEqual({
    ladbrokes_au: ['Sha Tin HK', 'Veliefendi TR'],
    neds: ['Sha Tin HK', 'Veliefendi TR'],
    pointsbetau: ['Sha Tin HK', 'Veliefendi TR'],
    tab: ['SHA TIN HK'],
    betr_au: ['Sha Tin HK'],
    playup: ['Sha Tin HK'],
    // Its region of Turkey is not in the connector's table.
    sportsbet: ['Sha Tin HK', 'Veliefendi null'],
    dabble_au: ['Sha Tin null'],
    // `Veliefendi - Tur`; the third has no country yet.
    palmerbet: ['Saratoga null', 'Sha Tin HK', 'Veliefendi TR'],
    // `Veliefendi - TUR`; this book lists only the next races.
    tabtouch: ['Veliefendi TR'],
  });
});

test('the next day has the other tracks, and Newmarket has no country where a book tags only some', async () => {
  clock.nowMs = aetDayBounds(NEXT_DAY).startMs;
  expect(await listedOn(NEXT_DAY)).toMatchObject({
    ladbrokes_au: ['Happy Valley HK', 'Newmarket GB'],
    pointsbetau: ['Happy Valley HK', 'Newmarket GB'],
    palmerbet: ['Happy Valley HK', 'Keeneland null', 'Newmarket GB'],
    tabtouch: ['Newmarket null'],
  });
});

test('the third meeting gets its country an hour before its first race', async () => {
  const labelledMs = beginsMs(meetingOf('unlabelled', DAY)) - 60 * MINUTE;
  clock.nowMs = labelledMs - 1;
  expect((await listedOn(DAY)).palmerbet).toContain('Saratoga null');
  clock.nowMs = labelledMs;
  expect((await listedOn(DAY)).palmerbet).toContain('Saratoga US');
});

const quoted = ({ runners }: BookSnapshot): boolean => runners.some(({ win }) => win !== null);

test.each([
  [
    'hongKong',
    [
      'ladbrokes_au',
      'neds',
      'tab',
      'tabtouch',
      'sportsbet',
      'pointsbetau',
      'betr_au',
      'palmerbet',
      'playup',
      'dabble_au',
    ],
  ],
  ['international', ['ladbrokes_au']],
  ['unlabelled', ['palmerbet']],
] as const)('the %s meeting is quoted win and place only, by %j', async (role, books) => {
  const meeting = meetingOf(role, DAY);
  clock.nowMs = beginsMs(meeting) - 20 * MINUTE;
  const seen: string[] = [];
  for (const key of CONNECTED_BOOKS) {
    const rows = await listedAbroad(key, DAY);
    const row = rows.find(({ venue }) => isCalled(venue, meeting.track.name));
    if (!row) continue;
    const snapshot = valueIn(await feeds.get(key)!.fetchRace(row.sourceRaceId));
    const legs = snapshot.runners.flatMap(({ top2, top3, top4 }) => [top2, top3, top4]);
    expect(legs.filter((leg) => leg !== null)).toEqual([]);
    if (quoted(snapshot)) seen.push(key);
  }
  expect(seen.sort()).toEqual([...books].sort());
});

test('a book serves no race of a meeting that it does not list', async () => {
  clock.nowMs = beginsMs(meetingOf('unlabelled', DAY));
  const { serial, id } = meetingOf('unlabelled', DAY).races[0]!;
  expect(await feeds.get('pointsbetau')!.fetchRace(String(serial))).toMatchObject({ kind: 'failed' });
  expect(await feeds.get('ladbrokes_au')!.fetchRace(id)).toMatchObject({ kind: 'failed' });
});
