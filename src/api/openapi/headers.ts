// Response headers as the OpenAPI document names them.
import type { Endpoint } from '../endpoint';
import type { Schema } from './schema';

export const HEADERS = {
  RequestId: header('Identifies this call; yours when you sent a UUID or 32 hex digits.', {
    type: 'string',
    examples: ['8f14e45fceea167a5a36dedd4bea2543'],
  }),
  ETag: header('Weak tag over what is said, not over how old it is: send it back in `If-None-Match`.', {
    type: 'string',
    examples: ['W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'],
  }),
  DataAge: header(
    'Age of the oldest fact in the answer, in seconds; also on a 304. Absent when the answer has none.',
    { type: 'integer', minimum: 0, examples: [9] },
    false,
  ),
  RetryAfter: header('Seconds to wait.', { type: 'integer', minimum: 0, examples: [5] }),
};

function header(description: string, schema: Schema, required = true) {
  return { description, required, schema };
}

export const headerRef = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });

/** Headers by which the plan's gate says what was allowed. */
export function gateHeaders(one: Endpoint, required = true): Schema {
  const entries = Object.entries(one.gate?.headers ?? {});
  return Object.fromEntries(
    entries.map(([name, text]) => [name, header(text, { type: 'integer', minimum: 0, examples: [24] }, required)]),
  );
}
