// Limits the requests of a key by its plan, and reports it in two families of headers (D6). Refused requests do not count, answered ones of every
// status do. While Redis is away nothing is refused: limits protect the service, and it serves as well as it can.
import { metrics } from '@opentelemetry/api';
import type { Plan } from '../../plans/plans';
import type { KeyLimit } from '../../store/redis/key-limit';
import type { WindowCount } from '../../store/redis/window';
import type { Caller } from './caller';
import { overLimit } from './ip-limit';
import type { Meter, SetHeader } from './meter';

const WINDOW_SECONDS = 60;

const requests = metrics.getMeter('racing-odds/api').createCounter('racing.rate_limit.requests', {
  description:
    'Requests with a customer’s key, by what the rate limit did: admitted, refused, or uncounted because Redis is away',
});

export const rateOver = ({ title, requestsPerMinute }: Plan): string =>
  `The ${title} plan allows each key ${requestsPerMinute} requests a minute.`;

/** `limit` null: nothing is limited, and there are no headers. */
export function createRateLimit(limit: KeyLimit | null): Meter['admit'] {
  if (!limit) return async () => {};
  return async ({ role, keyId, plan }: Caller, setHeader) => {
    if (role !== 'customer') return setUnlimitedHeaders(setHeader);
    const { requestsPerMinute } = plan;
    const counted = await limit.take(keyId, requestsPerMinute).catch(() => null);
    const { admitted, remaining, waitMs } = counted ?? uncounted(requestsPerMinute);
    requests.add(1, { outcome: counted ? (admitted ? 'admitted' : 'refused') : 'uncounted' });
    setLimitHeaders(setHeader, plan, remaining, Math.ceil(waitMs / 1000));
    if (!admitted) throw overLimit(rateOver(plan), waitMs);
  };
}

/** As health reports it; null: no key is limited. */
export type LimitState = 'enforced' | 'not_enforced' | null;

export async function limitState(limit: KeyLimit | null): Promise<LimitState> {
  if (!limit) return null;
  return (await limit.isCounting()) ? 'enforced' : 'not_enforced';
}

/** No request of the last minute counts. */
const uncounted = (perMinute: number): WindowCount => ({ admitted: true, remaining: perMinute, waitMs: 0 });

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
