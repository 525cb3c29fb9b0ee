// The past of a simulated day: prices of the last hour that the simulated books showed at those instants, written as
// polls are.
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { pollBook } from '../../src/activities/polling/poll-book';
import { listedBooks, pollTargets } from '../../src/activities/polling/race-books';
import { loadConfig } from '../../src/config';
import { addDays, aetDay } from '../../src/domain/time/aet';
import { createLog } from '../../src/log';
import { firstHour } from '../../src/ops/first-hour';
import { polledInHour } from '../../src/ops/past-days/poll-plan';
import { runCommand } from '../../src/ops/run-command';
import { SPORTSBET } from '../../src/simulator/books/profiles';
import { viewOf } from '../../src/simulator/books/view';
import { createSimulator } from '../../src/simulator/http/server';
import { firstStartMs } from '../../src/simulator/world/story/race-times';
import { racesOf } from '../../src/simulator/world/world';
import { pastPolls } from '../../src/wiring/past';
import { createWiring, type Wiring } from '../../src/wiring/service';
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

/** A later poll may have moved the start. */
const asStored = ({ startMs: _, ...tick }: Tick): string => JSON.stringify(tick);

const TICKS = `SELECT r.venue, r.race_number AS race, extract(epoch FROM r.start_time)::float * 1000 AS "startMs",
    t.bookmaker_key AS book, t.runner_number AS number, extract(epoch FROM t.captured_at)::float * 1000 AS "atMs",
    t.win_price AS price
  FROM price_ticks t JOIN races r USING (race_id) ORDER BY t.captured_at`;

// On a separate day: on some days a race's start moves while its window opens, and it then has less than an hour.
const DAY_MS = Date.parse('2026-08-01T03:30:00.000Z');

test('the next races have the last hour of prices, as the books showed them', async () => {
  const openedMs = Date.now();
  const now = () => DAY_MS + Date.now() - openedMs;
  const simulator = createSimulator({ seed: 'first hour', now, intervalMinutes: 15 });
  const url = await simulator.listen(0);
  const db = await createTestDatabase();
  try {
    const config = loadConfig({
      ...process.env,
      DATABASE_URL: db.url,
      SIMULATOR_URL: url,
      FEED_TIMEOUT_MS: '60000',
    });
    const wired = async <T>(work: (wiring: Wiring) => Promise<T>): Promise<T> => {
      const wiring = createWiring(config, createLog('test', 'silent'));
      try {
        return await work({ ...wiring, now });
      } finally {
        await wiring.close();
      }
    };
    const run = () => wired(firstHour);
    const ticksStored = async () => (await db.pool.query<Tick>(TICKS)).rows;
    const beganMs = now();
    expect(await run()).toMatch(/^[3-6] races, \d+ polls of the last hour, \d{3,} ticks$/);
    const ticks = await ticksStored();
    expect(
      ticks.filter(({ atMs, startMs }) => atMs < beganMs - 3_600_000 || atMs > now() || startMs < beganMs),
    ).toEqual([]);
    // The first price of each race stood when its window opened, so there is a whole hour to compare.
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
    expect(await run()).toMatch(/^([3-6] races, \d+ polls of the last hour, \d+ ticks|kept: .*)$/);
    const after = new Set((await ticksStored()).map(asStored));
    expect(before.filter((tick) => !after.has(asStored(tick)))).toEqual([]);

    // A worker that polled first: the race gets the same hour in one pass.
    await wired(async (wiring) => {
      const { raceId, whole } = await beganLate(wiring);
      const seen = new Set([await hourOf(wiring.pool, raceId)]);
      await during(run(), async () => seen.add(await hourOf(wiring.pool, raceId)));
      expect(seen.size).toBe(2);
      expect(JSON.parse([...seen][1]!)).toEqual(whole);
    });
  } finally {
    await simulator.close();
    await db.drop();
  }
});

/** Everything that the hour of a race consists of. */
const HOUR = `SELECT jsonb_build_object(
    'ticks', (SELECT jsonb_agg(t ORDER BY captured_at, bookmaker_key, runner_number) FROM price_ticks t WHERE race_id = $1),
    'breaks', (SELECT jsonb_agg(b ORDER BY at, bookmaker_key, runner_number) FROM price_breaks b WHERE race_id = $1),
    'moved', (SELECT jsonb_agg(b.win_changed_at ORDER BY bookmaker_key) FROM race_books b WHERE race_id = $1))::text AS hour`;
