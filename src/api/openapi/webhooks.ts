// The `webhooks` of the OpenAPI document: what is posted to customers, and how it is signed (D28, D58).
import { EVENTS } from '../operations/events/events-schema';
import type { PublishedEvent } from '../operations/events/members-schema';
import { type Schema, wire } from './schema';

export function webhooksOf(schemas: Record<string, Schema>): Schema {
  return Object.fromEntries(
    Object.entries(EVENTS).map(([name, event]) => [name, { post: posted(name, event, schemas) }]),
  );
}

const posted = (name: string, event: PublishedEvent, schemas: Record<string, Schema>): Schema => ({
  operationId: `event_${name.replace('.', '_')}`,
  summary: event.summary,
  description: event.description,
  security: [],
  parameters: HEADERS.map(([header, description, example]) => ({
    name: header,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string', examples: [example] },
  })),
  requestBody: {
    description: 'JSON with sorted keys and no spaces. Verify the bytes as received.',
    required: true,
    content: { 'application/json': { schema: wire(event.schema, schemas), example: event.example } },
  },
  responses: {
    '2XX': { description: 'Accepted. Any other response, none within 15 seconds, and a redirect are failed attempts.' },
    410: { description: 'It is tried again after a minute; a second 410 of the same delivery disables the webhook.' },
    429: { description: 'Fewer, please. `Retry-After` lengthens the wait, to 24 hours at most.' },
  },
});

const HEADERS = [
  [
    'webhook-id',
    'Id of the event, the same in every attempt and replay. Of a test: an id of its own.',
    'evt_5f0c3f3e9d6b4b0f8f8a8c2d1e7a6b50',
  ],
  [
    'webhook-timestamp',
    'Seconds since 1970 (UTC) at this attempt. Refuse what is older than five minutes.',
    '1795237331',
  ],
  [
    'webhook-signature',
    '`v1,` and the base64 of an HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`; the key is the base64-decoded rest of the secret behind ' +
      '`whsec_`. While a secret is being replaced there are two, separated by a space: accept either. The libraries of Standard Webhooks verify it.',
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ],
  [
    'X-Webhook-Signature',
    'The older form: `sha256=` and the hex HMAC-SHA256 of the body, with the whole secret as the key. It covers no time: prefer `webhook-signature`.',
    'sha256=6dd1e9b2f5b8a3e0c4f7d2a19b86c5e4d3f20a1b9c8d7e6f5a4b3c2d1e0f9a8b',
  ],
  ['X-PuntersEdge-Event', 'The kind of event: `event` of the body.', 'race.odds_open'],
] as const;
