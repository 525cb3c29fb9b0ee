// Limits what an address may do without a key. The sandbox has a limit of its own; all else that needs no key shares one.
import { AppError } from '../../errors';
import type { AddressBudget } from '../../store/redis/address-budget';

export interface IpLimit {
  /** Takes one of `perMinute` requests. Throws `rate_limit` with the time to wait. */
  take(network: string, perMinute: number): Promise<void>;
}

export function createIpLimit(count: AddressBudget): IpLimit {
  return {
    async take(network, perMinute) {
      const waitMs = await count.take(network, perMinute);
      if (waitMs === 0) return;
      throw overLimit(`Without a key, each address may send ${perMinute} requests a minute.`, waitMs);
    },
  };
}

export function overLimit(detail: string, waitMs: number): AppError {
  return new AppError('rate_limit', detail, { retry_after_seconds: Math.ceil(waitMs / 1000) });
}
