// What API processes tell each other through Redis: answers, and which process is computing one. A value lies there under the question
// and the deployment, so that neither another version of these rows nor another database is ever answered from.
import { createHash, randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { createReach } from './redis';

type Lookup =
  | { readonly kind: 'answer'; readonly computedAtMs: number; readonly json: string }
  /** Nobody has it: whoever is told this computes it. */
  | { readonly kind: 'lead' }
  /** Another process is computing it. */
  | { readonly kind: 'wait' };

/** One question of one process. Every method rejects at once while Redis is away. */
export interface RedisAnswer {
  /** A process that dies while it computes is waited for so long; one that lives says so in time. */
  readonly leadMs: number;
  lookUp(heldMs: number, nowMs: number): Promise<Lookup>;
  /** Still computing. */
  keepLead(): Promise<unknown>;
  publish(computedAtMs: number, json: string, heldMs: number): Promise<unknown>;
  releaseLead(): Promise<unknown>;
}

/** To be raised when what lies in Redis is written otherwise. */
const VERSION = 1;
/** Keys: answer, lead. Arguments: race time, how long an answer holds, token, how long a lead holds. Clocks of two machines differ a little either way. */
const WORD = `
  local at = redis.call('HGET', KEYS[1], 'at')
  if at and math.abs(tonumber(ARGV[1]) - tonumber(at)) < tonumber(ARGV[2]) then return {at, redis.call('HGET', KEYS[1], 'json')} end
  if redis.call('SET', KEYS[2], ARGV[3], 'NX', 'PX', ARGV[4]) then return {'lead'} end
  return {'wait'}`;

const KEEP = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end`;

const LET_GO = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`;

/** Keys: answer, lead. Arguments: race time, JSON, wall milliseconds to live, token. An older answer that comes late changes nothing. */
const GIVE = `
  local at = redis.call('HGET', KEYS[1], 'at')
  if not at or tonumber(at) <= tonumber(ARGV[1]) then
    redis.call('HSET', KEYS[1], 'at', ARGV[1], 'json', ARGV[2])
    redis.call('PEXPIRE', KEYS[1], ARGV[3])
  end
  if redis.call('GET', KEYS[2]) == ARGV[4] then redis.call('DEL', KEYS[2]) end`;

type Scripts = Redis & {
  answerWord(answer: string, lead: string, ...of: (string | number)[]): Promise<[string, string?]>;
  answerKeep(lead: string, token: string, ms: number): Promise<unknown>;
  answerLetGo(lead: string, token: string): Promise<unknown>;
  answerGive(answer: string, lead: string, ...of: (string | number)[]): Promise<unknown>;
};

export function createRedisAnswers(
  redis: Redis,
  deployment: string,
  leadMs: number,
): (question: string) => RedisAnswer {
  redis.defineCommand('answerWord', { numberOfKeys: 2, lua: WORD });
  redis.defineCommand('answerKeep', { numberOfKeys: 1, lua: KEEP });
  redis.defineCommand('answerLetGo', { numberOfKeys: 1, lua: LET_GO });
  redis.defineCommand('answerGive', { numberOfKeys: 2, lua: GIVE });
  const scripts = redis as Scripts;
  const reach = createReach(redis);
  return (question) => {
    const hash = createHash('sha1')
      .update(JSON.stringify([deployment, question]))
      .digest('base64url');
    // The braces keep both keys on one node of a cluster.
    const [answer, lead] = [`answers:${VERSION}:{${hash}}`, `answers:${VERSION}:{${hash}}:lead`];
    const token = randomUUID();
    return {
      leadMs,
      async lookUp(heldMs, nowMs) {
        const [first, json] = await reach(() => scripts.answerWord(answer, lead, nowMs, heldMs, token, leadMs));
        if (first === 'lead' || first === 'wait') return { kind: first };
        return { kind: 'answer', computedAtMs: Number(first), json: json! };
      },
      keepLead: () => reach(() => scripts.answerKeep(lead, token, leadMs)),
      publish: (computedAtMs, json, heldMs) =>
        reach(() => scripts.answerGive(answer, lead, computedAtMs, json, Math.ceil(heldMs), token)),
      releaseLead: () => reach(() => scripts.answerLetGo(lead, token)),
    };
  };
}
