// The activities over a real database, a real Temporal namespace and the simulated books over real HTTP, at an instant
// that the test sets and moves.

import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { type Activities, createActivities } from '../../src/activities';
import type { ActivityDeps } from '../../src/activities/deps';
import { cachedRunners } from '../../src/activities/polling/card-runners';
import { loadConfig } from '../../src/config';
import { REAL_TIME } from '../../src/domain/time/clock';
import type { FeedEndpoint } from '../../src/feeds/feed';
import { createFeeds } from '../../src/feeds/registry';
import { createFolderStore } from '../../src/file-store/folder';
import { createLog } from '../../src/log';
import { monthlyCreditsOf } from '../../src/plans/overage';
import { createSimulator } from '../../src/simulator/http/server';
import type { RaceScript } from '../../src/simulator/world/scripts';
import { createStores } from '../../src/store/create-stores';
import { createReads } from '../../src/store/reads/reads';
import { SIGNER } from '../support/manifests';
import { PATIENT_MS } from '../support/patient';
import { NOON_MS } from '../support/races/race-clock';
import { createTestDatabase, type TestDatabase } from '../support/servers/database';
import { poolAs } from '../support/servers/roles';
import { createTestNamespace, type TestNamespace } from '../support/servers/temporal';

export const NOON = NOON_MS;
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export interface ActivityLab {
  readonly deps: ActivityDeps;
  readonly endpoints: Readonly<Record<string, FeedEndpoint>>;
  readonly db: TestDatabase;
  readonly temporal: TestNamespace;
  /** The current race time; set it to move the world. */
  clock: { nowMs: number };
  /** Runs an activity as attempt `attempt`. */
  run<K extends keyof Activities>(
    name: K,
    args: Parameters<Activities[K]>,
    attempt?: number,
  ): Promise<Awaited<ReturnType<Activities[K]>>>;
  query<T>(text: string): Promise<T[]>;
  close(): Promise<void>;
}

/** The four main books: enough for the rules of collection. Other tests cover the whole panel. */
const FOUR_BOOKS = ['ladbrokes_au', 'neds', 'pointsbetau', 'tab'];

const NO_FILES = createFolderStore('/nonexistent');

/** `brief`: the book with a deadline of one second. */
export async function openLab(
  races: readonly RaceScript[],
  environment: Record<string, string> = {},
  books: readonly string[] = FOUR_BOOKS,
  brief = '',
): Promise<ActivityLab> {
  const clock = { nowMs: NOON };
  const now = () => clock.nowMs;
  const [db, temporal] = await Promise.all([createTestDatabase(), createTestNamespace()]);
  const simulator = createSimulator({ seed: 'test', now, races });
  const config = loadConfig({
    SIMULATOR_URL: await simulator.listen(0),
    FEED_TIMEOUT_MS: `${MINUTE}`,
    ...environment,
  });
  const pool = poolAs(db, 'racing_worker');
  const stores = createStores(pool);
  const deps: ActivityDeps = {
    stores,
    files: NO_FILES,
    signer: SIGNER,
    bulkReads: createReads(pool),
    boardReads: createReads(pool),
    wallMs: Date.now,
    monthlyCreditsOf,
    cardRunners: cachedRunners(stores.races, now),
    feeds: createFeeds(
      Object.fromEntries(books.map((key) => [key, { ...config.feeds[key]!, timeoutMs: PATIENT_MS }])),
      now,
    ),
    resultsRegistries: [],
    now,
    clock: REAL_TIME,
    deadlineOf: (key) => (key === brief ? 1000 : PATIENT_MS),
    random: () => 0.5,
    client: temporal.client,
    log: createLog('test', 'silent'),
    apiBaseUrl: 'http://127.0.0.1:1',
    betslip: {},
  };
  const activities = createActivities(deps);
  return {
    deps,
    endpoints: config.feeds,
    db,
    temporal,
    clock,
    run: (name, args, attempt = 1) => {
      const env = new MockActivityEnvironment({ attempt }, { logger: new DefaultLogger('ERROR') });
      return env.run(activities[name] as never, ...(args as never[])) as never;
    },
    query: async (text) => (await db.pool.query(text)).rows,
    close: async () => {
      await simulator.close();
      await temporal.close();
      await pool.end();
      await db.drop();
    },
  };
}

/** Discovers the world and gives the single expected race a control row. */
export async function discovered(lab: ActivityLab, tier: 'card' | 'live'): Promise<string> {
  await lab.run('discover', [{ days: 2 }]);
  const [race] = await lab.query<{ race_id: string; start_time: string }>('SELECT race_id, start_time FROM races');
  const raceId = race!.race_id;
  const set = { do: 'set_control', epoch: 1, tier, advertisedStart: race!.start_time, closed: false } as const;
  await lab.run('carryOut', [
    { raceId, effects: [set, { do: 'save_phase', phase: tier, jumpedAt: null, leftBoardAt: null }] },
  ]);
  return raceId;
}
