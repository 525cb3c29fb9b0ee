// `/healthz`: whether this process can serve. Load balancers call it, without a limit.
import type { Middleware } from 'koa';
import { createCache } from '../cache';
import { databaseAway } from '../errors';
import type { Reads } from '../store/reads/reads';
import type { KeyCount } from './kernel/limits/key-count';
import { limitState } from './kernel/limits/rate-limit';

const HEALTHY_MS = 1000;

/**
 * Queries the servers at most once a second for any number of calls, because the port is public. The service also
 * serves while it cannot count.
 */
export function healthRoute(reads: Pick<Reads, 'ping'>, keyLimit: KeyCount | null): Middleware {
  const pings = createCache<{ readonly atMs: number }>(1);
  const ping = async () => {
    await reads.ping();
    return { atMs: performance.now() };
  };
  return async (ctx) => {
    await pings
      .get('', ({ atMs }) => performance.now() - atMs < HEALTHY_MS, ping)
      .catch(() => {
        throw databaseAway();
      });
    const limits = limitState(keyLimit);
    ctx.body = { ok: true, ...(limits && { rate_limits: limits }) };
  };
}
