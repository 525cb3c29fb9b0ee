// Bets to score against the closing line (reference-shapes 11). `clv-report.ts` is the response.
import { type TSchema, Type } from '@sinclair/typebox';
import { REFERENCES } from '../../../domain/clv/measure';
import { exampleIdentity } from '../../wire/examples';
import { day, named, nullable, oneOf, readableInstant, words } from '../../wire/vocabulary';

export const MOST_BETS = 200;

const STRICT = { additionalProperties: false } as const;

/** Absent or null. */
const optional = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema));

export const Reference = named(
  'ClvReference',
  oneOf(REFERENCES, {
    description:
      'What a bet that names no bookmaker is measured against: the highest close across books, or their median. Default: `best`.',
  }),
);

const MARKETS = ['win', 'place'] as const;
export const ClvMarket = named('ClvMarket', oneOf(MARKETS, { description: 'Market of a bet.' }));

/** Shown by its name, validated as one schema: for a choice between schemas the validator reports every branch. */
const marketSent = {
  ...nullable(oneOf(MARKETS)),
  'x-shown-as': Type.Unsafe({
    ...nullable(ClvMarket),
    description:
      'Market of the bet. Default: `win`. A place bet is measured against place prices and settled on the places paid.',
  }),
};

const ClvBet = named(
  'ClvBet',
  Type.Object(
    {
      race_id: optional(
        Type.String({
          maxLength: 100,
          description:
            'Id of the race, a UUID. If it is sent, `venue`, `meeting_date` and `race_number` are ignored. An id that no race has makes ' +
            'the bet `race_not_found`.',
        }),
      ),
      venue: optional(
        words(
          'Venue name, case-insensitive, in any spelling that `GET /v1/racing/venues` lists. Without `race_id`, `meeting_date` and `race_number` are required too.',
        ),
      ),
      meeting_date: optional(day('Meeting day (Australia/Sydney). See `venue`.')),
      race_number: optional(
        Type.Integer({
          minimum: 1,
          maximum: 99,
          description: 'Number of the race in its meeting. See `venue`.',
        }),
      ),
      runner_ref: optional(
        words(
          'Registry id of the entry. A bet needs at least one of `runner_ref`, `runner_number` and `runner_name`; the runner must match ' +
            'all that are sent.',
        ),
      ),
      runner_number: optional(Type.Integer({ minimum: 1, maximum: 99, description: 'Saddlecloth or box number.' })),
      runner_name: optional(words('Name of the runner; case, spaces, punctuation and a country suffix are ignored.')),
      market: Type.Optional(marketSent),
      price: Type.Number({ exclusiveMinimum: 1, maximum: 10_000, description: 'Price taken, in decimal odds.' }),
      stake: optional(
        Type.Number({
          minimum: 0.01,
          maximum: 1_000_000,
          description: 'Stake in any currency unit, 1 if absent; profit is rounded to two decimals.',
        }),
      ),
      bookmaker: optional(
        words(
          'Bookmaker key, case-insensitive. The bet is measured against this book’s own close instead of `reference`.',
          40,
        ),
      ),
      placed_at: optional(
        readableInstant(
          'When the bet was struck. It decides which deductions apply (those for runners scratched later) and how many places are paid. If ' +
            'it is not sent, deductions apply as to a bet struck 60 minutes before the advertised start, when capture begins.',
        ),
      ),
      ref: optional(Type.String({ minLength: 1, maxLength: 100, description: 'Your reference, returned unchanged.' })),
    },
    { ...STRICT, description: 'A win or place bet at a fixed price. A member that is null counts as absent.' },
  ),
);

const exampleBets = [
  {
    race_id: exampleIdentity.race_id,
    runner_number: 1,
    price: 5.5,
    stake: 20,
    bookmaker: 'ladbrokes_au',
    ref: 'mon-14',
  },
  {
    venue: exampleIdentity.venue,
    meeting_date: '2026-11-21',
    race_number: 8,
    runner_name: 'Plain Sailing',
    price: 3.2,
  },
];

export const ClvRequest = named(
  'ClvRequest',
  Type.Object(
    {
      bets: Type.Array(ClvBet, { minItems: 1, maxItems: MOST_BETS }),
      reference: Type.Optional(Reference),
    },
    { ...STRICT, examples: [{ bets: exampleBets, reference: 'best' }] },
  ),
);
