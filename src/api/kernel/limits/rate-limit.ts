// Limits the requests of a key by its plan, and reports the limit in two families of headers (D6). Refused requests do
// not count, answered ones of every status do. While Redis is away each process counts its share (`key-count.ts`), so
// the limit is always on.
import { metrics } from '@opentelemetry/api';
import type { Plan } from '../../../plans/plans';
import type { Caller } from '../endpoint/caller';
import type { Meter, SetHeader } from '../endpoint/meter';
import { overLimit } from './ip-limit';
import type { KeyCount } from './key-count';

const WINDOW_SECONDS = 60;

const requests = metrics.getMeter('racing-odds/api').createCounter('racing.rate_limit.requests', {
  description:
    'Requests with a customer’s key, by what the rate limit did: admitted or refused, or admitted_alone or refused_alone by this process while Redis was away',
});

export const rateOver = ({ title, requestsPerMinute }: Plan): string =>
  `The ${title} plan allows each key ${requestsPerMinute} requests a minute.`;

/** `limit` null: nothing is limited, and there are no headers. */
export function createRateLimit(limit: KeyCount | null): Meter['admit'] {
  if (!limit) return async () => {};
  return async ({ role, keyId, plan }: Caller, setHeader) => {
    if (role !== 'customer') return setUnlimitedHeaders(setHeader);
    const { requestsPerMinute } = plan;
    const { admitted, remaining, waitMs, by } = await limit.take(keyId, requestsPerMinute);
    requests.add(1, { outcome: `${admitted ? 'admitted' : 'refused'}${by === 'all' ? '' : '_alone'}` });
    setLimitHeaders(setHeader, plan, remaining, Math.ceil(waitMs / 1000));
    if (!admitted) throw overLimit(rateOver(plan), waitMs);
  };
}

/** As health reports it; null: no key is limited. */
export type LimitState = 'enforced' | 'by_process' | null;

export const limitState = (limit: KeyCount | null): LimitState =>
  limit && (limit.state() === 'all' ? 'enforced' : 'by_process');

function setLimitHeaders(setHeader: SetHeader, plan: Plan, remaining: number, seconds: number): void {
  const { title, requestsPerMinute, monthlyCredits } = plan;
  setHeader('X-RateLimit-Limit', String(requestsPerMinute));
  setHeader('X-RateLimit-Remaining', String(remaining));
  setHeader('X-RateLimit-Reset', String(seconds));
  setHeader(
    'X-RateLimit-Policy',
    `${requestsPerMinute} requests per minute per key, ${monthlyCredits} credits per month (${title})`,
  );
  setHeader('RateLimit-Policy', `"minute";q=${requestsPerMinute};w=${WINDOW_SECONDS}`);
  setHeader('RateLimit', `"minute";r=${remaining};t=${seconds}`);
}

/** The IETF pair has numbers only, so it is left out. */
function setUnlimitedHeaders(setHeader: SetHeader): void {
  setHeader('X-RateLimit-Limit', 'unlimited');
  setHeader('X-RateLimit-Remaining', 'unlimited');
  setHeader('X-RateLimit-Reset', '0');
  setHeader('X-RateLimit-Policy', 'unlimited');
}
