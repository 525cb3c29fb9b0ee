// Registries that publish what a test sets, with a real database and a real Temporal namespace: for cases that the
// simulated registries never show.
import type { CollectDeps } from '../../src/activities/deps';
import {
  type CollectReport,
  createResultsCollector,
  type ResultsCollector,
} from '../../src/activities/full-field/collector';
import type { FeedResult, ListedRace } from '../../src/domain/race/feed-race';
import type { PublishedMeeting, PublishedRace } from '../../src/domain/results/published-results';
import { REAL_TIME } from '../../src/domain/time/clock';
import type { FeedFailure, FeedReply } from '../../src/feeds/feed';
import type { ResultsRegistry } from '../../src/feeds/results-registry';
import { createLog } from '../../src/log';
import { createStores } from '../../src/store/create-stores';
import { feedResult, feedRunner, resultRunner } from '../support/races/builders';
import { type StoredRace, storeRace } from '../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../support/servers/database';
import { createTestNamespace, type TestNamespace } from '../support/servers/temporal';

/** 14:00 in Sydney, daylight time; the first pass over a thoroughbred is at 19:00 UTC. */
export const START = '2026-11-21T03:00:00.000Z';
export const DAY = '2026-11-21';
export const HOUR = 3_600_000;
/** Starts of the meeting's races, 40 minutes apart. */
export const startOf = (raceNumber: number): string =>
  new Date(Date.parse(START) + (raceNumber - 1) * 40 * 60_000).toISOString();
export const hoursAfter = (hours: number): number => Date.parse(START) + hours * HOUR;

export const NAMES = ['Zulu Warrior', 'Quiet Harbour', 'Midnight Express', 'Brass Monkey'];
export const FIELD = NAMES.map((name, i) => resultRunner(i + 1, { name, origin: 'racing_australia' }));

export const publishedRace = (over: Partial<PublishedRace> = {}): PublishedRace => ({
  raceNumber: 1,
  startTime: START,
  distanceM: 1200,
  raceName: 'Maiden Plate',
  stage: 'final',
  runners: FIELD,
  ...over,
});

export const publishedMeeting = (over: Partial<PublishedMeeting> = {}): PublishedMeeting => ({
  source: 'racing_australia',
  key: '2026Nov21,VIC,Flemington',
  category: 'horse',
  day: DAY,
  venue: 'Flemington',
  note: null,
  races: [publishedRace()],
  ...over,
});

/** What a registry publishes now, by region, and how it fails. Change it to move the world. */
class FakeRegistry implements ResultsRegistry {
  readonly source: ResultsRegistry['source'];
  readonly category: ResultsRegistry['category'];
  readonly regions = ['VIC', 'NSW'];
  readonly reads: string[] = [];
  meetings: Record<string, readonly PublishedMeeting[]> = { VIC: [], NSW: [] };
  fails: (what: string) => FeedFailure | null = () => null;
  retryAfterMs: number | null = null;

  beginsOn = (): string => '2026-11-01';

  constructor(
    private readonly now: () => number,
    source: ResultsRegistry['source'] = 'racing_australia',
  ) {
    this.source = source;
    this.category = source === 'topaz' ? 'greyhound' : 'horse';
  }

  async listings(region: string, from: string, to: string) {
    const listed = this.meetings[region]!.filter(({ day }) => day >= from && day <= to);
    return this.reply(
      `list ${region}`,
      listed.map(({ key, day, venue }) => ({ key, day, region, venue })),
    );
  }

  async meeting(key: string) {
    const found = Object.values(this.meetings).flat();
    return this.reply(key, found.find((meeting) => meeting.key === key)!);
  }

  private async reply<T>(what: string, value: T): Promise<FeedReply<T>> {
    this.reads.push(what);
    // Responds after a turn of the event loop, so that concurrent requests overlap.
    await new Promise((done) => setImmediate(done));
    const observedAt = new Date(this.now()).toISOString();
    const reason = this.fails(what);
    if (reason) return { kind: 'failed', reason, detail: 'a fake', retryAfterMs: this.retryAfterMs, observedAt };
    return { kind: 'ok', value, observedAt, bookAt: null, dropped: {} };
  }
}

export interface PublishedLab {
  readonly db: TestDatabase;
  readonly temporal: TestNamespace;
  readonly deps: CollectDeps;
  readonly clock: { nowMs: number };
  readonly registry: FakeRegistry;
  readonly collector: ResultsCollector;
  /** Sets what Victoria publishes from now on. */
  publish(...meetings: readonly PublishedMeeting[]): void;
  /** A run over one region. */
  collect(region?: string): Promise<CollectReport>;
  /** A thoroughbred race at Flemington with a card and, by default, a result. */
  race(over?: Partial<ListedRace>, result?: Partial<FeedResult> | null): Promise<StoredRace>;
  /** A book's result for it: these numbers, best first. */
  result(raceId: string, order?: readonly number[], over?: Partial<FeedResult>, at?: string): Promise<void>;
  row(raceId: string): Promise<Record<string, unknown> | undefined>;
  refusals(): Promise<readonly string[]>;
  query<T>(text: string, values?: readonly unknown[]): Promise<T[]>;
  close(): Promise<void>;
}

/** Two hours after the race. */
export async function openPublishedLab(source: ResultsRegistry['source'] = 'racing_australia'): Promise<PublishedLab> {
  const clock = { nowMs: hoursAfter(2) };
  const now = () => clock.nowMs;
  const [db, temporal] = await Promise.all([createTestDatabase(), createTestNamespace()]);
  const registry = new FakeRegistry(now, source);
  const stores = createStores(db.pool);
  const deps: CollectDeps = {
    stores,
    now,
    log: createLog('test', 'silent'),
    client: temporal.client,
    clock: REAL_TIME,
    resultsRegistries: [registry],
  };
  const fiveMinutesAfter = new Date(hoursAfter(1 / 12)).toISOString();
  const result: PublishedLab['result'] = async (raceId, order = [1, 2, 3], over = {}, at = fiveMinutesAfter) => {
    const placings = order.map((number, i) => ({ position: i + 1, number, name: NAMES[number - 1]! }));
    const write = { raceId, source: 'ladbrokes_au', at };
    await stores.results.saveResult({ ...write, result: feedResult({ placings, ...over }) });
  };
  const collector = createResultsCollector(deps);
  const query = async <T>(text: string, values: readonly unknown[] = []): Promise<T[]> =>
    (await db.pool.query(text, [...values])).rows;
  return {
    db,
    temporal,
    deps,
    clock,
    registry,
    collector,
    publish: (...meetings) => {
      registry.meetings.VIC = meetings;
    },
    collect: (region = 'VIC') => collector.region({ source, region }, () => undefined),
    race: async (over = {}, reported = {}) => {
      const category = registry.category;
      const stored = await storeRace(db, { venue: 'Flemington', startTime: START, category, ...over });
      await stored.poll(600, { runners: NAMES.map((name, i) => feedRunner(i + 1, { name, win: 3 })) });
      if (reported) await result(stored.raceId, [1, 2, 3], reported);
      return stored;
    },
    result,
    row: async (raceId) =>
      (await query<Record<string, unknown>>('SELECT * FROM race_results WHERE race_id = $1', [raceId]))[0],
    refusals: async () =>
      (
        await query<{ reason: string }>(
          `SELECT reason FROM connector_counts, generate_series(1, count) WHERE kind = 'refused' ORDER BY reason`,
        )
      ).map(({ reason }) => reason),
    query,
    close: async () => {
      await temporal.close();
      await db.drop();
    },
  };
}
