// How many processes share a deployment's limits, as this one last saw it: each announces itself in Redis, by the
// server's clock. The count is needed while Redis is away, so it is the last one seen.
import type { Redis } from 'ioredis';
import { createReach } from './redis';

export interface ProcessCount {
  /** The most seen at once in the last minute in which Redis answered; at least 1. */
  seen(): number;
  /** Announces this process now and every ten seconds. Returns its end. */
  follow(): () => void;
}

const EVERY_MS = 10_000;
/** A process without an announcement for this long is gone. */
const GONE_AFTER_MS = 35_000;
/** The largest of these counts is used: a restarting process is not fewer. */
const LOOKS = 6;

/** Arguments: this process, the milliseconds after which one is gone. Resolves to how many there are. */
const ANNOUNCE = `
  local key, own, gone = KEYS[1], ARGV[1], tonumber(ARGV[2])
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('ZADD', key, now, own)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - gone)
  redis.call('PEXPIRE', key, gone)
  return redis.call('ZCARD', key)`;

type Scripts = Redis & { announceProcess(key: string, own: string, goneAfterMs: number): Promise<number> };

/** `own`: an id of this process. Processes with the same `deployment` count each other. */
export function createProcessCount(redis: Redis, deployment: string, own: string): ProcessCount {
  redis.defineCommand('announceProcess', { numberOfKeys: 1, lua: ANNOUNCE });
  const reach = createReach(redis);
  const looks: number[] = [];
  const announce = async (): Promise<void> => {
    const key = `processes:${deployment}`;
    const count = await reach(() => (redis as Scripts).announceProcess(key, own, GONE_AFTER_MS)).catch(() => null);
    if (count === null) return;
    looks.push(count);
    if (looks.length > LOOKS) looks.shift();
  };
  return {
    seen: () => Math.max(1, ...looks),
    follow() {
      void announce();
      const timer = setInterval(announce, EVERY_MS);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}
