// Limits what an address may do without a key. The sandbox and some other operations have their own limits; everything
// else that needs no key shares one, so that pages and documents cannot be used to load the service. `/healthz` has
// none: load balancers call it, often from the address of customers.
import type { Context, Middleware } from 'koa';
import { AppError } from '../../../errors';
import type { AddressBudget } from '../../../store/redis/address-budget';
import { clientOf } from '../session/client-address';
import type { WorkLimits } from '../work/work-limits';

export interface IpLimit {
  /** Takes one of `perMinute` requests for operations of this tag. Throws `rate_limit` with the time to wait. */
  take(tag: string, network: string, perMinute: number): Promise<void>;
  /** Takes one of the requests for everything without its own limit. Throws `rate_limit` too. */
  takeKeyless(network: string): Promise<void>;
}

/** A visible board sends up to 60 requests a minute, a hidden one none: a hundred boards in one office. */
export const KEYLESS_PER_MINUTE = 6000;

/** For calls to the payment provider: operations and pages together. */
export const PROVIDER_PER_MINUTE = 30;

export const keylessOver = (perMinute: number): string =>
  `Without a key, each address may send ${perMinute} requests a minute.`;

/** For operations with their own limit, by key too. */
export const addressOver = (perMinute: number): string => `Each address may send ${perMinute} such requests a minute.`;

export function createIpLimit(count: AddressBudget, keylessPerMinute = KEYLESS_PER_MINUTE): IpLimit {
  const take = async (counter: string, perMinute: number, detail: string): Promise<void> => {
    const waitMs = await count.take(counter, perMinute);
    if (waitMs > 0) throw overLimit(detail, waitMs);
  };
  return {
    take: (tag, network, perMinute) => take(`${tag}: ${network}`, perMinute, addressOver(perMinute)),
    takeKeyless: (network) => take(`without a key: ${network}`, keylessPerMinute, keylessOver(keylessPerMinute)),
  };
}

/**
 * Counts everything but operations, which are counted when they are judged: pages, documents, and unknown or retired
 * addresses.
 */
export function keylessLimited(limit: IpLimit, isOperation: (ctx: Context) => boolean, work: WorkLimits): Middleware {
  return async (ctx, next) => {
    if (!isOperation(ctx) && ctx.path !== '/healthz') {
      const { network } = clientOf(ctx);
      await limit.takeKeyless(network);
      work.admitKeyless(ctx, network);
    }
    return next();
  };
}

export function overLimit(detail: string, waitMs: number): AppError {
  return new AppError('rate_limit', detail, { retry_after_seconds: Math.ceil(waitMs / 1000) });
}
