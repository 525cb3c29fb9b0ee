// How much work a worker process takes, and how often it reports that it is alive.
import { ConfigError, type Environment } from './environment';

/** The simultaneous work of one worker process. */
export interface WorkerSlots {
  /** Live races. */
  readonly live: number;
  /** Card polls, results, collectors. */
  readonly io: number;
  /** Backfill jobs that collect at once; the others wait for their turn. */
  readonly backfill: number;
  /** First attempts of webhook deliveries, replays and tests. */
  readonly webhooks: number;
  /** Later attempts. */
  readonly webhookRetries: number;
  /** Workflows in memory: another one is replayed from its history when something happens to it. */
  readonly cachedWorkflows: number;
}

export const slotsOf = (env: Environment): WorkerSlots => ({
  live: env.WORKER_LIVE_SLOTS,
  io: env.WORKER_IO_SLOTS,
  backfill: env.WORKER_BACKFILL_SLOTS,
  webhooks: env.WORKER_WEBHOOK_SLOTS,
  webhookRetries: env.WORKER_WEBHOOK_RETRY_SLOTS,
  cachedWorkflows: env.WORKER_CACHED_WORKFLOWS,
});

/** More of them only cost; a cancellation waits for the next one. */
const USUAL_HEARTBEAT_SECONDS = 10;

/** At most half of the timeout: one may be lost before it. */
export function heartbeatsOf({ WORKER_HEARTBEAT_SECONDS: set, HEARTBEAT_TIMEOUT_SECONDS: timeout }: Environment) {
  const every = set ?? Math.min(USUAL_HEARTBEAT_SECONDS, timeout / 2);
  if (every > timeout / 2)
    throw new ConfigError('WORKER_HEARTBEAT_SECONDS must be at most half of HEARTBEAT_TIMEOUT_SECONDS');
  return { heartbeatMs: every * 1000, heartbeatTimeoutMs: timeout * 1000 };
}
