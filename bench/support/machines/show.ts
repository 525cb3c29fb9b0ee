// Four APIs, four pollers, a replica and PgBouncer, each killed in turn while customers call: what they saw, and how
// long a live race had no new stamp. Each API has a loopback address of its own.
import { setTimeout as sleep } from 'node:timers/promises';
import { issueKey } from '../../../src/ops/issue-key';
import { runCommand } from '../../../src/ops/run-command';
import type { RaceScript } from '../../../src/simulator/world/scripts';
import { AU_HORSE } from '../../../src/simulator/world/tracks';
import { createKeyStore } from '../../../src/store/keys/keys';
import { silentBooks } from '../../../test/support/races/ledger';
import { type OwnServers, useOwnServers } from '../../../test/support/servers/own-servers';
import { asLogin } from '../../../test/support/servers/roles';
import { type Service, type ServiceProcess, startService, waitFor } from '../../../test/support/servers/service';
import { callBalanced, type Seen } from './balanced-callers';

export interface Killed extends Seen {
  readonly part: string;
  /** Until every live race had a new stamp of each of its books. */
  readonly backSeconds: number;
  /** The longest that a live race was without a new stamp of any book. */
  readonly gapSeconds: number;
  /** Live races that had not jumped, before and after: of others a gap is not seen. */
  readonly live: readonly [before: number, after: number];
}

const MACHINES = 4;
const MINUTE = 60_000;
const WITHIN_MS = 180_000;
const SAMPLE_MS = 250;
const PATHS = ['/v1/racing/next-to-go?num_races=10', '/v1/racing/best-odds', '/v1/racing/venues'];

/** Polled every 15 s at first, and none jumps during the show. */
const card =
  (races: number) =>
  (nowMs: number): RaceScript[] =>
    Array.from({ length: races }, (_, i) => {
      const { name: venue, category } = AU_HORSE[i % AU_HORSE.length]!;
      return { startMs: nowMs + 14 * MINUTE + i * 5000, venue, category, runners: 10 };
    });

export async function killInTurn(
  servers: OwnServers,
  races: number,
  done: (killed: Killed) => void,
): Promise<readonly Killed[]> {
  useOwnServers(servers);
  const service = await startService(1, card(races), servers.pgbouncerPort);
  try {
    await givePooler(servers, service);
    await servers.start('standby');
    const readUrl = Object.assign(new URL(asLogin(service.db.url, 'racing_api')), {
      port: new URL(servers.standbyUrl).port,
    }).href;
    const startApi = (i: number) => service.startApi(`127.0.0.${11 + i}`, { DATABASE_READ_URL: readUrl });
    const startPoller = () => service.startWorker({ WORKER_ROLES: 'poll', WORKER_LIVE_SLOTS: '1000' });
    await service.startWorker({ WORKER_ROLES: 'workflows,io' });
    const pollers: ServiceProcess[] = [];
    const apis: (ServiceProcess & { url: string })[] = [];
    for (let i = 0; i < MACHINES; i++) {
      pollers.push(await startPoller());
      apis.push(await startApi(i));
    }
    await waitFor(async () => (await liveRaces(service)) === races, WITHIN_MS);
    await waitFor(
      async () => (await silentBooks(service.db.pool, service.now() - 30 * MINUTE)).length === 0,
      WITHIN_MS,
    );
    const restart = (server: 'pgbouncer' | 'standby') => () => servers.kill(server).then(() => servers.start(server));
    const parts: (readonly [string, () => Promise<unknown>])[] = [
      ...apis.map((api, i) => [`API ${i + 1}`, () => api.kill('SIGKILL').then(() => startApi(i))] as const),
      ...pollers.map((poller, i) => [`poller ${i + 1}`, () => poller.kill('SIGKILL').then(startPoller)] as const),
      ['replica', restart('standby')],
      ['PgBouncer', restart('pgbouncer')],
    ];
    return await killAll(
      service,
      apis.map(({ url }) => url),
      parts,
      done,
    );
  } finally {
    await service.close();
  }
}

const liveRaces = async ({ db }: Service): Promise<number> =>
  (
    await db.pool.query<{ races: number }>(
      `SELECT count(*)::int AS races FROM races WHERE phase = 'live' AND jumped_at IS NULL`,
    )
  ).rows[0]!.races;

/** Starts it, and once more when the logins have their settings. */
async function givePooler(servers: OwnServers, { db }: Service): Promise<void> {
  await servers.start('pgbouncer');
  const { code, err } = await runCommand(['roles'], { DATABASE_URL: db.url, LOG_LEVEL: 'silent' });
  if (code !== 0) throw new Error(err);
  await servers.kill('pgbouncer');
  await servers.start('pgbouncer');
}

async function killAll(
  service: Service,
  urls: readonly string[],
  parts: readonly (readonly [string, () => Promise<unknown>])[],
  done: (killed: Killed) => void,
): Promise<readonly Killed[]> {
  const key = await issueKey(
    createKeyStore(service.db.pool),
    { label: 'show', plan: 'enterprise', role: 'internal' },
    new Date().toISOString(),
  );
  const callers = callBalanced(urls, PATHS, key);
  const all: Killed[] = [];
  try {
    await sleep(5000);
    for (const [part, kill] of parts) {
      callers.seen();
      const before = await liveRaces(service);
      const gaps = followGaps(service);
      const sinceMs = service.now();
      const beganMs = performance.now();
      await kill();
      await waitFor(async () => (await silentBooks(service.db.pool, sinceMs)).length === 0, WITHIN_MS);
      const backSeconds = (performance.now() - beganMs) / 1000;
      const gapSeconds = await gaps.end();
      const live = [before, await liveRaces(service)] as const;
      const killed = { part, ...callers.seen(), backSeconds, gapSeconds, live };
      done(killed);
      all.push(killed);
    }
  } finally {
    await callers.end();
  }
  return all;
}

const GAP = `SELECT COALESCE(max(gap), 0)::float8 AS gap FROM (
  SELECT extract(epoch FROM to_timestamp($1 / 1000.0) - max(b.polled_at)) AS gap
    FROM races r JOIN race_books b USING (race_id)
   WHERE r.phase = 'live' AND r.jumped_at IS NULL GROUP BY r.race_id) each_race`;

function followGaps({ db, now }: Service) {
  let ended = false;
  let longest = 0;
  const following = (async () => {
    for (; !ended; await sleep(SAMPLE_MS)) {
      const { rows } = await db.pool.query<{ gap: number }>(GAP, [now()]);
      longest = Math.max(longest, rows[0]!.gap);
    }
  })();
  return {
    async end(): Promise<number> {
      ended = true;
      await following;
      return longest;
    },
  };
}
