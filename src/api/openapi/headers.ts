// The response headers of the OpenAPI document.
import type { Endpoint } from '../kernel/endpoint/endpoint';
import { header, METERING_HEADERS } from './metering-headers';
import type { Schema } from './schema';

export const HEADERS = {
  RequestId: header(
    'Id of this request: yours if you sent a UUID or 32 hexadecimal digits in `X-Request-Id`, otherwise a new one.',
    {
      type: 'string',
      examples: ['8f14e45fceea167a5a36dedd4bea2543'],
    },
  ),
  ETag: header('Weak entity tag of the content, ages and `last_update` excluded. Send it back in `If-None-Match`.', {
    type: 'string',
    examples: ['W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'],
  }),
  StreamETag: header(
    'Weak entity tag of the content, ages and `last_update` excluded. Send it back in `If-None-Match`. Absent from CSV and Parquet, which are streamed.',
    { type: 'string', examples: ['W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'] },
    false,
  ),
  FileTag: header('Strong entity tag of the file: the SHA-256 of its bytes. Send it back in `If-None-Match`.', {
    type: 'string',
    examples: ['"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"'],
  }),
  AcceptRanges: header('Ranges that may be requested.', { type: 'string', enum: ['bytes'], examples: ['bytes'] }),
  ContentRange: header('Which bytes these are, of how many.', {
    type: 'string',
    examples: ['bytes 1048576-2097151/2097152'],
  }),
  DataAge: header(
    'Age of the oldest data in the response, in seconds; also sent with a 304. Absent if the response has no aged data.',
    { type: 'integer', minimum: 0, examples: [9] },
    false,
  ),
  Link: header(
    'The next page, as RFC 8288 has it. Of past prices, bounds that go by the time of the request are fixed in it. Absent from the last page.',
    {
      type: 'string',
      examples: [
        '<https://api.example.com/v1/sports/nrl/closing-lines?from=2026-11-14&to=2026-11-21&offset=50>; rel="next"',
      ],
    },
    false,
  ),
  TotalRows: header(
    'Of CSV and Parquet: the rows of the selection on all its pages. Absent from JSON, which has it in the body, and from HEAD.',
    { type: 'integer', minimum: 0, examples: [62_140] },
    false,
  ),
  RowsOffset: header(
    'Of CSV and Parquet: the rows of the selection before the first of this page. Absent from JSON and HEAD.',
    { type: 'integer', minimum: 0, examples: [50_000] },
    false,
  ),
  Authenticate: header('The scheme: an API key, sent in `X-API-Key`.', {
    type: 'string',
    examples: ['ApiKey realm="racing-odds"'],
  }),
  Location: header('Address to go to.', {
    type: 'string',
    format: 'uri',
    examples: ['https://checkout.stripe.com/c/pay/example'],
  }),
  ...METERING_HEADERS,
  RetryAfter: header('Seconds to wait before the next attempt.', { type: 'integer', minimum: 0, examples: [5] }),
};

export const headerRef = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });

const INTEGER = { type: 'integer', minimum: 0, examples: [24] } as const;

/** Headers in which the plan gate reports the limit and its use. */
export function gateHeaders(one: Endpoint, required = true): Schema {
  const entries = Object.entries(one.gate?.headers ?? {});
  return Object.fromEntries(
    entries.map(([name, text]) => [name, header(text, INTEGER, required && !one.gate?.headersOfSome)]),
  );
}
