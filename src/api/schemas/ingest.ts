// What a push-fed book sends (shapes 3.9), and what it is told. Every bound is said here, so that the OpenAPI document says it too.
import { Type } from '@sinclair/typebox';
import { amount, BookmakerKey, Category, count, instant, named, nullable, oneOf, text, yes } from './vocabulary';

export const MOST_RACES = 200;
export const MOST_RUNNERS = 40;

const STRICT = { additionalProperties: false } as const;
const words = (description: string, maxLength = 100) => Type.String({ minLength: 1, maxLength, description });
const leg = () => Type.Optional(nullable(amount('Decimal odds; null, 0 or absent: not quoted.')));

const observedAt = (description: string) => Type.Optional(instant(description));

const RunnerIn = named(
  'IngestRunner',
  Type.Object(
    {
      name: words('As the book prints it.'),
      number: Type.Optional(
        nullable(
          Type.Integer({ minimum: 1, maximum: 99, description: 'Saddlecloth number; without it, joined by name.' }),
        ),
      ),
      win_price: nullable(amount('Decimal odds; null or 0: not quoted.')),
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
      source_id: words('The book’s own id of the race.', 200),
      venue: words('As the book spells it.'),
      race_number: Type.Integer({ minimum: 1, maximum: 30 }),
      category: Category,
      start_time: instant('Advertised start.'),
      country: Type.Unsafe<string>({ type: 'string', pattern: '^[A-Z]{2}$', default: 'AU' }),
      observed_at: observedAt('When these prices stood, where it differs from the list’s.'),
      runners: Type.Array(RunnerIn, {
        maxItems: MOST_RUNNERS,
        description: 'All that the book prices; a runner left out is no longer priced.',
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
      bookmaker_key: words('The same as in the path.'),
      observed_at: observedAt('When these prices stood at the book. Default: now.'),
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
  'start_out_of_window',
  'replayed',
] as const;

const RefusedRace = named(
  'IngestRefusal',
  Type.Object({
    source_id: text(),
    reason: oneOf(REFUSALS, {
      description:
        '`ambiguous_race`: it could be more than one race, or repeats a row of the list. `start_out_of_window`: too long past or too ' +
        'far ahead. `race_renumbered`: the book’s own ids say otherwise than its numbers. `another_race`: its runners are another race’s. `runners_not_known`: it gives no numbers, and nobody has named the runners yet; send it again later. `replayed`: prices at least as new are held, nothing was changed.',
    }),
  }),
);

export const IngestReply = named(
  'IngestReply',
  Type.Object({
    ok: yes('The push was read; see `refused` for what was not taken.'),
    bookmaker_key: BookmakerKey,
    races_ingested: count(),
    runners_built: count('Runners of those races that could be told apart, priced or not.'),
    observed_at_applied: instant('The instant that the prices carry, where a race has none of its own.'),
    refused: Type.Array(RefusedRace, { description: 'In the order of the list.' }),
    dropped: Type.Record(Type.String(), count(), { description: 'Prices and runners left out, by reason.' }),
  }),
);
