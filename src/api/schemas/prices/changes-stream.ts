// The events of the stream of changes (D61), as objects: a client reads `event`, `id` and the JSON of `data` from the text of the stream.
import { type TProperties, Type } from '@sinclair/typebox';
import { Problem } from '../problem';
import { aged, count, instant, named, oneOf, text, whole } from '../vocabulary';
import { exampleChanges, RacingChanges } from './changes';
import { NextRace } from './next-to-go';

const id = text('Send the last one back in `Last-Event-ID` when you connect again. It has no meaning of its own.');

const StreamState = named(
  'StreamState',
  Type.Object({
    server_time: aged(instant('As in `changes`.')),
    race_count: count('How many races the state has.'),
    horizon_hours: whole('How far ahead it reaches: as far as the plan of the key looks.'),
  }),
);

const StreamReset = named(
  'StreamReset',
  Type.Object({
    reason: oneOf(['too_old', 'in_the_future', 'unreadable', 'other_rights'], {
      description:
        'What is wrong with the `Last-Event-ID`: older than 30 minutes, in the future, no id of this stream, or of a plan that looks less or further ahead or differs in betslip links.',
    }),
  }),
);

const event = <const N extends string, T extends TProperties>(name: N, description: string, members: T) =>
  named(componentOf(name), Type.Object({ event: oneOf([name]), ...members }, { description }));

const componentOf = (name: string): string => `Stream${name[0]!.toUpperCase()}${name.slice(1)}Event`;

export const ChangesEvent = named(
  'ChangesEvent',
  Type.Union([
    event(
      'race',
      'A whole race, as `next-to-go` reports it: replace what you have of it. Part of the state, and later each race that comes within the horizon.',
      { data: NextRace },
    ),
    event('state', 'The state is complete.', { id, data: StreamState }),
    event('changes', 'What changed since the last event, as `GET /v1/racing/changes` reports it.', {
      id,
      data: RacingChanges,
    }),
    event('reset', 'Discard what you have: the whole state follows.', { data: StreamReset }),
    event('error', 'Why the stream ends here, as the body of a refused request.', { data: Problem }),
  ]),
);

export const exampleEvent = { event: 'changes' as const, id: `${exampleChanges.server_time} 48`, data: exampleChanges };
