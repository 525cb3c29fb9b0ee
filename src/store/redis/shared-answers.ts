// Answers that all API processes share for a few seconds (A 8), so that a query is computed once for all of them. While
// Redis is away, each process caches its own.
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { createCache } from '../../cache';
import { createRedisAnswers, type RedisAnswer } from './shared-answers-redis';

/** JSON that was computed at an instant, by whichever process. */
interface SharedAnswer<T> {
  readonly value: T;
  readonly computedAtMs: number;
  /** Computed for this request, not for an earlier one. */
  readonly fresh: boolean;
}

export interface SharedAnswers {
  /**
   * The answer to `query`, at most `maxAgeMs` old at `nowMs`. On a miss one process computes it and the others wait for
   * it. `value` must survive JSON unchanged. A failed computation is not cached and fails for all callers that waited
   * in this process.
   */
  get<T>(query: string, maxAgeMs: number, nowMs: number, compute: () => Promise<T>): Promise<SharedAnswer<T>>;
}

interface Timed {
  readonly maxAgeMs: number;
  readonly answer: SharedAnswer<unknown>;
}

/** Some answers have megabytes, and each is cached for seconds. */
const MOST_CACHED = 200;
const LOOK_AGAIN_MS = 20;
const LEAD_MS = 1000;
/** Others do not wait for a longer computation. */
const LONGEST_LEAD_MS = 10_000;

/**
 * `redis` null: each process caches its own. Only processes with the same `deployment` share answers. An instance
 * caches at most `most` of them, and all its callers use one clock: on a miss it drops what is old by the caller's.
 */
export function createSharedAnswers(
  redis: Redis | null,
  deployment: string,
  { leadMs = LEAD_MS, most = MOST_CACHED } = {},
): SharedAnswers {
  const answers = createCache<Timed>(most);
  const inRedis = redis && createRedisAnswers(redis, deployment, leadMs);
  return {
    async get<T>(query: string, maxAgeMs: number, nowMs: number, compute: () => Promise<T>) {
      const isGood = (one: Timed): boolean => isFresh(one, nowMs);
      const { value, fresh } = await answers.get(query, isGood, async () => {
        answers.prune(isGood);
        const answer = inRedis ? together(inRedis(query), maxAgeMs, nowMs, compute) : alone(nowMs, compute);
        return { maxAgeMs, answer: await answer };
      });
      return (fresh ? value.answer : { ...value.answer, fresh: false }) as SharedAnswer<T>;
    },
  };
}

/** In either direction, because clocks of two machines differ: an answer may be slightly ahead of our time. */
const isFresh = ({ answer, maxAgeMs }: Timed, nowMs: number): boolean =>
  Math.abs(nowMs - answer.computedAtMs) < maxAgeMs;

async function alone(nowMs: number, compute: () => Promise<unknown>): Promise<SharedAnswer<unknown>> {
  return { value: await compute(), computedAtMs: nowMs, fresh: true };
}

/** The answer of another process, or our own, which is then published. */
async function together(
  shared: RedisAnswer,
  maxAgeMs: number,
  nowMs: number,
  compute: () => Promise<unknown>,
): Promise<SharedAnswer<unknown>> {
  for (;;) {
    const found = await shared.lookUp(maxAgeMs, nowMs).catch(() => null);
    if (found === null) return alone(nowMs, compute);
    if (found.kind === 'answer')
      return { value: JSON.parse(found.json), computedAtMs: found.computedAtMs, fresh: false };
    if (found.kind === 'lead') return lead(shared, maxAgeMs, nowMs, compute);
    await delay(LOOK_AGAIN_MS);
  }
}

/** Never waits for Redis: the other processes compute unpublished answers themselves. */
async function lead(
  shared: RedisAnswer,
  maxAgeMs: number,
  nowMs: number,
  compute: () => Promise<unknown>,
): Promise<SharedAnswer<unknown>> {
  const untilMs = performance.now() + LONGEST_LEAD_MS;
  const keeping = setInterval(() => performance.now() < untilMs && shared.keepLead().catch(ignore), shared.leadMs / 4);
  keeping.unref();
  try {
    const answer = await alone(nowMs, compute);
    // After our own callers have it, because megabytes take a while to write.
    setImmediate(() => shared.publish(nowMs, JSON.stringify(answer.value), maxAgeMs).catch(ignore));
    return answer;
  } catch (error) {
    shared.releaseLead().catch(ignore);
    throw error;
  } finally {
    clearInterval(keeping);
  }
}

const ignore = (): void => undefined;
