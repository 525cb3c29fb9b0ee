// The collection under faults: a real database, the simulated books over real HTTP with their faults switched over HTTP, the real
// connectors, the activities' own code, and a race clock that the test moves. The workflows' side is a list of what they were told.
import type { Client } from '@temporalio/client';
import type { ActivityDeps } from '../../src/activities/deps';
import { cachedRunners } from '../../src/activities/polling/card-runners';
import { type DiscoveryReport, discover } from '../../src/activities/polling/discover';
import { runLivePoller } from '../../src/activities/polling/live-poller';
import { type BookReport, pollBook } from '../../src/activities/polling/poll-book';
import type { PollerHost, PollerProgress } from '../../src/activities/polling/poller';
import { listedBooks, pollTargets } from '../../src/activities/polling/race-books';
import type { PollerEnd } from '../../src/activities/polling/sightings';
import { loadConfig } from '../../src/config';
import { REAL_TIME } from '../../src/domain/time/clock';
import { createFeeds } from '../../src/feeds/registry';
import { createLog } from '../../src/log';
import { createSimulator, type Simulator } from '../../src/simulator/http/server';
import type { RaceScript } from '../../src/simulator/world/scripts';
import { createStores } from '../../src/store/create-stores';
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
  /** A book that never answers: nobody waits for it. */
  readonly hanging?: string;
  /** Whether the workflow knows the market as shut. */
  readonly marketShut?: boolean;
}

export interface FaultLab {
  readonly deps: ActivityDeps;
  readonly simulator: Simulator;
  readonly clock: { nowMs: number };
  /** What workflows were told: the signal's name and what it carried. */
  readonly told: { readonly workflow: string; readonly signal: string; readonly args: readonly unknown[] }[];
  /** Switches a scenario on, over HTTP. */
  on(scenario: string, where?: Readonly<Record<string, string>>): Promise<void>;
  off(scenario: string): Promise<void>;
  /** While `work` runs, this book is waited for half a second only; else a book is waited for longer than any machine stands still. */
  briefly<T>(book: string, work: () => Promise<T>): Promise<T>;
  discover(): Promise<DiscoveryReport>;
  /** The id of the race that stands in the store for this venue and number; the first start first. */
  raceId(venueId: string, raceNumber: number): Promise<string>;
  /** Polls one race once at each of these books, as its only holder. */
  poll(raceId: string, ...books: readonly string[]): Promise<BookReport[]>;
  /** The live tier's own loop for so long: the clock moves as it waits, once every book but the hanging ones has answered. */
  live(
    raceId: string,
    forMs: number,
    more?: LiveOptions,
  ): Promise<{ outcome: PollerEnd | null; progress: PollerProgress }>;
  query<T = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<T[]>;
  /** Of the health counts: `failed rate_limited` → 3. */
  counts(book: string): Promise<Record<string, number>>;
  close(): Promise<void>;
}

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
  const told: FaultLab['told'] = [];
  const asked = new Map(
    createFeeds(Object.fromEntries(books.map((key) => [key, { ...feeds[key]!, timeoutMs: PATIENT_MS }])), now),
  );
  const stores = createStores(db.pool);
  const deps: ActivityDeps = {
    stores,
    cardRunners: cachedRunners(stores.races, now),
    feeds: asked,
    resultsRegistries: [],
    now,
    clock: REAL_TIME,
    deadlineOf: () => PATIENT_MS,
    random: () => 0.5,
    client: noting(told),
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
    simulator,
    clock,
    told,
    query,
    on: (scenario, where) => put('PUT', scenario, where),
    off: (scenario) => put('DELETE', scenario),
    async briefly(book, work) {
      const usual = asked.get(book)!;
      asked.set(book, createFeeds({ [book]: { ...feeds[book]!, timeoutMs: 500 } }, now).get(book)!);
      const done = await work();
      asked.set(book, usual);
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

/** Where no workflow runs: whatever one is told is noted. */
function noting(told: FaultLab['told']): Client {
  const handle = (workflow: string) => ({
    signal: async ({ name }: { name: string }, ...args: unknown[]) => void told.push({ workflow, signal: name, args }),
  });
  return { workflow: { getHandle: handle } } as unknown as Client;
}

const FENCE = { epoch: 1, attempt: 1 };

async function pollOnce(deps: ActivityDeps, raceId: string, keys: readonly string[]): Promise<BookReport[]> {
  const header = (await deps.stores.races.raceHeader(raceId))!;
  const targets = pollTargets(raceId, header.startTime, await listedBooks(deps, raceId));
  const asked = keys.map((key) => {
    const target = targets.find((each) => each.bookmakerKey === key);
    if (!target) throw new Error(`${key} is not linked to race ${raceId}`);
    return target;
  });
  const answers = await Promise.all(asked.map((target) => pollBook(deps, target, FENCE, { whole: true })));
  await deps.stores.health.recordPolls(answers.map((answer) => answer.health));
  return answers;
}

interface Watch extends LiveOptions {
  readonly raceId: string;
  readonly forMs: number;
}

/** Every watch is a later turn of the race's poller than the one before. */
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

/** What one book's prices of one race are in the store, and how old. */
export interface HeldQuotes {
  readonly polled_at: string;
  readonly changed_at: string;
  readonly book_at: string | null;
  readonly numbers: readonly number[];
  readonly runner_keys: readonly string[];
  readonly win: readonly (number | null)[];
}

export async function quotesOf(lab: FaultLab, raceId: string, book: string): Promise<HeldQuotes> {
  const [row] = await lab.query<HeldQuotes>(
    `SELECT polled_at, changed_at, book_at, numbers, runner_keys, win FROM race_books WHERE race_id = $1 AND bookmaker_key = $2`,
    [raceId, book],
  );
  return row!;
}

export const at = (ms: number): string => new Date(ms).toISOString();
