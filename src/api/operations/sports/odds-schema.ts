// Sports and their odds (shapes 3.1).
import { Type } from '@sinclair/typebox';
import { age, aged, amount, BookmakerKey, instant, named, nullable, oneOf, text, yes } from '../../wire/vocabulary';
import {
  canonicalEventId,
  confirmed,
  DataQuality,
  EVENT_ID,
  matchFreshness,
  matchIdentity,
  SportQuality,
} from './match-schema';
import { OfferedSportMarket, USUAL_MAX_AGE_MINUTES } from './parameters-schema';
import { SportKey } from './sport-key-schema';

const cache = {
  cached: aged(yes('Whether these rows were read for an earlier request.')),
  cache_age_seconds: age('Seconds since they were read; 0 if they were read for this request.'),
};

export const Sport = named(
  'Sport',
  Type.Object({
    key: SportKey,
    title: text(),
    group: text('Such as `Basketball`.'),
    active: yes(
      `Whether a match that has not started has a price that was confirmed within ${USUAL_MAX_AGE_MINUTES / 60} hours.`,
    ),
    ...cache,
    data_quality: nullable(DataQuality),
  }),
);

const ODDS_FORMATS = ['decimal', 'american'] as const;
export const OddsFormat = named(
  'OddsFormat',
  oneOf(ODDS_FORMATS, {
    description:
      '`decimal`: the return on 1 staked. `american`: the win on 100, or, negative, the stake that wins 100.',
  }),
);

const Outcome = named(
  'SportOutcome',
  Type.Object({
    name: text('The team as this book spells it, `Draw`, `Over` or `Under`.'),
    price: amount('In the `odds_format` of the match.'),
    point: Type.Optional(amount('The handicap of the side, or the total. Not in `h2h`.')),
  }),
);

const MarketOdds = named(
  'SportMarketOdds',
  Type.Object({
    key: OfferedSportMarket,
    quality: SportQuality,
    outcomes: Type.Array(Outcome, {
      description:
        'Home, away, draw; of totals over, under; of alternates those of each line, by the point of the home side. A side without a price is left out.',
    }),
  }),
);

const BookOdds = named(
  'SportBookOdds',
  Type.Object({
    key: BookmakerKey,
    title: text('The bookmaker’s name.'),
    ...confirmed,
    quality: SportQuality,
    markets: Type.Array(MarketOdds),
  }),
);

export const SportEvent = named(
  'SportEvent',
  Type.Object({
    id: text(EVENT_ID),
    canonical_event_id: canonicalEventId,
    sport_title: text(),
    ...matchIdentity,
    competition: nullable(text('As the first book that named one spells it; null if none does.')),
    bookmakers: Type.Array(BookOdds, { description: 'By key.' }),
    odds_format: OddsFormat,
    fetched_at: aged(instant('When the most recent of these books confirmed its prices (UTC).')),
    ...matchFreshness,
    ...cache,
    data_quality: DataQuality,
  }),
);
