// Collection under faults: a real database, the simulated books over real HTTP with faults that are switched over HTTP,
// the real connectors, the activities' own code, and a race clock that the test moves. Signals to workflows are
// recorded and acknowledged by a control row.
import type { Client } from '@temporalio/client';
import type { Pool } from 'pg';
import type { ActivityDeps } from '../../src/activities/deps';
import { cachedRunners } from '../../src/activities/polling/card-runners';
import { type DiscoveryReport, discover } from '../../src/activities/polling/lists/discover';
import { runLivePoller } from '../../src/activities/polling/live-poller';
import { type BookReport, pollBook } from '../../src/activities/polling/poll-book';
import type { PollerHost, PollerProgress } from '../../src/activities/polling/poller';
import { listedBooks, pollTargets } from '../../src/activities/polling/race-books';
import type { PollerEnd } from '../../src/activities/polling/sightings';
import { loadConfig } from '../../src/config';
import { REAL_TIME } from '../../src/domain/time/clock';
import { createFeeds } from '../../src/feeds/registry';
import { createFolderStore } from '../../src/file-store/folder';
import { createLog } from '../../src/log';
import { monthlyCreditsOf } from '../../src/plans/overage';
import { createSimulator, type Simulator } from '../../src/simulator/http/server';
import type { RaceScript } from '../../src/simulator/world/scripts';
import { createStores } from '../../src/store/create-stores';
import { createReads } from '../../src/store/reads/reads';
import { startMoved } from '../../src/workflows/contract';
import { SIGNER } from '../support/manifests';
import { PATIENT_MS } from '../support/patient';
import { pollsUnderWay } from '../support/races/polls-under-way';
import { NOON_MS } from '../support/races/race-clock';
import { createTestDatabase } from '../support/servers/database';

export const NOON = NOON_MS;
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

export const BOOKS = ['ladbrokes_au', 'neds', 'pointsbetau', 'tab'] as const;

interface LiveOptions {
  /** A book that never responds, so the clock does not wait for it. */
  readonly hanging?: string;
  /** Whether the workflow has recorded the market as closed. */
  readonly marketShut?: boolean;
}

export interface FaultLab {
  readonly deps: ActivityDeps;
  readonly pool: Pool;
  readonly simulator: Simulator;
  readonly clock: { nowMs: number };
  /** The signals sent to workflows. */
  readonly signals: { readonly workflow: string; readonly signal: string; readonly args: readonly unknown[] }[];
  /** How many of the next signals fail, as while Temporal is unavailable. */
  readonly temporal: { failures: number };
  /** Switches a scenario on over HTTP. */
  on(scenario: string, where?: Readonly<Record<string, string>>): Promise<void>;
  off(scenario: string): Promise<void>;
  /**
   * While `work` runs, this book times out after half a second; otherwise the timeout is longer than any standstill of
   * the machine.
   */
  briefly<T>(book: string, work: () => Promise<T>): Promise<T>;
  discover(): Promise<DiscoveryReport>;
  /** The id of the stored race with this venue and number; of several, the one that starts first. */
  raceId(venueId: string, raceNumber: number): Promise<string>;
  /** Polls one race once at each of these books, as its only holder. */
  poll(raceId: string, ...books: readonly string[]): Promise<BookReport[]>;
  /**
   * Runs the live tier's own loop: the clock moves while the loop waits, once every book but the hanging one has
   * responded.
   */
  live(
    raceId: string,
    forMs: number,
    more?: LiveOptions,
  ): Promise<{ outcome: PollerEnd | null; progress: PollerProgress }>;
  query<T = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<T[]>;
  /** From the health counts: `failed rate_limited` → 3. */
  counts(book: string): Promise<Record<string, number>>;
  close(): Promise<void>;
}

const NO_FILES = createFolderStore('/nonexistent');

export async function openFaultLab(
  races: readonly RaceScript[],
  { books = BOOKS }: { books?: readonly string[] } = {},
): Promise<FaultLab> {
  const clock = { nowMs: NOON };
  const now = (): number => clock.nowMs;
  const db = await createTestDatabase();
  const simulator = createSimulator({ seed: 'faults', now, races });
  const url = await simulator.listen(0);
  const { feeds } = loadConfig({ SIMULATOR_URL: url });
  const signals: FaultLab['signals'] = [];
  const temporal = { failures: 0 };
  const polledFeeds = new Map(
    createFeeds(Object.fromEntries(books.map((key) => [key, { ...feeds[key]!, timeoutMs: PATIENT_MS }])), now),
  );
  const stores = createStores(db.pool);
  const deps: ActivityDeps = {
    stores,
    files: NO_FILES,
    signer: SIGNER,
    bulkReads: createReads(db.pool),
    boardReads: createReads(db.pool),
    wallMs: Date.now,
    monthlyCreditsOf,
    cardRunners: cachedRunners(stores.races, now),
    feeds: polledFeeds,
    resultsRegistries: [],
    now,
    clock: REAL_TIME,
    deadlineOf: () => PATIENT_MS,
    random: () => 0.5,
    client: workflows(signals, temporal, (raceId, start) => takeStart(stores.control, clock, raceId, start)),
    log: createLog('test', 'silent'),
    apiBaseUrl: url,
    betslip: {},
  };
  const put = async (method: string, scenario: string, where: Readonly<Record<string, string>> = {}) => {
    const reply = await fetch(`${url}/faults/${scenario}?${new URLSearchParams(where)}`, { method });
    if (!reply.ok) throw new Error(await reply.text());
  };
  const query: FaultLab['query'] = async (text, values = []) => (await db.pool.query(text, [...values])).rows;
  return {
    deps,
    pool: db.pool,
    simulator,
    clock,
    signals,
    temporal,
    query,
    on: (scenario, where) => put('PUT', scenario, where),
    off: (scenario) => put('DELETE', scenario),
    async briefly(book, work) {
      const usual = polledFeeds.get(book)!;
      polledFeeds.set(book, createFeeds({ [book]: { ...feeds[book]!, timeoutMs: 500 } }, now).get(book)!);
      const done = await work();
      polledFeeds.set(book, usual);
      return done;
    },
    discover: () => discover(deps, { days: 1 }),
    raceId: async (venueId, raceNumber) => {
      const rows = await query<{ race_id: string }>(
        'SELECT race_id FROM races WHERE venue_id = $1 AND race_number = $2 ORDER BY start_time',
        [venueId, raceNumber],
      );
      if (!rows[0]) throw new Error(`no race ${raceNumber} at ${venueId}`);
      return rows[0].race_id;
    },
    poll: (raceId, ...keys) => pollOnce(deps, raceId, keys),
    live: (raceId, forMs, more) => liveFor(deps, clock, { raceId, forMs, ...more }),
    counts: async (book) => {
      const rows = await query<{ what: string; count: number }>(
        `SELECT kind || ' ' || reason AS what, sum(count)::int AS count FROM connector_counts WHERE connector = $1 GROUP BY 1`,
        [book],
      );
      return Object.fromEntries(rows.map(({ what, count }) => [what, count]));
    },
    close: async () => {
      await simulator.close();
      await db.drop();
    },
  };
}

