// The stream of changes, recorded while books are polled, and the replay of the same hour: reduced to what the archive
// keeps, they are equal, in order.
import { createBoardFeed } from '../../../../src/api/operations/changes/board-feed';
import { REAL_TIME } from '../../../../src/domain/time/clock';
import { createArchiveStore } from '../../../../src/store/archive/archive';
import { createRetentionStore } from '../../../../src/store/archive/retention/retention';
import { createReads } from '../../../../src/store/reads/reads';
import type { TestApi } from '../../../support/api/api';
import { openStream } from '../../../support/api/stream-client';
import { feedRunner } from '../../../support/races/builders';
import { type PolledRace, polledRace, type TimedQuotes } from '../../../support/races/polled-race';
import { type PlayedLine, replays } from './replays';

const lab = replays();

const START = '2026-11-22T03:00:00.000Z';
const startMs = Date.parse(START);
const at = (seconds: number): string => new Date(startMs - seconds * 1000).toISOString();

type Shown = PlayedLine['data'];

/** Each win move with its other legs, each set of scratchings, and each end, in order. */
function reduced(events: readonly PlayedLine[], ids: readonly string[]): string[] {
  const last = new Map<string, number>();
  const scratched = new Map<string, string>();
  const moved = (race: Shown, row: Shown, key: string, updated: string): string[] => {
    const series = `${ids.indexOf(race.race_id)} ${row.number} ${key}`;
    if (row.win_price === null || last.get(series) === row.win_price) return [];
    last.set(series, row.win_price);
    return [`${updated} ${series} ${row.win_price} ${row.place_price ?? null} ${row.top2_price ?? null}`];
  };
  const outOf = (race: Shown): string[] => {
    const numbers = race.scratchings.map(({ number }: { number: number }) => number).join();
    if ((scratched.get(race.race_id) ?? '') === numbers) return [];
    scratched.set(race.race_id, numbers);
    return [`${ids.indexOf(race.race_id)} without ${numbers}`];
  };
  return events.flatMap(({ event, data }) => {
    const races = (event === 'changes' ? data.races : [data]).filter(({ race_id }: Shown) => ids.includes(race_id));
    if (event === 'gone') return races.map(({ race_id, reason }: Shown) => `${ids.indexOf(race_id)} ${reason}`);
    if (event === 'race')
      return races.flatMap((race: Shown) => [
        ...outOf(race),
        ...race.runners.flatMap((runner: Shown) =>
          runner.bookmakers.flatMap((quote: Shown) =>
            moved(race, { ...quote, number: runner.number }, quote.key, quote.last_update),
          ),
        ),
      ]);
    if (event !== 'changes') return [];
    return races.flatMap((race: Shown) =>
      race.changed_runners.flatMap((row: Shown) => moved(race, row, row.bookmaker_key, row.updated_at)),
    );
  });
}

/** Of the first race, or of the second, which starts ten minutes later; seconds before its own start. */
const POLLS: readonly (readonly [
  race: 0 | 1,
  book: string,
  quotes: TimedQuotes,
  legs?: { place: number; top2: number },
])[] = [
  [0, 'tab', [3500, 3, 5, 9]],
  [1, 'tab', [3500, 4, 4, 4], { place: 1.9, top2: 1.5 }],
  [0, 'ladbrokes_au', [2400, 3.1, 5.5, 9]],
  [0, 'betfair_ex_au', [2300, 2.95, 5.2, 8.8]],
  [0, 'tab', [1800, 3, 5.5, 9]],
  [1, 'ladbrokes_au', [1700, 3.8, 4.4, 4.6], { place: 1.8, top2: 1.4 }],
  [0, 'tab', [600, 2.5, 5.5, 11]],
  [1, 'tab', [1100, 4.4, 4, 4], { place: 2, top2: 1.6 }],
  [0, 'ladbrokes_au', [30, 2.6, 5.5, 10]],
  [1, 'tab', [60, 4.6, 4, 3.8], { place: 2.1, top2: 1.7 }],
];

