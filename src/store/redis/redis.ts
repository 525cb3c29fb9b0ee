// The one way to a Redis connection. Redis only shares data for speed, and every caller can do without it: a command
// without a prompt response fails, nothing queues while the server is away, and no process waits for the server.
import { metrics } from '@opentelemetry/api';
import { Redis } from 'ioredis';
import { noteCertificate } from '../gauges/certificates';
import { afterTurns } from './patience';

/** In turns of the event loop: a reply that is late because this process was busy is not late. */
const ANSWER_WITHIN_MS = 1000;
const GIVE_UP_WITHIN_MS = 250;
const LONGEST_BETWEEN_TRIES_MS = 1000;

/** Connects when first used, and again whenever the connection is lost. */
export function createRedis(url: string, answerWithinMs = ANSWER_WITHIN_MS): Redis {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: answerWithinMs / 2,
    disconnectTimeout: GIVE_UP_WITHIN_MS,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 5), LONGEST_BETWEEN_TRIES_MS),
  });
  // Commands fail by themselves; without a listener a lost connection would end the process.
  redis.on('error', () => undefined);
  limitInTurns(redis, answerWithinMs);
  return redis;
}

/**
 * Limits the time of each command in turns of the event loop. The client's own `commandTimeout` is a plain timer, which
 * a stall uses up.
 */
function limitInTurns(redis: Redis, answerWithinMs: number): void {
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    const answer = send(command, stream);
    const cancel = afterTurns(answerWithinMs, () => command.reject(new Error('Redis did not reply in time')));
    command.promise.then(cancel, cancel);
    return answer;
  };
}

const meter = metrics.getMeter('racing-odds/store');

/**
 * A gauge: 1 if Redis answers a ping while the metrics are read, 0 if not; none before the connection is first used.
 * `use`: its purpose.
 */
export function observeRedis(redis: Redis, use: string): void {
  redis.on('connect', () => noteCertificate('redis', redis.stream));
  meter
    .createObservableGauge('racing.redis.up', { description: 'Whether Redis answers this process, 1 or 0' })
    .addCallback(async (gauge) => {
      if (redis.status === 'wait') return;
      gauge.observe((await repliesToPing(redis)) ? 1 : 0, { use });
    });
}

/** Well within the second after which a page of metrics leaves a figure out: a hanging Redis is 0, not missing. */
const PING_WITHIN_MS = 500;

export function repliesToPing(redis: Redis, withinMs = PING_WITHIN_MS): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = afterTurns(withinMs, () => resolve(false));
    redis
      .ping()
      .then(
        () => resolve(true),
        () => resolve(false),
      )
      .finally(cancel);
  });
}

/** Runs a command; rejects at once while the server is away. */
export type Reach = <T>(command: () => Promise<T>) => Promise<T>;

const TRY_EVERY_MS = 500;

/**
 * After a failed command a ping is sent at once; while Redis is away callers fail at once, until a ping in the
 * background succeeds. `inDoubt`, while the first ping is under way: callers `fail` as if it were away, or `try`, where
 * one late reply must not count as an outage.
 */
export function createReach(redis: Redis, inDoubt: 'fail' | 'try' = 'fail'): Reach {
  let opening: Promise<void> | null = null;
  let away = false;
  let asking: Promise<void> | null = null;
  let tryAtMs = 0;
  const gone = (): void => {
    away = true;
    tryAtMs = performance.now() + TRY_EVERY_MS;
  };
  const back = (): void => {
    away = false;
  };
  /** One ping, however many commands failed. */
  const doubt = (): void => {
    asking ??= redis
      .ping()
      .then(back, gone)
      .finally(() => {
        asking = null;
      });
  };
  // The very first commands wait for the connection; later ones fail while there is none.
  const opened = async (): Promise<void> => {
    if (redis.status === 'wait')
      opening = redis.connect().finally(() => {
        opening = null;
      });
    await opening;
  };
  return async (command) => {
    if (away && performance.now() >= tryAtMs) {
      gone();
      redis.ping().then(back, gone);
    }
    if (away || (asking !== null && inDoubt === 'fail')) throw new Error('Redis does not answer');
    try {
      await opened();
      return await command();
    } catch (error) {
      doubt();
      throw error;
    }
  };
}
