// Archived races at two API processes over one database and one Redis, with clients that play them.
import type { Redis } from 'ioredis';
import type { Pool } from 'pg';
import { createCharger } from '../../../../src/api/kernel/charging/charger';
import type { PlayClock } from '../../../../src/api/operations/replay/paced';
import { createStores } from '../../../../src/store/create-stores';
import { followKeyChanges, type KeyChanges } from '../../../../src/store/keys/key-changes';
import { hashApiKey } from '../../../../src/store/keys/keys';
import type { Listener } from '../../../../src/store/pg/listener';
import { createReads } from '../../../../src/store/reads/reads';
import { createPaidPlays } from '../../../../src/store/redis/paid-plays';
import { createRedis } from '../../../../src/store/redis/redis';
import { createStreamLeases } from '../../../../src/store/redis/stream-leases';
import { keyRow, newKey, startApi, type TestApi } from '../../../support/api/api';
import type { GivenApi } from '../../../support/api/given-api';
import { openStream, type StreamClient } from '../../../support/api/stream-client';
import { PATIENT_MS } from '../../../support/patient';
import { archivedRace } from '../../../support/races/archived-race';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database';
import { poolAs } from '../../../support/servers/roles';

export const HERE = '/v1/racing/replay';
export const DAY = '2026-11-20';

/** Time passes only while a replay waits. */
function jumpingClock(): PlayClock & { waitedMs: number } {
  const clock = { waitedMs: 0, nowMs: () => clock.waitedMs, wait };
  async function wait(ms: number): Promise<void> {
    clock.waitedMs += ms;
  }
  return clock;
}

export interface PlayedLine {
  readonly id?: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever JSON came.
  readonly data: any;
}

/** Call it once; every client is closed after its test. */
export function replays() {
  const lab = {} as {
    db: TestDatabase;
    pool: Pool;
    keyChanges: KeyChanges & Listener;
    redis: Redis;
    apis: [TestApi, TestApi];
    /** By start: two that overlap, and a later one. */
    races: readonly string[];
  };
  const clients: StreamClient[] = [];

  const start = (over: Partial<GivenApi> = {}): Promise<TestApi> => {
    const { keys, credits, usage } = createStores(lab.pool);
    return startApi({
      reads: createReads(lab.pool),
      keys,
      usage,
      keyChanges: lab.keyChanges,
      charger: createCharger(credits),
      streamLeases: createStreamLeases(lab.redis, lab.db.url),
      paidPlays: createPaidPlays(lab.redis, lab.db.url),
      playClock: jumpingClock(),
      streamBounds: { renewMs: 50 },
      ...over,
    });
  };

  beforeAll(async () => {
    lab.db = await createTestDatabase();
    lab.pool = poolAs(lab.db, 'racing_api', 20);
    lab.keyChanges = followKeyChanges(lab.db.url);
    lab.redis = createRedis(process.env.REDIS_URL!, PATIENT_MS);
    lab.races = await addRaces(lab.db.pool);
    lab.apis = [await start(), await start()];
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((one) => one.close()));
  });
  afterAll(async () => {
    for (const api of lab.apis) await api.close();
    await lab.keyChanges.close();
    lab.redis.disconnect();
    await lab.pool.end();
    await lab.db.drop();
  });

  async function addKey(plan = 'plus'): Promise<string> {
    const key = newKey();
    await createStores(lab.db.pool).keys.insert(hashApiKey(key), keyRow(key, { plan }));
    return key;
  }

  async function open(key: string, search: string, lastEventId?: string, api = lab.apis[0]): Promise<StreamClient> {
    const client = await openStream(api.url, key, { path: HERE, search, ...(lastEventId && { lastEventId }) });
    clients.push(client);
    return client;
  }

  /** All events, as NDJSON. */
  async function played(key: string, search: string, api = lab.apis[0]): Promise<PlayedLine[]> {
    const { status, text } = await api.get(`${HERE}${search}&format=ndjson`, key);
    if (status !== 200) throw new Error(text);
    return linesOf(text);
  }

  async function used(key: string): Promise<number> {
    const { rows } = await lab.db.pool.query(
      `SELECT COALESCE(sum(CASE kind WHEN 'return' THEN -credits ELSE credits END), 0)::int AS used
         FROM credit_ledger l JOIN api_keys k USING (account_id) WHERE k.key_hash = $1 AND subject = $2`,
      [hashApiKey(key), HERE],
    );
    return rows[0].used;
  }

  /** Races half an hour apart from each other, each with two prices. */
  async function addCopies(count: number, day: string, venue: string, first = 0): Promise<void> {
    const firstMs = Date.parse(`${day}T00:00:00.000Z`);
    for (let i = first; i < first + count; i++)
      await archivedRace(
        lab.db.pool,
        { meetingDate: day, venue, raceNumber: i + 1, startTime: new Date(firstMs + i * 1_800_000).toISOString() },
        {
          tab: [
            [1700, 3, 5 + i],
            [60, 3.5 + i, 6],
          ],
        },
      );
  }

  return Object.assign(lab, { start, addKey, open, played, used, addCopies });
}

const linesOf = (text: string): PlayedLine[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

async function addRaces(pool: Pool): Promise<string[]> {
  const listed = { meetingDate: DAY, venue: 'Replayfield' };
  const first = await archivedRace(
    pool,
    { ...listed, raceNumber: 1, startTime: `${DAY}T03:00:00.000Z`, placed: [2, 1] },
    {
      tab: [
        [3500, 3, 5],
        [600, 2.5, 6],
        [30, 2.5, 7],
        [-60, 2.2, 7],
      ],
      neds: [[900, 2.9, 5.5]],
      betfair_ex_au: [[1200, 777.5, 888.5]],
      pinnacle: [[1200, 666.5, 555.5]],
    },
  );
  const second = await archivedRace(
    pool,
    { ...listed, raceNumber: 2, startTime: `${DAY}T03:30:00.000Z` },
    {
      tab: [
        [3000, 4, 5],
        [600, 4.5, 4],
      ],
    },
  );
  const third = await archivedRace(
    pool,
    { ...listed, raceNumber: 3, startTime: `${DAY}T06:00:00.000Z` },
    {
      neds: [
        [1800, 8, 9],
        [600, 8.5, 9],
      ],
    },
  );
  // It became soft before the last price.
  await pool.query(
    `UPDATE races SET track_condition = 'Soft (5)', track_condition_changed_at = start_time - interval '20 minutes' WHERE race_id = $1`,
    [third],
  );
  return [first, second, third];
}
