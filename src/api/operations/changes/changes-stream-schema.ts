// The events of the stream of changes (D61, D64), as objects: a client reads `event`, `id` and the JSON of `data` from
// the text of the stream.
import { type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { quoteFreshness, raceFreshness } from '../../wire/freshness-schema';
import { Problem } from '../../wire/problem-schema';
import {
  aged,
  amount,
  BookmakerKey,
  count,
  instant,
  link,
  named,
  nullable,
  oneOf,
  Tier,
  text,
  whole,
} from '../../wire/vocabulary';
import { NextRace } from '../prices/next-to-go-schema';
import { ChangedRace, ChangedRunner, exampleChanges } from './changes-schema';

const id = text('Send the last one back in `Last-Event-ID` when you connect again. It has no meaning of its own.');
const lastId = Type.Optional(id);

const serverTime = aged(instant('You have everything that was written before (UTC). It never goes back.'));

const StreamState = named(
  'StreamState',
  Type.Object({
    server_time: serverTime,
    race_count: count('How many races you have now.'),
    horizon_hours: whole('How far ahead they reach: as far as the plan of the key looks.'),
  }),
);

const RESET_REASONS = [
  'too_old',
  'in_the_future',
  'unreadable',
  'other_rights',
  'other_filters',
  'clock_set_back',
  'archived_again',
] as const;

const StreamReset = named(
  'StreamReset',
  Type.Object({
    reason: oneOf(RESET_REASONS, {
      description:
        'What is wrong with the `Last-Event-ID`: older than 30 minutes or of a state that was not complete, in the future, no id of this stream, or of a plan that looks less or further ahead or differs in betslip links, or of another release of the service; of a stream with other filters; or of before the clock of the service was set back. `archived_again`, of a replay alone: races were archived again since, and their prices may differ from those that you have.',
    }),
  }),
);

const { updated_at: _, ...pricesOfRow } = ChangedRunner.properties;

const StreamRunner = named(
  'StreamRunner',
  Type.Object(
    {
      ...pricesOfRow,
      updated_at: aged(instant('The `last_update` of this quote: when the book last responded about this race (UTC).')),
      tote_win: nullable(
        Type.Record(Type.String(), amount('Estimated dividend for a $1 bet.'), {
          description: 'As in `next-to-go`; null if the book has none.',
        }),
      ),
      source_url: nullable(link('The book’s page for this race; null if it has no known address.')),
      refresh_tier: Tier,
      age_basis: quoteFreshness.age_basis,
    },
    {
      description:
        'All that one book quotes on one runner now. A leg that the book does not quote is null here and absent from `next-to-go`. ' +
        'If all legs and `tote_win` are null, the book no longer quotes the runner.',
    },
  ),
);

const { runners: _runners, ...ofRace } = NextRace.properties;
const withoutAges = { ...ChangedRace.properties, ...raceFreshness('', '') };
const others = Object.entries<TSchema>(ofRace).filter(([name]) => !(name in withoutAges));
const more = Type.Partial(Type.Object(Object.fromEntries(others))).properties;
const { changed_runners: _changed, ...head } = ChangedRace.properties;

const StreamChangedRace = named(
  'StreamChangedRace',
  Type.Object(
    {
      ...head,
      ...more,
      changed_runners: Type.Array(StreamRunner, { description: 'Of runners that you have, by number.' }),
    },
    {
      description:
        'A race that you have. The members of `GET /v1/racing/changes` are always there; those that only `next-to-go` has come with a ' +
        'change of the race itself.',
    },
  ),
);

const StreamChanges = named(
  'StreamChanges',
  Type.Object({ server_time: serverTime, races: Type.Array(StreamChangedRace) }),
);

export const GONE_REASONS = ['jumped', 'abandoned', 'left', 'hidden'] as const;

const StreamGone = named(
  'StreamGone',
  Type.Object({
    race_id: Type.String({ format: 'uuid' }),
    reason: oneOf(GONE_REASONS, {
      description:
        '`jumped`: it started, or its advertised start has passed. `abandoned`. `hidden`: your filters no longer select it, for its country was corrected. `left`: no visible book prices it, it was taken off the board, or its start moved beyond your horizon.',
    }),
  }),
);

const StreamStaleAfter = named(
  'StreamStaleAfter',
  Type.Object(
    { live: whole('Of the tier `live`.'), card: whole('Of the tier `card`.') },
    { description: 'A quote is stale when it is older than this.' },
  ),
);

const StreamFreshBook = named(
  'StreamFreshBook',
  Type.Object({ key: BookmakerKey, last_update: quoteFreshness.last_update, refresh_tier: Tier }),
);

const StreamFreshRace = named(
  'StreamFreshRace',
  Type.Object({
    race_id: Type.String({ format: 'uuid' }),
    books: Type.Array(StreamFreshBook, {
      description:
        'Of all its quotes on this race. Only books that responded, or changed their tier, since the last event.',
    }),
  }),
);

const StreamFreshness = named(
  'StreamFreshness',
  Type.Object({
    server_time: serverTime,
    stale_after_seconds: StreamStaleAfter,
    races: Type.Array(StreamFreshRace),
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
      'A whole race, as `next-to-go` reports it: replace what you have of it. Part of the state; later each race that comes into view, and one whose runners changed otherwise than in price, by a scratching for example.',
      { id: lastId, data: NextRace },
    ),
    event('state', 'The state is complete.', { id, data: StreamState }),
    event('changes', 'Prices, and members of races, that changed since the last event.', {
      id: lastId,
      data: StreamChanges,
    }),
    event('gone', 'Discard this race. After a break it may be one that you do not have.', {
      id: lastId,
      data: StreamGone,
    }),
    event('freshness', 'How fresh the quotes of a book are, at most every five seconds.', {
      id: lastId,
      data: StreamFreshness,
    }),
    event('reset', 'Discard what you have: the whole state follows.', { data: StreamReset }),
    event('error', 'Why the stream ends here, as the body of a refused request.', { data: Problem }),
  ]),
);

const [exampleRace] = exampleChanges.races;
const exampleRunner = {
  ...exampleRace!.changed_runners[0]!,
  tote_win: null,
  source_url: null,
  refresh_tier: 'live' as const,
  age_basis: 'poll' as const,
};

export const exampleStreamEvent = {
  event: 'changes' as const,
  id: `${exampleChanges.server_time} 48-2f9d1c07 8c1de1b4-6f0a-4f1d-9a53-3d9e4f6a7b10`,
  data: { ...exampleChanges, races: [{ ...exampleRace!, changed_runners: [exampleRunner] }] },
};
