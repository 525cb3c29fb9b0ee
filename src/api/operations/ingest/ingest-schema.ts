// What a push-fed book sends, and the reply (shapes 3.9). Every limit is in the schema, so that the OpenAPI document
// states it.
import { Type } from '@sinclair/typebox';
import {
  amount,
  BookmakerKey,
  Category,
  count,
  countryCode,
  instant,
  named,
  nullable,
  oneOf,
  readableInstant,
  text,
  venueWords,
  words,
  yes,
} from '../../wire/vocabulary';

export const MOST_RACES = 200;
export const MOST_RUNNERS = 40;

const STRICT = { additionalProperties: false } as const;
const leg = () => Type.Optional(nullable(amount('Decimal odds; null, 0 or absent if not quoted.')));

const observedAt = (description: string) => Type.Optional(readableInstant(description));

const RunnerIn = named(
  'IngestRunner',
  Type.Object(
    {
      name: words('Name as the book displays it.'),
      number: Type.Optional(
        nullable(
          Type.Integer({
            minimum: 1,
            maximum: 99,
            description: 'Saddlecloth number. Without it, the runner is matched by name.',
          }),
        ),
      ),
      win_price: nullable(amount('Decimal odds; null or 0 if not quoted.')),
      place_price: leg(),
      top2_price: leg(),
      top3_price: leg(),
      top4_price: leg(),
    },
    STRICT,
  ),
);

const RaceIn = named(
  'IngestRace',
  Type.Object(
    {
      source_id: words('The book’s own id for the race.', 200),
      venue: venueWords('Venue name as the book spells it.'),
      race_number: Type.Integer({ minimum: 1, maximum: 30 }),
      category: Category,
      start_time: readableInstant('Advertised start.'),
      country: Type.Optional(countryCode('ISO 3166 country code; `AU` if absent.')),
      observed_at: observedAt(
        'When these prices applied at the book. Send it if it differs from the `observed_at` of the list.',
      ),
      runners: Type.Array(RunnerIn, {
        maxItems: MOST_RUNNERS,
        description: 'Every runner that the book prices; a runner that is left out is no longer priced.',
      }),
    },
    STRICT,
  ),
);

const example = {
  bookmaker_key: 'boostbet',
  races: [
    {
      source_id: 'bb-770',
      venue: 'Flemington',
      race_number: 7,
      category: 'horse',
      start_time: '2026-11-21T05:20:00.000Z',
      country: 'AU',
      runners: [
        { number: 1, name: 'Gold Trip', win_price: 5.5, place_price: 2.1 },
        { number: 2, name: 'Plain Sailing', win_price: 2.4 },
      ],
    },
  ],
};

export const IngestPayload = named(
  'IngestPayload',
  Type.Object(
    {
      bookmaker_key: words('Must equal `bookmaker_key` in the path.'),
      observed_at: observedAt('When these prices applied at the book. Default: now.'),
      races: Type.Array(RaceIn, { minItems: 1, maxItems: MOST_RACES }),
    },
    { ...STRICT, examples: [example] },
  ),
);

const REFUSALS = [
  'ambiguous_race',
  'race_not_listed_elsewhere',
  'race_renumbered',
  'another_race',
  'runners_not_known',
  'off_board',
  'start_out_of_window',
  'name_is_formula',
  'replayed',
] as const;

const RefusedRace = named(
  'IngestRefusal',
  Type.Object({
    source_id: text(),
    reason: oneOf(REFUSALS, {
      description:
        '`ambiguous_race`: more than one race matches, or the row repeats another row of the list. `start_out_of_window`: the start ' +
        'is more than 70 minutes past or 168 hours ahead. `name_is_formula`: the name of the venue begins with =, +, - or @. `race_renumbered`: the book’s own race ids contradict its race numbers. ' +
        '`another_race`: the runners belong to another race. `runners_not_known`: the runners have no numbers and no source has named ' +
        'the runners of the race yet; send the race again later. `off_board`: the race has left the board, and no more of its prices ' +
        'are stored. `replayed`: prices that are at least as new are stored already; nothing was changed.',
    }),
  }),
);

export const IngestReply = named(
  'IngestReply',
  Type.Object({
    ok: yes('True if the push was read; see `refused` for the races that were not accepted.'),
    bookmaker_key: BookmakerKey,
    races_ingested: count('Number of races accepted.'),
    runners_built: count('Number of runners of those races that were identified, priced or not.'),
    observed_at_applied: instant('The observation time that applies to races without their own `observed_at` (UTC).'),
    refused: Type.Array(RefusedRace, { description: 'The refused races, in the order of the list.' }),
    dropped: Type.Record(Type.String(), count(), {
      description:
        'Number of dropped prices and runners, by reason. `name_is_formula`: a runner whose name begins with =, +, - or @, which spreadsheets run.',
    }),
  }),
);
