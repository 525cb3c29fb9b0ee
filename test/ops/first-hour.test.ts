// The past of a simulated day: prices of the last hour that the simulated books showed at those instants, written as polls are.
import { loadConfig } from '../../src/config';
import { addDays, aetDay } from '../../src/domain/time/aet';
import { createLog } from '../../src/log';
import { firstHour } from '../../src/ops/first-hour';
import { runCommand } from '../../src/ops/run-command';
import { SPORTSBET } from '../../src/simulator/books/profiles';
import { viewOf } from '../../src/simulator/books/view';
import { createSimulator } from '../../src/simulator/http/server';
import { firstStartMs } from '../../src/simulator/world/story/race-times';
import { racesOf } from '../../src/simulator/world/world';
import { createWiring } from '../../src/wiring';
import { createTestDatabase } from '../support/servers/database';
import { createTestNamespace } from '../support/servers/temporal';

interface Tick {
  readonly venue: string;
  readonly race: number;
  readonly startMs: number;
  readonly book: string;
  readonly number: number;
  readonly atMs: number;
  readonly price: number;
}

const TICKS = `SELECT r.venue, r.race_number AS race, extract(epoch FROM r.start_time)::float * 1000 AS "startMs",
    t.bookmaker_key AS book, t.runner_number AS number, extract(epoch FROM t.captured_at)::float * 1000 AS "atMs",
    t.win_price AS price
  FROM price_ticks t JOIN races r USING (race_id) ORDER BY t.captured_at`;

// On a day of its own: of some days a race moves its start while its window opens, and then has less than an hour.
const DAY_MS = Date.parse('2026-08-01T03:30:00.000Z');

test('the next races have the last hour of prices, as the books showed them', async () => {
  const openedMs = Date.now();
  const now = () => DAY_MS + Date.now() - openedMs;
  const simulator = createSimulator({ seed: 'first hour', now });
  const url = await simulator.listen(0);
  const db = await createTestDatabase();
  try {
    const config = loadConfig({ ...process.env, DATABASE_URL: db.url, SIMULATOR_URL: url });
    const run = async () => {
      const wiring = createWiring(config, createLog('test', 'silent'));
      try {
        return await firstHour({ ...wiring, now });
      } finally {
        await wiring.close();
      }
    };
    const ticksStored = async () => (await db.pool.query<Tick>(TICKS)).rows;
    const beganMs = now();
    expect(await run()).toMatch(/^[3-6] races, \d+ polls of the last hour, \d{3,} ticks$/);
    const ticks = await ticksStored();
    expect(
      ticks.filter(({ atMs, startMs }) => atMs < beganMs - 3_600_000 || atMs > now() || startMs < beganMs),
    ).toEqual([]);
    // The first price of each race stood when its window opened, so there is an hour to compare with.
    const firsts = new Map([...ticks].reverse().map((tick) => [tick.startMs, tick.atMs]));
    expect([...firsts].filter(([startMs, atMs]) => atMs > startMs - 3_540_000)).toEqual([]);
    expect(new Set(ticks.map(({ book }) => book)).size).toBeGreaterThan(9);

    const world = simulator.worldOf(SPORTSBET.key);
    const races = world.listedDays(beganMs).flatMap((day) => racesOf(world, day));
    const own = ticks.filter(({ book }) => book === SPORTSBET.key);
    expect(own.length).toBeGreaterThan(20);
    const wrong = own.filter(({ race, startMs, number, atMs, price }) => {
      const shown = races
        .filter((one) => one.number === race && Math.abs(firstStartMs(one) - startMs) < 1_800_000)
        .map((one) => viewOf(one, SPORTSBET, atMs).win[one.runners.findIndex((runner) => runner.number === number)]);
      return !shown.includes(price);
    });
    expect(wrong).toEqual([]);

    // A restart with kept data: the hour is stored, and no book has failed.
    const before = await ticksStored();
    expect(await run()).toMatch(/^[3-6] races, \d+ polls of the last hour, \d+ ticks$/);
    const after = new Set((await ticksStored()).map((tick) => JSON.stringify(tick)));
    expect(before.filter((tick) => !after.has(JSON.stringify(tick)))).toEqual([]);
  } finally {
    await simulator.close();
    await db.drop();
  }
});