const hourOf = async (pool: Pool, raceId: string) => (await pool.query<{ hour: string }>(HOUR, [raceId])).rows[0]!.hour;

/**
 * A race with the hour that consecutive polls give it (`whole`), and the part that a worker would have polled if it had
 * started in the middle.
 */
async function beganLate(wiring: Wiring) {
  const { pool, stores } = wiring;
  // Not one that starts in the meantime.
  const most = `SELECT race_id AS "raceId" FROM price_ticks JOIN races USING (race_id) WHERE start_time > $1::timestamptz + interval '15 minutes'
    GROUP BY 1 ORDER BY count(DISTINCT captured_at) DESC, 1 LIMIT 1`;
  const now = new Date(wiring.now()).toISOString();
  const { raceId } = (await pool.query<{ raceId: string }>(most, [now])).rows[0]!;
  const { startTime } = (await stores.races.raceHeader(raceId))!;
  const books = await listedBooks(pastPolls(wiring, wiring.now()), raceId);
  const untilMs = wiring.now();
  const pollFrom = async (share: number): Promise<void> => {
    await pool.query(`UPDATE race_books SET ${UNPOLLED} WHERE race_id = $1`, [raceId]);
    for (const table of ['price_ticks', 'price_breaks'])
      await pool.query(`DELETE FROM ${table} WHERE race_id = $1`, [raceId]);
    for (const target of pollTargets(raceId, startTime, books)) {
      const polled = polledInHour(Date.parse(startTime), untilMs, target.bookmakerKey);
      for (const atMs of polled.slice(polled.length * share))
        await pollBook(
          pastPolls(wiring, atMs),
          { ...target, startSource: false },
          { epoch: 1, attempt: 1 },
          { whole: true },
        );
    }
  };
  await pollFrom(0);
  const whole = JSON.parse(await hourOf(pool, raceId));
  await pollFrom(1 / 2);
  const control = { raceId, epoch: 1, tier: 'live', advertisedStart: startTime, closed: false } as const;
  await stores.control.setControl(control, new Date(untilMs).toISOString());
  return { raceId, whole };
}

const UNPOLLED = `polled_at = NULL, book_at = NULL, reply_hash = NULL, captured = false, market_status = NULL, numbers = '{}', runner_keys = '{}',
  win = '{}', place = '{}', top2 = '{}', top3 = '{}', top4 = '{}', win_changed_at = '{}', win_written_at = '{}', ticked_win = '{}'`;

/** Calls `look` repeatedly until the work is done, and once more. */
async function during<T>(work: Promise<T>, look: () => Promise<unknown>): Promise<T> {
  for (let isDone = false; !isDone; ) {
    isDone = await Promise.race([work.then(() => true), delay(20, false)]);
    await look();
  }
  return work;
}

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

const STATE = `SELECT (SELECT count(*) FROM races) || ' races, ' || (SELECT count(*) FROM archived_races) || ' archived, '
    || (SELECT count(*) FROM race_results) || ' results, ' || (SELECT count(*) FROM price_ticks) || ' ticks' AS state`;
const stateOf = async (pool: Pool) => (await pool.query<{ state: string }>(STATE)).rows[0]!.state;

/** Ends the connection that polls, as the end of its process would. */
async function endPolling(pool: Pool, until: Promise<unknown>): Promise<void> {
  const ended = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND query ~ 'write_polls?\\('`;
  let isOver = false;
  void until.then(() => {
    isOver = true;
  });
  while (!isOver && (await pool.query(ended)).rowCount === 0) await delay(5);
}

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
    // The process ends in the middle: nothing of the day remains, and the next run completes it.
    const cut = run();
    await endPolling(db.pool, cut);
    expect(await cut).toMatchObject({ out: '', code: 2 });
    const seen = new Set([await stateOf(db.pool)]);
    const { out, err } = await during(run(), async () => seen.add(await stateOf(db.pool)));
    expect([...seen]).toEqual([
      '0 races, 0 archived, 0 results, 0 ticks',
      expect.stringMatching(/^7 races, 7 archived/),
    ]);
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
    expect((await run()).out).toBe('kept: the past days have their races\n');
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
