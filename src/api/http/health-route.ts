// `/healthz`: whether this process can serve. Load balancers ask it, without a limit.
import type { Middleware } from 'koa';
import { createCache } from '../../cache';
import { databaseAway } from '../../errors';
import type { Reads } from '../../store/reads/reads';
import type { KeyLimit } from '../../store/redis/key-limit';
import { type LimitState, limitState } from '../access/rate-limit';

const HEALTHY_MS = 1000;

/** Queries the servers at most once a second, however many ask: the port is public. The service also serves while it cannot count. */
export function healthRoute(reads: Pick<Reads, 'ping'>, keyLimit: KeyLimit | null): Middleware {
  const pings = createCache<{ readonly atMs: number; readonly limits: LimitState }>(1);
  const ping = async () => {
    const [limits] = await Promise.all([limitState(keyLimit), reads.ping()]);
    return { atMs: performance.now(), limits };
  };
  return async (ctx) => {
    const { value } = await pings
      .get('', ({ atMs }) => performance.now() - atMs < HEALTHY_MS, ping)
      .catch(() => {
        throw databaseAway();
      });
    ctx.body = { ok: true, ...(value.limits && { rate_limits: value.limits }) };
  };
}
