// The one way to a Redis connection. What is kept there is shared for speed and can be done without: a command that is not answered
// at once fails, nothing queues up while the server is away, and no process waits for it to come.
import { Redis } from 'ioredis';

/** Long enough for a process that was busy for a moment to read an answer that is there. */
const ANSWER_WITHIN_MS = 1000;
const GIVE_UP_WITHIN_MS = 250;
const LONGEST_BETWEEN_TRIES_MS = 1000;

/** Connects when first used, and again whenever the connection is lost. */
export function createRedis(url: string): Redis {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 500,
    commandTimeout: ANSWER_WITHIN_MS,
    disconnectTimeout: GIVE_UP_WITHIN_MS,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 5), LONGEST_BETWEEN_TRIES_MS),
  });
  // Every command tells its caller; without a listener a lost connection would end the process.
  redis.on('error', () => undefined);
  return redis;
}
