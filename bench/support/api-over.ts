// The API over a bench's database, on the wall clock or a bench's own, with Redis if configured. As in production,
// except that the limit per address of keyless calls is never reached and, if it is not metered, keys are neither
// limited nor charged. Shares answers with no process that has another key.
import Redis from 'ioredis';
import type Koa from 'koa';
import { createBalances } from '../../src/api/kernel/charging/balances';
import { createCharger } from '../../src/api/kernel/charging/charger';
import { createWorkLimits, workBounds } from '../../src/api/kernel/work/work-limits';
import { createWorkMeter } from '../../src/api/kernel/work/work-meter';
import { ENDPOINTS } from '../../src/api/operations';
import { createBoardFeed } from '../../src/api/operations/changes/board-feed';
import { REAL_TIME } from '../../src/domain/time/clock';
import { createStores } from '../../src/store/create-stores';
import { followKeyChanges } from '../../src/store/keys/key-changes';
import { hashApiKey } from '../../src/store/keys/keys';
import { createPool } from '../../src/store/pg/pool';
import { withOutageCache } from '../../src/store/reads/outage-cache';
import { createReads } from '../../src/store/reads/reads';
import { followNotices } from '../../src/store/redis/board-notices';
import { createKeyLimit } from '../../src/store/redis/key-limit';
import { createRedis } from '../../src/store/redis/redis';
import { createSharedAnswers } from '../../src/store/redis/shared-answers';
import { createStreamLeases } from '../../src/store/redis/stream-leases';
import { keyRow } from '../../test/support/api/api';
import { apiOf, type GivenApi } from '../../test/support/api/given-api';

const NEVER_REACHED = 1e9;
/** As the API has by default (`DATABASE_STREAM_POOL_MAX`). */
const STREAM_CONNECTIONS = 3;

export async function apiOver(
  databaseUrl: string,
  key: string,
  clock: Pick<GivenApi, 'now' | 'responsesCachedMs'> = { now: Date.now },
  isMetered = false,
): Promise<Koa> {
  const pool = createPool(databaseUrl, 10);
  const { keys, ingest, sportIngest, health, credits } = createStores(pool);
  await keys.insert(hashApiKey(key), keyRow(key, { plan: 'plus' }));
  const redis = process.env.REDIS_URL ? new Redis(process.env.REDIS_URL) : null;
  const fresh = createReads(pool, createPool(databaseUrl, STREAM_CONNECTIONS));
  const log = { error: console.error };
  return apiOf({
    reads: withOutageCache(fresh),
    ...(redis && {
      streamLeases: createStreamLeases(redis, `${databaseUrl} ${key}`),
      boardFeed: createBoardFeed({
        reads: fresh,
        clock: REAL_TIME,
        now: clock.now,
        log,
        notices: noticesOf(databaseUrl),
      }),
    }),
    keys,
    keyChanges: followKeyChanges(databaseUrl),
    ingest,
    sportIngest,
    health,
    sharedAnswers: createSharedAnswers(redis, `${databaseUrl} ${key}`),
    ...clock,
    ...(isMetered && {
      charger: createCharger(credits),
      balances: createBalances(credits),
      keyLimit: createKeyLimit(redis!, `${databaseUrl} ${key}`),
      work: createWorkLimits(createWorkMeter(), console, workBounds(NEVER_REACHED)),
    }),
    baseUrl: 'https://api.example.com',
    log,
    keylessPerMinute: NEVER_REACHED,
    endpoints: ENDPOINTS.map((one) => (one.perMinutePerIp ? { ...one, perMinutePerIp: NEVER_REACHED } : one)),
  });
}

const noticesOf = (databaseUrl: string) =>
  followNotices(createRedis(process.env.REDIS_URL!), { databaseDirectUrl: databaseUrl, clock: REAL_TIME });
