// Events as posted, page by page (D65).
import { type Static, Type } from '@sinclair/typebox';
import { EVENT_KINDS } from '../../../domain/events/event';
import { named, text, yes } from '../../wire/vocabulary';
import { exampleDelivery } from './delivery-schema';

export const EventPage = named(
  'WebhookEvents',
  Type.Object({
    events: Type.Array(
      Type.Unsafe<Readonly<Record<string, unknown>>>({
        type: 'object',
        additionalProperties: true,
        description: 'As it is posted: `webhooks` of this document has a schema of each kind.',
      }),
      { description: 'In the order in which they were recorded, the oldest first; those of one race by `sequence`.' },
    ),
    next: text('Send it as `after` to read on: always, also if there were no events. Valid for 30 days.'),
    has_more: yes(
      'Whether there was more to look through: then ask again at once. A page may have no events and say so.',
    ),
  }),
);

export const exampleEventPage: Static<typeof EventPage> = {
  events: [exampleDelivery.payload!],
  next: 'MS40MTgyNy4xNzk1MjMwMTk4MTA0',
  has_more: false,
};

/** Kinds in the list. */
export const LISTED_KINDS = EVENT_KINDS.filter((kind) => kind !== 'odds.change' && kind !== 'market.suspend');
