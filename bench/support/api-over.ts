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
import { createStores } from '../../src/store/create-stores';
import { hashApiKey } from '../../src/store/keys/keys';
import { createPool } from '../../src/store/pg/pool';
import { withOutageCache } from '../../src/store/reads/outage-cache';
import { createReads } from '../../src/store/reads/reads';
import { createKeyLimit } from '../../src/store/redis/key-limit';
import { createSharedAnswers } from '../../src/store/redis/shared-answers';
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
  const { keys, ingest, health, credits } = createStores(pool);
  await keys.insert(hashApiKey(key), keyRow(key, { plan: 'plus' }));
  const redis = process.env.REDIS_URL ? new Redis(process.env.REDIS_URL) : null;
  return apiOf({
    reads: withOutageCache(createReads(pool, createPool(databaseUrl, STREAM_CONNECTIONS))),
    keys,
    ingest,
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
    log: { error: console.error },
    keylessPerMinute: NEVER_REACHED,
    endpoints: ENDPOINTS.map((one) => (one.perMinutePerIp ? { ...one, perMinutePerIp: NEVER_REACHED } : one)),
  });
}
