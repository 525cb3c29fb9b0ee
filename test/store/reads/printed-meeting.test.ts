// The page of a meeting against the pages of its races, which read each race alone: the same prices of the same
// instants in every state of a race, by as many statements for a full card as for a third of it.
import type { Pool } from 'pg';
import { createBoardSource } from '../../../src/api/pages/board-source';
import { createMeetingSource } from '../../../src/api/pages/meeting-source';
import { createLiveReads } from '../../../src/store/reads/live-board';
import { createReads } from '../../../src/store/reads/reads';
import { createLiveBoard } from '../../../src/web/board/live-board';
import { createMeetingDays } from '../../../src/web/meetings/days';
import { meetingsOfRaces } from '../../../src/web/meetings/grouped';
import { meetingMain } from '../../../src/web/meetings/meeting-page';
import { feedRunner } from '../../support/races/builders';
import { storeRace } from '../../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

const START = Date.parse('2026-11-21T03:00:00.000Z');
const DAY = '2026-11-21';
const BOOKS = ['ladbrokes_au', 'tab', 'betfair_ex_au', 'neds'] as const;
/** After the last one has jumped. */
const NOW = START + 45 * 60_000;

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** Its races start ten minutes apart; each has prices of an hour, also after its start. */
async function storeMeeting(venue: string, races: number): Promise<readonly string[]> {
  const raceIds: string[] = [];
  for (let number = 1; number <= races; number++) {
    const startTime = new Date(START + number * 600_000).toISOString();
    const race = await storeRace(db, { venue, raceNumber: number, startTime, meetingDate: DAY, country: 'AU' }, BOOKS);
    const field = (by: number) =>
      [1, 2, 3].map((one) => feedRunner(one, { win: one + 1 + by, place: one / 2 + 1 + by }));
    for (const [i, book] of BOOKS.entries())
      for (const [at, by] of [
        [3600, 0],
        [600 + i, 0.5 + i / 10],
        [90 + i, 0.2 + i / 5],
        [-20 - i, i % 2 === 0 ? 3 : 0.2 + i / 5],
      ] as const)
        await race.poll(at, { runners: field(by) }, { bookmakerKey: book, startSource: i === 0 });
    raceIds.push(race.raceId);
  }
  const set = (number: number, what: string) =>
    raceIds[number] && db.pool.query(`UPDATE races SET ${what} WHERE race_id = $1`, [raceIds[number]]);
  await set(0, `jumped_at = start_time + interval '40 seconds', left_board_at = start_time + interval '20 minutes'`);
  await set(1, `jumped_at = start_time + interval '15 seconds', left_board_at = start_time + interval '20 minutes'`);
  await set(2, `jumped_at = start_time + interval '10 seconds'`);
  await set(3, `market_status = 'CLOSED', market_closed_at = start_time, market_state_source = 'ladbrokes_au'`);
  await set(4, `status = 'abandoned'`);
  await set(6, `market_status = 'SUSPENDED', market_state_source = 'ladbrokes_au'`);
  return raceIds;
}

/** With the statements that it sends. */
function counted(pool: Pool): { readonly pool: Pool; readonly sent: string[] } {
  const sent: string[] = [];
  const query = (...given: Parameters<Pool['query']>) => {
    sent.push((given[0] as unknown as { name: string }).name);
    return pool.query(...given);
  };
  return { sent, pool: new Proxy(pool, { get: (of, name) => (name === 'query' ? query : Reflect.get(of, name)) }) };
}

const sourceOf = (pool: Pool) => createMeetingSource({ reads: createReads(pool), liveReads: createLiveReads(pool) });

test('shows what the page of each race shows, whatever its state, at every minute', async () => {
  const raceIds = await storeMeeting('Trackside', 8);
  const seen = new Set<string>();
  for (let nowMs = START - 60_000; nowMs <= NOW + 60 * 60_000; nowMs += 8.5 * 60_000) {
    const now = () => nowMs;
    const live = createLiveBoard({
      source: createBoardSource({ reads: createReads(db.pool), liveReads: createLiveReads(db.pool) }),
      now,
    });
    const days = createMeetingDays({ source: sourceOf(db.pool), now });
    const races = (await days.day(DAY))!.races.filter(({ venue }) => venue === 'Trackside');
    const [meeting] = meetingsOfRaces(races, nowMs);
    const views = [];
    for (const raceId of raceIds) views.push((await live.race(raceId))!);
    const printed = await days.printed(raceIds);
    const page = (of: Parameters<typeof meetingMain>[2]) => meetingMain(meeting!, DAY, of, { nowMs, today: DAY }).text;
    expect(page(printed.races)).toBe(page(views));
    for (const { sheet } of views) seen.add(`${sheet.state} ${sheet.keepsPrices} ${sheet.onBoard}`);
  }
  expect(seen.size).toBeGreaterThan(4);
});

test('reads a card of twenty-four races in as many statements as one of eight', async () => {
  const raceIds = await storeMeeting('Longcard', 24);
  const read = async (ids: readonly string[]) => {
    const { pool, sent } = counted(db.pool);
    const races = await sourceOf(pool).printed(ids, NOW);
    expect(races.map(({ race }) => race.raceId)).toEqual(ids);
    return sent.sort();
  };
  const [eight, all] = [await read(raceIds.slice(0, 8)), await read(raceIds)];
  expect(all).toEqual(eight);
  expect(all.length).toBeLessThanOrEqual(7);
});
