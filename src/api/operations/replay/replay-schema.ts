// The events of a replay (D69): those of the stream of changes, with what was recorded first, results, and an end.
import { type TProperties, Type } from '@sinclair/typebox';
import { Bookmaker } from '../../wire/parameters';
import { raceIdentity } from '../../wire/race-schema';
import { BookmakerKey, count, instant, named, nullable, oneOf, text, whole } from '../../wire/vocabulary';
import { ChangesEvent, exampleStreamEvent } from '../changes/changes-stream-schema';
import { ResultStatus } from '../results/result-schema';

const id = text('Send the last one back to go on after it. It has no meaning of its own.');
const serverTime = instant('Race time of this event (UTC).');

const LEFT_OUT = ['on_board', 'not_archived', 'flagged', 'no_prices'] as const;

const ReplayLeftOut = named(
  'ReplayLeftOut',
  Type.Object({
    race_id: Type.String({ format: 'uuid' }),
    reason: oneOf(LEFT_OUT, {
      description:
        '`on_board`: it has not left the live board yet. `not_archived`: its archive is being written. `flagged`: it may have been stored as two races. `no_prices`: none of these books had a recorded price up to its jump.',
    }),
  }),
);

/** What the stream has and the archive does not keep. */
export const NOT_RECORDED = [
  'prices more than 60 minutes before the start',
  'moves of the place price or a Top 2 to 4 price alone',
  'withdrawn prices',
  'prices after the jump',
  'tote_win',
  'source_url',
  'freshness',
  'market_status',
  'market_closed_at',
  'weather',
  'earlier start times: the last known one is sent from the first event on',
  'earlier versions of the card: jockeys, weights and form are as last known',
  'scratchings without an instant: those runners are out from the first event on',
  'places_paid',
] as const;

const ReplayRecorded = named(
  'ReplayRecorded',
  Type.Object({
    server_time: serverTime,
    until: nullable(instant('Race time of the last jump (UTC); null if no race is played.')),
    race_count: count('How many races are played.'),
    left_out: Type.Array(ReplayLeftOut, { description: 'Races that you selected and that are not played.' }),
    bookmakers: Type.Array(BookmakerKey, { description: 'Books with at least one recorded price.' }),
    bookmakers_without_prices: Type.Array(Bookmaker, { description: 'Books that you selected, or all, without one.' }),
    recorded_minutes: whole('Prices are recorded from this many minutes before the advertised start.'),
    not_recorded: Type.Array(text(), {
      description:
        'What the stream of changes has and the archive does not keep: null or missing in every event, or from the first event on as last known.',
    }),
  }),
);

const ReplayPlacing = named(
  'ReplayPlacing',
  Type.Object({
    position: whole('Finishing position; dead heats share one.'),
    number: whole(),
    name: nullable(text()),
  }),
);

const { race_id, venue, race_number, category, country, start_time } = raceIdentity;

const ReplayResult = named(
  'ReplayResult',
  Type.Object({
    ...{ race_id, venue, race_number, category, country, start_time },
    status: ResultStatus,
    placings: Type.Array(ReplayPlacing, {
      description: 'As they stand today. `GET /v1/racing/results` has dividends.',
    }),
  }),
);

const ReplayEnd = named(
  'ReplayEnd',
  Type.Object({ server_time: serverTime, race_count: count('How many races were played.') }),
);

const event = <const N extends string, T extends TProperties>(name: N, description: string, members: T) =>
  named(componentOf(name), Type.Object({ event: oneOf([name]), ...members }, { description }));

const componentOf = (name: string): string => `Replay${name[0]!.toUpperCase()}${name.slice(1)}Event`;

type StreamEvent = (typeof ChangesEvent)['anyOf'][number];

const hasName =
  <const N extends string>(...names: N[]) =>
  (one: StreamEvent): boolean =>
    (names as string[]).includes((one.properties.event as unknown as { enum: string[] }).enum[0]!);

/** As in the stream, which sends one more. */
const ofStream = ChangesEvent.anyOf.filter(hasName('state', 'race', 'changes', 'gone', 'reset', 'error'));

export const ReplayEvent = named(
  'ReplayEvent',
  Type.Union([
    event('recorded', 'The first event: what is played, and what of it was not recorded.', {
      id,
      data: ReplayRecorded,
    }),
    ...ofStream,
    event(
      'result',
      'The result, when it became final; without that instant, when it came. Without an id after `reset`.',
      {
        id: Type.Optional(id),
        data: ReplayResult,
      },
    ),
    event('end', 'All was played. Do not connect again.', { id, data: ReplayEnd }),
  ]),
);

export const exampleReplayEvent = {
  ...exampleStreamEvent,
  id: '2026-11-20T02:58:10.000Z-000002 1f0c9a3b-5d2e8f70 8c1de1b4-6f0a-4f1d-9a53-3d9e4f6a7b10',
};
