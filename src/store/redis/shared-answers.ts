// Answers that all API processes share for a few seconds (A 8), so that a question is computed once wherever it is asked. The cache
// never invents: while Redis is away each process holds its own.
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { createCache } from '../../cache';
import { createRedisAnswers, type RedisAnswer } from './shared-answers-redis';

/** JSON that was computed at an instant of race time, by whichever process. */
interface SharedAnswer<T> {
  readonly value: T;
  readonly computedAtMs: number;
  /** Computed for this very request, not for an earlier one. */
  readonly fresh: boolean;
}

export interface SharedAnswers {
  /**
   * The answer to `question`, at most `heldMs` old by race time (`nowMs`); on a miss one process computes it and the others wait for it.
   * `value` survives JSON unchanged. A computation that fails is forgotten and fails for all who waited in this process.
   */
  get<T>(question: string, heldMs: number, nowMs: number, compute: () => Promise<T>): Promise<SharedAnswer<T>>;
}

interface Timed {
  readonly heldMs: number;
  readonly answer: SharedAnswer<unknown>;
}

/** Answers are up to megabytes, and each is cached for seconds. */
const MOST_CACHED = 200;
const ASK_AGAIN_MS = 20;
const LEAD_MS = 1000;
/** Whoever computes longer is no longer waited for. */
const LONGEST_LEAD_MS = 10_000;

/** `redis` null: every process for itself. `deployment` names what is answered from: only processes that agree on it share. */
export function createSharedAnswers(redis: Redis | null, deployment: string, leadMs = LEAD_MS): SharedAnswers {
  const answers = createCache<Timed>(MOST_CACHED);
  const exchange = redis && createRedisAnswers(redis, deployment, leadMs);
  return {
    async get<T>(question: string, heldMs: number, nowMs: number, compute: () => Promise<T>) {
      const isGood = (one: Timed): boolean => isFresh(one, nowMs);
      const { value, fresh } = await answers.get(question, isGood, async () => {
        answers.prune(isGood);
        const answer = exchange ? together(exchange(question), heldMs, nowMs, compute) : alone(nowMs, compute);
        return { heldMs, answer: await answer };
      });
      return (fresh ? value.answer : { ...value.answer, fresh: false }) as SharedAnswer<T>;
    },
  };
}

/** Clocks of two machines differ: an answer from a moment ahead of ours is as good as one of now. */
const isFresh = ({ answer, heldMs }: Timed, nowMs: number): boolean => Math.abs(nowMs - answer.computedAtMs) < heldMs;

async function alone(nowMs: number, compute: () => Promise<unknown>): Promise<SharedAnswer<unknown>> {
  return { value: await compute(), computedAtMs: nowMs, fresh: true };
}

/** The answer of another process, or ours for all. */
async function together(
  asking: RedisAnswer,
  heldMs: number,
  nowMs: number,
  compute: () => Promise<unknown>,
): Promise<SharedAnswer<unknown>> {
  for (;;) {
    const word = await asking.lookUp(heldMs, nowMs).catch(() => null);
    if (word === null) return alone(nowMs, compute);
    if (word.kind === 'answer') return { value: JSON.parse(word.json), computedAtMs: word.computedAtMs, fresh: false };
    if (word.kind === 'lead') return lead(asking, heldMs, nowMs, compute);
    await delay(ASK_AGAIN_MS);
  }
}

/** Nobody waits here for Redis: what cannot be told to the others they compute themselves. */
async function lead(
  asking: RedisAnswer,
  heldMs: number,
  nowMs: number,
  compute: () => Promise<unknown>,
): Promise<SharedAnswer<unknown>> {
  const untilMs = performance.now() + LONGEST_LEAD_MS;
  const keeping = setInterval(() => performance.now() < untilMs && asking.keepLead().catch(ignore), asking.leadMs / 4);
  keeping.unref();
  try {
    const answer = await alone(nowMs, compute);
    // Whoever asked us gets it first: megabytes take a while to write.
    setImmediate(() => asking.publish(nowMs, JSON.stringify(answer.value), heldMs).catch(ignore));
    return answer;
  } catch (error) {
    asking.releaseLead().catch(ignore);
    throw error;
  } finally {
    clearInterval(keeping);
  }
}

const ignore = (): void => undefined;