test('a recorded stream and its replay have the same moves, scratchings and ends', async () => {
  const { pool } = lab.db;
  const api = await liveApi();
  const key = await lab.addKey('business');
  const races = [
    await polledRace(pool, { startTime: START, venue: 'Livefield', raceNumber: 1 }, booksOf()),
    await polledRace(pool, { startTime: at(-600), venue: 'Livefield', raceNumber: 2 }, booksOf()),
  ] as const;
  const marker = await polledRace(pool, { startTime: at(-7200), venue: 'Markfield' }, { tab: [] });
  const ids = races.map(({ raceId }) => raceId);
  const live = await openStream(api.url, key);
  try {
    await live.until(({ event }) => event === 'state');
    let marks = 0;
    const read = async (seconds: number): Promise<void> => {
      api.now = startMs - seconds * 1000;
      const win = 100 + ++marks;
      await marker.poll('tab', [seconds + 7200, win]);
      await live.until(
        ({ data }) =>
          JSON.stringify(data).includes(marker.raceId) && JSON.stringify(data).includes(`"win_price":${win},`),
      );
    };
    for (const [race, book, quotes, legs] of POLLS) {
      const [seconds, ...wins] = quotes;
      const ofFirst = race === 0 ? seconds : seconds - 600;
      api.now = startMs - ofFirst * 1000;
      const runners = wins.map((win, i) => feedRunner(i + 1, { win, ...legs }));
      await races[race].poll(book, quotes, { runners });
      await read(ofFirst);
      if (ofFirst === 600) await scratch(races[0], at(550));
      if (ofFirst === 600) await read(550);
    }
    await read(-700);
    for (const id of ids) await live.until(({ event, data }) => event === 'gone' && data.race_id === id);
  } finally {
    await live.close();
    await api.close();
  }
  const recorded = reduced(live.events, ids);
  expect(recorded.filter((line) => line.endsWith('jumped'))).toHaveLength(2);
  for (const { raceId } of races) await archive(raceId);
  const search = `?venue=Livefield&from=${START}&to=${at(-600)}&speed=max`;
  const inOrder = (all: readonly string[]) => all.filter((line) => !line.endsWith('jumped'));
  const fromTicks = await lab.played(key, search);
  expect(inOrder(reduced(fromTicks, ids))).toEqual(inOrder(recorded));
  expect(JSON.stringify(fromTicks)).not.toMatch(/betfair_ex_au|2\.95|8\.8/);
  await dropTicks();
  const withoutIds = (all: readonly PlayedLine[]) => all.map(({ event, data }) => ({ event, data }));
  expect(withoutIds(await lab.played(key, search))).toEqual(withoutIds(fromTicks));
});

const booksOf = (): Record<string, readonly TimedQuotes[]> => ({ tab: [], ladbrokes_au: [], betfair_ex_au: [] });

async function liveApi(): Promise<TestApi> {
  const now = { ms: startMs - 3600_000 };
  const reads = createReads(lab.pool);
  const feed = createBoardFeed({ reads, clock: REAL_TIME, log: { error: () => {} }, now: () => now.ms, pauseMs: 5 });
  const api = await lab.start({ boardFeed: feed, now: () => now.ms });
  return Object.defineProperty(api, 'now', {
    get: () => now.ms,
    set(ms: number) {
      now.ms = ms;
    },
  });
}

async function scratch(race: PolledRace, scratchedAt: string): Promise<void> {
  await lab.db.pool.query(
    'UPDATE race_runners SET scratched = true, scratched_at = $2, updated_at = $2 WHERE race_id = $1 AND number = 3',
    [race.raceId, scratchedAt],
  );
}

async function archive(raceId: string): Promise<void> {
  await lab.db.pool.query(
    `UPDATE races SET left_board_at = start_time + interval '11 minutes', jumped_at = start_time WHERE race_id = $1`,
    [raceId],
  );
  await createArchiveStore(lab.db.pool).archive(raceId, at(-3600));
}

async function dropTicks(): Promise<void> {
  const retention = createRetentionStore(lab.db.pool);
  const day = START.slice(0, 10);
  for (const { raceId } of await retention.unarchived(day)) await retention.keep(raceId, day);
  let verdict = 'busy';
  while (verdict === 'busy') verdict = await retention.drop(day, '2027-02-21T00:00:00.000Z');
  expect(verdict).toBe('dropped');
}
