// A book's push of sports, and the reply (shapes 3.9). Every limit is in the schema, so that the OpenAPI document
// states it.
import { Type } from '@sinclair/typebox';
import { MOST_OF_PAIR } from '../../../domain/sports/identity/place-events';
import {
  amount,
  BookmakerKey,
  count,
  instant,
  named,
  nullable,
  oneOf,
  readableInstant,
  text,
  words,
  yes,
} from '../../wire/vocabulary';
import { OfferedSportMarket } from '../sports/parameters-schema';
import { SportKey } from '../sports/sport-key-schema';

/** A large book has a thousand in tennis, soccer and basketball alone. */
export const MOST_EVENTS = 2000;
/** More than any book has: an excess is left out alone, and never causes the rest of a push to be refused. */
const MOST_MARKETS = 200;
const MOST_SELECTIONS = 200;
/** A book offers some 20,000. */
const MOST_SELECTIONS_IN_ALL = 60_000;
const MOST_POINTS = 1000;

const STRICT = { additionalProperties: false } as const;

const SelectionIn = named(
  'IngestSelection',
  Type.Object(
    {
      name: words(
        'The team as `home_team` or `away_team` names it, or `Draw`; of totals `Over` or `Under`, with or without the total.',
      ),
      price: nullable(amount('Decimal odds; null or 0 if not quoted.')),
      point: Type.Optional(
        nullable(
          Type.Number({
            minimum: -MOST_POINTS,
            maximum: MOST_POINTS,
            description: 'The handicap of the side (spreads) or the total (totals). Required there.',
          }),
        ),
      ),
    },
    STRICT,
  ),
);

const MarketIn = named(
  'IngestMarket',
  Type.Object(
    {
      market_type: Type.Optional(OfferedSportMarket),
      last_update: Type.Optional(
        nullable(
          readableInstant(
            'When the source itself last updated these prices, of whatever age. Repeating it makes the prices no younger. Absent or null: not known.',
          ),
        ),
      ),
      selections: Type.Array(SelectionIn, {
        maxItems: MOST_SELECTIONS,
        'x-most-in-body': MOST_SELECTIONS_IN_ALL,
        description:
          'Both sides, and the draw if the book offers it. Of alternates both sides of each line. A push has at most ' +
          `${MOST_SELECTIONS_IN_ALL} selections in all; a larger one is a 413, and nothing is taken back.`,
      }),
    },
    STRICT,
  ),
);

const EventIn = named(
  'IngestEvent',
  Type.Object(
    {
      source_id: Type.Optional(
        nullable(
          words('The book’s own id for the match. With it, a match that is postponed stays the same match.', 200),
        ),
      ),
      sport_key: SportKey,
      home_team: words('As the book displays it.'),
      away_team: words('As the book displays it.'),
      commence_time: readableInstant('Advertised start.'),
      competition: Type.Optional(nullable(words('Such as `NRLW`.'))),
      markets: Type.Array(MarketIn, {
        maxItems: MOST_MARKETS,
        description:
          'Each market, `h2h` if `market_type` is absent. The first listing of a line market is its main line; others are alternates, listed as ' +
          '`alternate_spreads` and `alternate_totals` or as the market again, 40 lines of a market with the main one. Without a main line the most even ' +
          'alternate is it. A market that is left out is no longer offered.',
      }),
    },
    STRICT,
  ),
);

const example = {
  bookmaker_key: 'sportsbet',
  events: [
    {
      source_id: '8841207',
      sport_key: 'afl',
      home_team: 'Richmond Tigers',
      away_team: 'Carlton Blues',
      commence_time: '2026-11-22T08:25:00.000Z',
      markets: [
        {
          market_type: 'h2h',
          selections: [
            { name: 'Richmond Tigers', price: 1.98 },
            { name: 'Carlton Blues', price: 1.85 },
          ],
        },
        {
          market_type: 'totals',
          last_update: '2026-11-21T02:58:10.000Z',
          selections: [
            { name: 'Over 165.5', price: 1.9, point: 165.5 },
            { name: 'Under 165.5', price: 1.9, point: 165.5 },
          ],
        },
      ],
    },
  ],
};

export const SportIngestPayload = named(
  'SportIngestPayload',
  Type.Object(
    {
      bookmaker_key: words('Must equal `bookmaker_key` in the path.'),
      observed_at: Type.Optional(readableInstant('When these prices applied at the book. Default: now.')),
      events: Type.Array(EventIn, {
        maxItems: MOST_EVENTS,
        description: 'Every match that the book offers, of all sports: prices of any other match are taken back.',
      }),
    },
    { ...STRICT, examples: [example] },
  ),
);

const REFUSALS = [
  'unreadable_team',
  'same_team',
  'repeated',
  'ambiguous_event',
  'prices_disagree',
  'started',
  'start_out_of_window',
  'name_is_formula',
  'replayed',
] as const;

const RefusedEvent = named(
  'SportIngestRefusal',
  Type.Object({
    index: count('Place in `events`, from 0.'),
    source_id: nullable(text()),
    reason: oneOf(REFUSALS, {
      description:
        '`unreadable_team`: a team’s name has no Latin letter or digit, or a letter of another script. `same_team`: both names mean one team. `repeated`: ' +
        'the match is in the list twice. `ambiguous_event`: two stored matches fit equally well, or the list has another row that fits the same ' +
        `match as well, or more than ${MOST_OF_PAIR} rows of its two teams. ` +
        '`prices_disagree`: other bookmakers give the home side another chance, by 40 points or more: it is another match, or its sides ' +
        'are exchanged. `started`: the match, by this row or by most bookmakers, started at `observed_at` or ' +
        'before; its last prices stay. `start_out_of_window`: it starts more than a year ahead. `name_is_formula`: a team’s name or the competition ' +
        'begins with =, +, - or @. `replayed`: a push at least as new is stored already, or newer prices of the bookmaker’s match came from another ' +
        'source; nothing of it was changed.',
    }),
  }),
);

export const SportIngestReply = named(
  'SportIngestReply',
  Type.Object({
    ok: yes('True if the push was read; see `refused` for the matches that were not accepted.'),
    bookmaker_key: BookmakerKey,
    replayed: yes('A push at least as new is stored already: nothing of this one was stored or taken back.'),
    events_ingested: count('Number of matches accepted.'),
    markets_changed: count('Number of markets whose prices or points changed, including those taken back.'),
    markets_taken_back: count('Number of markets that the book offered before and no longer does.'),
    observed_at_applied: instant(
      'The observation time of the stored push (UTC): of this one, unless it is `replayed`.',
    ),
    refused: Type.Array(RefusedEvent, { description: 'The refused matches, in the order of the list.' }),
    dropped: Type.Record(Type.String(), count(), {
      description:
        'Number of dropped markets and prices, by market and reason: `_unknown_selection`, `_repeated_selection`, `_missing_side`, ' +
        '`_missing_point`, `_points_differ`, `_repeated` and `_draw_not_priced` drop a market or a line, `_too_many` a line beyond 40, `_not_a_price` and ' +
        '`_price_out_of_range` (not from 1.01 to 1001) one price.',
    }),
  }),
);
