// Answers of all API processes in Redis, and which process computes one (its lead). The key hashes query and
// deployment, so that an answer of another version or from another database is never used.
import { createHash, randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { createReach } from './redis';

type Lookup =
  | { readonly kind: 'answer'; readonly computedAtMs: number; readonly json: string }
  /** No process has it: the caller computes it. */
  | { readonly kind: 'lead' }
  /** Another process is computing it. */
  | { readonly kind: 'wait' };

/** One query of one process. Every method rejects at once while Redis is away. */
export interface RedisAnswer {
  /** How long others wait for a process that died while computing; a live one extends its lead in time. */
  readonly leadMs: number;
  lookUp(maxAgeMs: number, nowMs: number): Promise<Lookup>;
  keepLead(): Promise<unknown>;
  publish(computedAtMs: number, json: string, maxAgeMs: number): Promise<unknown>;
  releaseLead(): Promise<unknown>;
}

/** Raise it when the stored form changes. */
const VERSION = 1;
/**
 * Keys: answer, lead. Arguments: race time, oldest answer, token, duration of a lead, in milliseconds. Clocks of two
 * machines differ either way.
 */
const LOOK_UP = `
  local at = redis.call('HGET', KEYS[1], 'at')
  if at and math.abs(tonumber(ARGV[1]) - tonumber(at)) < tonumber(ARGV[2]) then return {at, redis.call('HGET', KEYS[1], 'json')} end
  if redis.call('SET', KEYS[2], ARGV[3], 'NX', 'PX', ARGV[4]) then return {'lead'} end
  return {'wait'}`;

const KEEP_LEAD = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end`;

const RELEASE_LEAD = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`;

/**
 * Keys: answer, lead. Arguments: race time, JSON, wall milliseconds to live, token. An older answer that arrives late
 * changes nothing.
 */
const PUBLISH = `
  local at = redis.call('HGET', KEYS[1], 'at')
  if not at or tonumber(at) <= tonumber(ARGV[1]) then
    redis.call('HSET', KEYS[1], 'at', ARGV[1], 'json', ARGV[2])
    redis.call('PEXPIRE', KEYS[1], ARGV[3])
  end
  if redis.call('GET', KEYS[2]) == ARGV[4] then redis.call('DEL', KEYS[2]) end`;

type Scripts = Redis & {
  lookUpAnswer(answer: string, lead: string, ...of: (string | number)[]): Promise<[string, string?]>;
  keepAnswerLead(lead: string, token: string, ms: number): Promise<unknown>;
  releaseAnswerLead(lead: string, token: string): Promise<unknown>;
  publishAnswer(answer: string, lead: string, ...of: (string | number)[]): Promise<unknown>;
};

export function createRedisAnswers(redis: Redis, deployment: string, leadMs: number): (query: string) => RedisAnswer {
  redis.defineCommand('lookUpAnswer', { numberOfKeys: 2, lua: LOOK_UP });
  redis.defineCommand('keepAnswerLead', { numberOfKeys: 1, lua: KEEP_LEAD });
  redis.defineCommand('releaseAnswerLead', { numberOfKeys: 1, lua: RELEASE_LEAD });
  redis.defineCommand('publishAnswer', { numberOfKeys: 2, lua: PUBLISH });
  const scripts = redis as Scripts;
  const reach = createReach(redis);
  return (query) => {
    const hash = createHash('sha1')
      .update(JSON.stringify([deployment, query]))
      .digest('base64url');
    // The braces keep both keys on one node of a cluster.
    const answer = `answers:${VERSION}:{${hash}}`;
    const lead = `answers:${VERSION}:{${hash}}:lead`;
    const token = randomUUID();
    return {
      leadMs,
      async lookUp(maxAgeMs, nowMs) {
        const [first, json] = await reach(() => scripts.lookUpAnswer(answer, lead, nowMs, maxAgeMs, token, leadMs));
        if (first === 'lead' || first === 'wait') return { kind: first };
        return { kind: 'answer', computedAtMs: Number(first), json: json! };
      },
      keepLead: () => reach(() => scripts.keepAnswerLead(lead, token, leadMs)),
      publish: (computedAtMs, json, maxAgeMs) =>
        reach(() => scripts.publishAnswer(answer, lead, computedAtMs, json, Math.ceil(maxAgeMs), token)),
      releaseLead: () => reach(() => scripts.releaseAnswerLead(lead, token)),
    };
  };
}
