// The members that events share (D31).
import { type TSchema, Type } from '@sinclair/typebox';
import type { EventKind } from '../../../domain/events/event';
import { exampleIdentity } from '../../wire/examples';
import { raceIdentity } from '../../wire/race-schema';
import { instant, nullable, oneOf, text, whole } from '../../wire/vocabulary';

/** As the reference shows it. */
export interface PublishedEvent {
  readonly summary: string;
  readonly description: string;
  readonly schema: TSchema;
  readonly example: unknown;
}

const eventMembers = <K extends EventKind>(kind: K) => ({
  event: oneOf([kind], { description: 'The kind of event.' }),
  id: text(
    'Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise duplicates.',
  ),
  occurred_at: instant('When it happened (UTC).'),
});

const { race_id, venue, race_number, category, country, start_time } = raceIdentity;

export const raceEventMembers = <K extends EventKind>(kind: K) => ({
  ...eventMembers(kind),
  sequence: Type.Integer({
    minimum: 1,
    description: 'Counts the events of the race. A retry may arrive late: the highest `sequence` is the latest.',
  }),
  race_id,
  venue,
  race_number,
  category,
  country,
  start_time,
});

export const otherEventMembers = <K extends EventKind>(kind: K) => ({
  ...eventMembers(kind),
  sequence: nullable(whole('Always null: it is not an event of a race.')),
});

export const exampleEvent = <K extends EventKind>(kind: K) => ({
  event: kind,
  id: 'evt_5f0c3f3e9d6b4b0f8f8a8c2d1e7a6b50',
  occurred_at: '2026-11-21T05:02:11.480Z',
});

export const exampleRaceEvent = <K extends EventKind>(kind: K, sequence: number) => {
  const { race_id, venue, race_number, category, country, start_time } = exampleIdentity;
  return { ...exampleEvent(kind), sequence, race_id, venue, race_number, category, country, start_time };
};
