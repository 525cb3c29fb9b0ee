// GET /v1/racing/changes/stream (D61): an addition beyond the contract, which has `changes` alone.

import { STREAM_MINUTE_CREDITS } from '../../../plans/cost';
import { LIMITS } from '../../../plans/limits';
import { PLANS } from '../../../plans/plans';
import { endpoint } from '../../kernel/endpoint/endpoint';
import { planGate } from '../../kernel/endpoint/plan-gate';
import { categories, category, country, includeUnresolved } from '../../wire/parameters';
import type { ChangesStream } from './changes-stream';
import { ChangesEvent, exampleStreamEvent } from './changes-stream-schema';

const allowed = PLANS.map(({ id, title }) => `${title} ${LIMITS[id].streams}`).join(', ');

export const racingChangesStream = endpoint<{ changesStream: ChangesStream }>()({
  method: 'get',
  path: '/v1/racing/changes/stream',
  operationId: 'racing_changes_stream',
  tag: 'Racing',
  summary: 'Changes as they happen, as server-sent events',
  description:
    'A stream that keeps you equal to `next-to-go`. It begins with the whole state, an event `race` for each race that `next-to-go` reports as ' +
    'far ahead as your plan looks, then `state`. Within a second of their writing follow `changes` (prices of every market, and members of ' +
    'races), `race` (a race that comes into view, or whose runners changed: replace it), `gone` (discard the race, with the reason) and, at most ' +
    'every five seconds, `freshness` (when each book last responded). After each event with an `id` you have each race as `next-to-go` has it with ' +
    'the same filters, ages apart; all of them at `server_time`.\n\n' +
    'After a break, connect again with the last `id` in `Last-Event-ID`: the races that changed in the meantime are sent whole, those that left ' +
    'as `gone`, then `state`. An id that is older than 30 minutes, that cannot be read or that comes from another plan or other filters gives an event `reset` and the ' +
    'whole state. With its id a connection takes the place of the one that sent it, if that still counts as open, and of its paid minute; the other ' +
    'ends with an event `error` whose `reason` is `replaced`. Each connection is replaced once.\n\n' +
    'Each started minute of a connection is charged ahead. Without credits, or when the key ends or loses its rights, the stream ends with an ' +
    'event `error`. So does a connection that takes events more slowly than they come. A comment keeps a quiet connection open every 15 seconds. ' +
    `Streams that an account may have open at a time: ${allowed}; one more is a 429. The key is sent in its header, so in a browser read the ` +
    'stream with `fetch`, not with `EventSource`.',
  auth: 'key',
  sendsEvents: true,
  cost: {
    text: `${STREAM_MINUTE_CREDITS} credits for each started minute of a connection`,
    credits: () => STREAM_MINUTE_CREDITS,
  },
  gate: planGate('stream'),
  query: { categories, category, country, include_unresolved: includeUnresolved },
  ok: {
    description: 'The events, each as its name, its id and the JSON of its data.',
    schema: ChangesEvent,
    example: exampleStreamEvent,
  },
  async handler({ query, rights, services }) {
    const selection = {
      categories: query.categories,
      countries: query.country,
      includeUnresolved: query.include_unresolved,
      betslip: rights.betslip,
      horizonHours: rights.horizonHours,
    };
    return { follow: (start, sink) => services.changesStream.open(selection, start, sink) };
  },
});
