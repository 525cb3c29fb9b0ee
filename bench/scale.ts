// A great day on one machine: 600 live races with three books each among 2,000 of the day, and 5,000 old ones that wait
// for their field. Two worker processes, each restarted in the middle. Which share of the due polls was made, by tier,
// and whether any live race was left alone.
//   node --import tsx bench/scale.ts [--live 600] [--day 2000] [--waiting 5000] [--workflows 3000] [--minutes 4]
// Own PostgreSQL, Redis and Temporal. Temporal is the development server: once so many workflows run (`--workflows`),
// the sweep is paused, and the rest of the old races are rows without a workflow. Not a part of `npm test`.

import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BOOKMAKERS, bookmaker } from '../src/domain/bookmakers';
import { isNearJump, pollIntervalMs, tierAt } from '../src/domain/time/cadence';
import type { RaceScript } from '../src/simulator/world/scripts';
import { AU_GREYHOUND, AU_HARNESS, AU_HORSE, NZ_HARNESS, NZ_HORSE } from '../src/simulator/world/tracks';
import { liveRaces } from '../src/store/polls/live-races';
import { startOwnServers } from '../test/support/servers/own-servers';
import { type Service, type ServiceProcess, startService, waitFor } from '../test/support/servers/service';
import { useBuiltPrograms } from './support/built-programs';
import { endOnSignal } from './support/end-on-signal';

const { values } = parseArgs({
  options: {
    live: { type: 'string', default: '600' },
    day: { type: 'string', default: '2000' },
    waiting: { type: 'string', default: '5000' },
    workflows: { type: 'string', default: '3000' },
    minutes: { type: 'string', default: '4' },
  },
});
const live = Number(values.live);
const day = Number(values.day);
const waiting = Number(values.waiting);
const mostWorkflows = Number(values.workflows);
const minutes = Number(values.minutes);

const MINUTE_MS = 60_000;
const LIVE_MINUTES = 180;
/** Before the first start: discovery and the sweep come first. */
const LEAD_MINUTES = 6;
/** Two with calls for many races, and one that has one call for each. */
const BOOKS = ['ladbrokes_au', 'pointsbetau', 'sportsbet'];
const TRACKS = [...AU_HORSE, ...AU_GREYHOUND, ...AU_HARNESS, ...NZ_HORSE, ...NZ_HARNESS];
const SAMPLE_MS = 2000;

/** The live ones evenly over three hours, the others over the fourteen hours after. */
function card(nowMs: number): RaceScript[] {
  const after = (i: number) =>
    i < live ? (i * (LIVE_MINUTES - LEAD_MINUTES)) / live : LIVE_MINUTES + ((i - live) * 14 * 60) / (day - live);
  return Array.from({ length: day }, (_, i) => {
    const { name: venue, category } = TRACKS[i % TRACKS.length]!;
    return { startMs: nowMs + (LEAD_MINUTES + after(i)) * MINUTE_MS, venue, category, runners: 8 };
  });
}

/**
 * One worker can hold every race while the other restarts. The other books are nowhere, and these three allow what six
 * hundred races need.
 */
const environment = (): Record<string, string> => ({
  WORKER_LIVE_SLOTS: '700',
  DATABASE_POOL_MAX: '20',
  ...Object.fromEntries(
    BOOKMAKERS.filter(({ reach, status }) => status === 'active' && reach === 'polled').map(({ key }) =>
      BOOKS.includes(key)
        ? [`FEED_${key.toUpperCase()}_PER_SECOND`, '200']
        : [`FEED_${key.toUpperCase()}_URL`, 'http://127.0.0.1:1'],
    ),
  ),
});