type MovedStart = { readonly advertisedStart: string; readonly version: number };

/** A client whose workflows apply a moved start immediately. Records every signal that arrives. */
function workflows(
  signals: FaultLab['signals'],
  temporal: FaultLab['temporal'],
  take: (raceId: string, start: MovedStart) => Promise<void>,
): Client {
  const handle = (workflow: string) => ({
    signal: async ({ name }: { name: string }, ...args: unknown[]) => {
      if (temporal.failures > 0) {
        temporal.failures -= 1;
        throw new Error('14 UNAVAILABLE');
      }
      signals.push({ workflow, signal: name, args });
      if (name === startMoved.name) await take(workflow.replace('race:', ''), args[0] as MovedStart);
    },
  });
  const withDeadline = (_: unknown, work: () => Promise<void>) => work();
  return { withDeadline, workflow: { getHandle: handle } } as unknown as Client;
}

/** What the race's workflow writes when a start moves. */
async function takeStart(
  control: ActivityDeps['stores']['control'],
  clock: { nowMs: number },
  raceId: string,
  start: MovedStart,
) {
  const { epoch, tier, closed } = (await control.readControl(raceId))!;
  const { advertisedStart, version: startVersion } = start;
  await control.setControl({ raceId, epoch, tier, closed, advertisedStart, startVersion }, at(clock.nowMs));
}

const FENCE = { epoch: 1, attempt: 1 };

async function pollOnce(deps: ActivityDeps, raceId: string, keys: readonly string[]): Promise<BookReport[]> {
  const header = (await deps.stores.races.raceHeader(raceId))!;
  const targets = pollTargets(raceId, header.startTime, await listedBooks(deps, raceId));
  const polled = keys.map((key) => {
    const target = targets.find((each) => each.bookmakerKey === key);
    if (!target) throw new Error(`${key} is not linked to race ${raceId}`);
    return target;
  });
  const reports = await Promise.all(polled.map((target) => pollBook(deps, target, FENCE, { whole: true })));
  await deps.stores.health.recordPolls(reports.map((report) => report.health));
  return reports;
}

interface Watch extends LiveOptions {
  readonly raceId: string;
  readonly forMs: number;
}

/** Every watch is a later turn of the race's poller. */
let turns = 0;

async function liveFor(
  real: ActivityDeps,
  clock: { nowMs: number },
  { raceId, forMs, hanging, marketShut = false }: Watch,
) {
  const { deps, tally, answered } = pollsUnderWay(real, hanging);
  const { startTime } = (await deps.stores.races.raceHeader(raceId))!;
  const control = { raceId, epoch: 1, tier: 'live', advertisedStart: startTime, closed: false } as const;
  await deps.stores.control.setControl(control, at(clock.nowMs));
  const untilMs = clock.nowMs + forMs;
  let progress: PollerProgress = { polls: 0, books: [] };
  const over = new Error('time is up');
  const host: PollerHost = {
    attempt: 1,
    signal: new AbortController().signal,
    heartbeat: (latest) => {
      progress = latest;
    },
    wait: async (ms) => {
      await answered();
      if (clock.nowMs >= untilMs) throw over;
      clock.nowMs = Math.min(untilMs, clock.nowMs + Math.max(ms, 100));
    },
  };
  turns += 1;
  const race = { raceId, epoch: 1, turn: turns, marketShut };
  try {
    return { outcome: await runLivePoller(deps, race, host, tally), progress };
  } catch (error) {
    if (error !== over) throw error;
    return { outcome: null, progress };
  }
}

/** One book's stored prices of one race, with their times. */
export interface StoredQuotes {
  readonly polled_at: string;
  readonly changed_at: string;
  readonly book_at: string | null;
  readonly numbers: readonly number[];
  readonly runner_keys: readonly string[];
  readonly win: readonly (number | null)[];
}

export async function quotesOf(lab: FaultLab, raceId: string, book: string): Promise<StoredQuotes> {
  const [row] = await lab.query<StoredQuotes>(
    `SELECT polled_at, changed_at, book_at, numbers, runner_keys, win FROM race_books WHERE race_id = $1 AND bookmaker_key = $2`,
    [raceId, book],
  );
  return row!;
}

export const at = (ms: number): string => new Date(ms).toISOString();
