// The response headers of the OpenAPI document.
import type { Endpoint } from '../endpoint';
import type { Schema } from './schema';

const POLICY = '60 requests per minute per key, 7500 credits per month (Hobby)';

export const HEADERS = {
  RequestId: header(
    'Id of this request: yours if you sent a UUID or 32 hexadecimal digits in `X-Request-Id`, otherwise a new one.',
    {
      type: 'string',
      examples: ['8f14e45fceea167a5a36dedd4bea2543'],
    },
  ),
  ETag: header('Weak entity tag of the content, ages excluded. Send it back in `If-None-Match`.', {
    type: 'string',
    examples: ['W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'],
  }),
  DataAge: header(
    'Age of the oldest data in the response, in seconds; also sent with a 304. Absent if the response has no aged data.',
    { type: 'integer', minimum: 0, examples: [9] },
    false,
  ),
  Authenticate: header('The scheme: an API key, sent in `X-API-Key`.', {
    type: 'string',
    examples: ['ApiKey realm="racing-odds"'],
  }),
  RateLimitLimit: header('Requests that the plan allows this key per minute, or `unlimited`.', limited(60), false),
  RateLimitRemaining: header('Requests that would be admitted now, or `unlimited`.', limited(59), false),
  RateLimitReset: header(
    'Seconds until the oldest counted request no longer counts; of a 429, until the next one is admitted.',
    { type: 'integer', minimum: 0, examples: [60] },
    false,
  ),
  RateLimitPolicy: header('The limits of the plan, in words.', { type: 'string', examples: [POLICY] }, false),
  RateLimitPolicyIetf: header(
    'The limit as the IETF writes it (draft 10): quota `q` in a window of `w` seconds. Absent if the key is not limited.',
    { type: 'string', examples: ['"minute";q=60;w=60'] },
    false,
  ),
  RateLimitIetf: header(
    'What is left as the IETF writes it (draft 10): `r` requests, `t` seconds to reset. Absent if the key is not limited.',
    { type: 'string', examples: ['"minute";r=59;t=60'] },
    false,
  ),
  RetryAfter: header('Seconds to wait before the next attempt.', { type: 'integer', minimum: 0, examples: [5] }),
};

function header(description: string, schema: Schema, required = true) {
  return { description, required, schema };
}

/** A number, or `unlimited` for keys without a limit. */
function limited(example: number): Schema {
  return { type: 'string', pattern: '^(?:\\d+|unlimited)$', examples: [String(example)] };
}

export const headerRef = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });

/** Headers of every response to a key, refusals included, from the moment that the key is known. */
export const LIMIT_HEADERS: Schema = {
  'X-RateLimit-Limit': headerRef('RateLimitLimit'),
  'X-RateLimit-Remaining': headerRef('RateLimitRemaining'),
  'X-RateLimit-Reset': headerRef('RateLimitReset'),
  'X-RateLimit-Policy': headerRef('RateLimitPolicy'),
  'RateLimit-Policy': headerRef('RateLimitPolicyIetf'),
  RateLimit: headerRef('RateLimitIetf'),
};

/** Headers in which the plan gate reports the limit and its use. */
export function gateHeaders(one: Endpoint, required = true): Schema {
  const entries = Object.entries(one.gate?.headers ?? {});
  return Object.fromEntries(
    entries.map(([name, text]) => [name, header(text, { type: 'integer', minimum: 0, examples: [24] }, required)]),
  );
}