/** Greyhound races of the last days whose field no registry has had so far; the next pass is hours away. */
async function insertWaiting({ db, now }: Service): Promise<void> {
  const at = new Date(now()).toISOString();
  await db.pool.query(
    `INSERT INTO races (race_id, meeting_date, category, venue, venue_id, venue_canonical, venue_site, race_number, country,
                        start_time, phase, jumped_at, left_board_at, first_seen_at, updated_at)
     SELECT gen_random_uuid(), (start AT TIME ZONE 'Australia/Sydney')::date, 'greyhound', 'Track ' || n, 'track-' || n, 'Track ' || n, 'Track ' || n,
            1, 'AU', start, 'final', start, start, start, $1
       FROM generate_series(1, $2::int) n, LATERAL (SELECT $1::timestamptz - interval '30 hours' - n * interval '2 minutes' AS start) s`,
    [at, waiting],
  );
  await db.pool.query(
    `INSERT INTO race_control (race_id, epoch, tier, advertised_start, closed, updated_at)
     SELECT race_id, 3, 'none', start_time, true, $1 FROM races`,
    [at],
  );
  await db.pool.query(
    `INSERT INTO race_results (race_id, status, placings, placings_key, placings_since, source, resulted_at, finalised_at, field_status,
                               field_source, field_last_pass_at, updated_at)
     SELECT race_id, 'final', '[{"position":1,"number":1,"name":"One"}]', '1:1', start_time, 'ladbrokes_au', start_time, start_time,
            'overdue', 'topaz', $1, $1 FROM races`,
    [at],
  );
}

interface Tally {
  due: number;
  made: number;
}

class Watch {
  readonly tiers = new Map<string, Tally>();
  /** Most at one moment, and the longest that one race was alone after it had been polled, seconds. */
  mostUnpolled = 0;
  longestSeconds = 0;
  private readonly polledAt = new Map<string, string>();
  private readonly aloneSince = new Map<string, number>();

  constructor(private readonly service: Service) {}

  async sample(overMs: number): Promise<void> {
    const nowMs = this.service.now();
    const { rows } = await this.service.db.pool.query<{ race: string; book: string; start: string; at: string | null }>(
      `SELECT b.race_id AS race, b.bookmaker_key AS book, r.start_time AS start, b.polled_at AS at
         FROM race_books b JOIN races r USING (race_id) JOIN race_control c USING (race_id)
        WHERE r.phase IN ('card', 'live') AND c.tier <> 'none' AND b.bookmaker_key = ANY ($1)`,
      [BOOKS],
    );
    for (const { race, book, start, at } of rows) {
      const seconds = (Date.parse(start) - nowMs) / 1000;
      if (tierAt(seconds) === 'card') continue;
      const tally = this.tally(seconds);
      tally.due += overMs / pollIntervalMs(seconds, bookmaker(book)!);
      const key = `${race} ${book}`;
      if (at !== null && this.polledAt.has(key) && this.polledAt.get(key) !== at) tally.made += 1;
      if (at !== null) this.polledAt.set(key, at);
    }
    const alone = (await liveRaces(this.service.db.pool, new Date(nowMs).toISOString())).filter(
      (race) => race.unpolled,
    );
    this.mostUnpolled = Math.max(this.mostUnpolled, alone.length);
    const ids = new Set(alone.map(({ raceId }) => raceId));
    for (const raceId of this.aloneSince.keys()) if (!ids.has(raceId)) this.aloneSince.delete(raceId);
    for (const raceId of ids) {
      const since = this.aloneSince.get(raceId) ?? nowMs;
      this.aloneSince.set(raceId, since);
      this.longestSeconds = Math.max(this.longestSeconds, 30 + (nowMs - since) / 1000);
    }
  }

  private tally(seconds: number): Tally {
    const name = isNearJump(seconds) ? 'two minutes and later' : seconds <= 600 ? 'ten minutes' : 'three hours';
    const found = this.tiers.get(name) ?? { due: 0, made: 0 };
    this.tiers.set(name, found);
    return found;
  }
}

/** Of the races that are not live yet: a run is shorter than the quarter of an hour between two of their polls. */
async function cardShare({ db, now }: Service): Promise<string> {
  const { rows } = await db.pool.query<{ rows: number; stamped: number }>(
    `SELECT count(*)::int AS rows, count(*) FILTER (WHERE b.polled_at > $1::timestamptz - interval '17 minutes')::int AS stamped
       FROM race_books b JOIN races r USING (race_id) JOIN race_control c USING (race_id)
      WHERE r.phase = 'card' AND c.tier = 'card'`,
    [new Date(now()).toISOString()],
  );
  return `${rows[0]!.stamped} of ${rows[0]!.rows}`;
}