interface PastRow {
  readonly startMs: number;
  readonly number: number;
  readonly outcome: string;
  readonly phase: string;
  readonly winners: readonly number[];
  readonly books: number;
  readonly found: readonly string[];
}

const PAST = `SELECT extract(epoch FROM r.start_time)::float * 1000 AS "startMs", r.race_number AS number, a.outcome, r.phase,
    ARRAY(SELECT (p->>'number')::int FROM jsonb_array_elements(o.placings) p WHERE (p->>'position')::int = 1 ORDER BY 1) AS winners,
    (SELECT count(DISTINCT bookmaker_key) FROM archived_price_paths p WHERE p.race_id = r.race_id) AS books,
    ARRAY(SELECT DISTINCT close_found_by FROM archived_closing_lines l WHERE l.race_id = r.race_id ORDER BY 1) AS found
  FROM archived_races a JOIN races r USING (race_id) LEFT JOIN race_results o USING (race_id) ORDER BY r.start_time`;

test('a past day is polled, resulted and archived as it happened, and a second run changes nothing', async () => {
  const simulator = createSimulator({ seed: 'past days', now: Date.now });
  const [url, db, temporal] = await Promise.all([simulator.listen(0), createTestDatabase(), createTestNamespace()]);
  try {
    const variables = {
      DATABASE_URL: db.url,
      SIMULATOR_URL: url,
      LOG_LEVEL: 'silent',
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: temporal.namespace,
    };
    const run = () => runCommand(['past-days', '--days', '1'], { ...process.env, ...variables });
    const { out, err } = await run();
    expect(err).toBe('');
    expect(out).toMatch(/^7 races of 1 days archived, \d{3,} polls, \d{3,} ticks\n$/);
    const { rows } = await db.pool.query<PastRow>(PAST);
    expect(rows).toHaveLength(7);
    const day = addDays(aetDay(Date.now()), -1);
    const truth = racesOf(simulator.world, day);
    for (const { startMs, number, winners, phase } of rows.filter((row) => row.phase !== 'abandoned')) {
      expect(phase).toBe('final');
      const own = truth.filter((race) => race.number === number && Math.abs(firstStartMs(race) - startMs) < 1_800_000);
      const first = own.map(({ story }) =>
        story.settled.filter(({ position }) => position === 1).map((one) => one.number),
      );
      expect(first.map((numbers) => numbers.sort())).toContainEqual(winners);
    }
    // A meeting may be abandoned on any day.
    expect(['last_seen_only', 'abandoned']).toContain(rows[1]!.outcome);
    const closed = rows.filter(({ outcome }) => outcome === 'closed');
    expect(closed.length).toBeGreaterThan(2);
    expect(Math.min(...closed.map(({ books }) => books))).toBeGreaterThan(9);
    expect([...new Set(closed.flatMap(({ found }) => found))].sort()).toEqual(['none', 'poll', 'tick']);
    const { rows: other } = await db.pool.query(`SELECT count(*) FROM races WHERE left_board_at IS NULL`);
    expect(other).toEqual([{ count: 0 }]);
    expect((await run()).out).toBe('the past days have their races\n');
    expect((await db.pool.query<PastRow>(PAST)).rows).toEqual(rows);
  } finally {
    await simulator.close();
    await temporal.close();
    await db.drop();
  }
});

test('the simulator shows the past, never the future', async () => {
  const nowMs = Date.parse('2026-11-21T03:00:00Z');
  const simulator = createSimulator({ seed: 'first hour', now: () => nowMs });
  const url = await simulator.listen(0);
  try {
    const nowOf = async (path: string) => (await fetch(url + path)).json();
    expect(await nowOf(`/at/${nowMs - 60_000}/healthz`)).toMatchObject({ now: '2026-11-21T02:59:00.000Z' });
    expect(await nowOf('/healthz')).toMatchObject({ now: '2026-11-21T03:00:00.000Z' });
    expect((await fetch(`${url}/at/${nowMs + 1}/healthz`)).status).toBe(404);
  } finally {
    await simulator.close();
  }
});