const running = async ({ temporal }: Service): Promise<number> =>
  (await temporal.client.workflow.count('WorkflowType = "race" AND ExecutionStatus = "Running"')).count;

const watched = ({ db, now }: Service) => liveRaces(db.pool, new Date(now()).toISOString());
const polledRaces = async (service: Service): Promise<number> =>
  (await watched(service)).filter(({ unpolled }) => !unpolled).length;
const unpolledRaces = async (service: Service): Promise<number> =>
  (await watched(service)).filter(({ unpolled }) => unpolled).length;

async function measure(service: Service): Promise<void> {
  const beganMs = performance.now();
  const secondsSince = () => ((performance.now() - beganMs) / 1000).toFixed(0);
  const print = (label: string, value: string): void => console.log(label.padEnd(56), value);
  let workers: readonly ServiceProcess[] = await Promise.all([
    service.startWorker(environment()),
    service.startWorker(environment()),
  ]);
  print('two workers are ready after', `${secondsSince()} s`);
  await waitFor(async () => (await polledRaces(service)) >= 0.95 * live, 600_000);
  print(`19 of 20 of ${live} live races are polled after`, `${secondsSince()} s`);
  await waitFor(async () => (await unpolledRaces(service)) === 0, 600_000);
  print('all that are live after', `${secondsSince()} s`);
  await waitFor(async () => (await running(service)) >= Math.min(mostWorkflows, 0.95 * (day + waiting)), 600_000);
  const sweep = service.temporal.client.schedule.getHandle('race-sweep');
  await sweep.pause('the development server has enough workflows');
  for await (const { workflowId } of service.temporal.client.workflow.list({
    query: 'WorkflowType = "sweepRaces" AND ExecutionStatus = "Running"',
  }))
    await service.temporal.client.workflow.getHandle(workflowId).terminate();
  print(
    'workflows, rows of races without one, after',
    `${await running(service)}, ${day + waiting - (await running(service))}, ${secondsSince()} s`,
  );

  const watches = { steady: new Watch(service), restarts: new Watch(service) };
  await follow(watches.steady, minutes / 2);
  report('undisturbed', watches.steady);
  const restarting = (async () => {
    for (const old of workers) {
      await old.kill('SIGTERM');
      workers = [...workers.filter((each) => each !== old), await service.startWorker(environment())];
    }
  })();
  await Promise.all([follow(watches.restarts, minutes / 2), restarting]);
  report('while each worker is restarted', watches.restarts);
  print('books of races on the card stamped in a quarter of an hour', await cardShare(service));
}

async function follow(watch: Watch, forMinutes: number): Promise<void> {
  const untilMs = performance.now() + forMinutes * MINUTE_MS;
  let lastMs = performance.now();
  await watch.sample(0);
  while (performance.now() < untilMs) {
    await sleep(SAMPLE_MS);
    const nowMs = performance.now();
    await watch.sample(nowMs - lastMs);
    lastMs = nowMs;
  }
}

function report(title: string, { tiers, mostUnpolled, longestSeconds }: Watch): void {
  console.log(title);
  for (const [name, { due, made }] of tiers)
    console.log(`  ${name}`.padEnd(56), `${made} of ${due.toFixed(0)} due polls, ${((100 * made) / due).toFixed(0)} %`);
  console.log(
    '  live races without a book stamped for 30 s, at most'.padEnd(56),
    `${mostUnpolled}, for ${longestSeconds.toFixed(0)} s`,
  );
}

async function main(): Promise<void> {
  await useBuiltPrograms();
  const servers = await startOwnServers();
  let service: Service | null = null;
  try {
    process.env.DATABASE_URL = servers.databaseUrl;
    process.env.DATABASE_DIRECT_URL = '';
    process.env.REDIS_URL = servers.redisUrl;
    process.env.TEMPORAL_ADDRESS = servers.temporalAddress;
    service = await startService(1, card);
    await insertWaiting(service);
    await measure(service);
  } finally {
    await service?.close();
    await servers.close();
  }
}

endOnSignal();
main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
