// A match in responses: its identity, its ages, and how good its data is (shapes 3.1).
import { Type } from '@sinclair/typebox';
import { ISSUES, STATUSES } from '../../../domain/sports/quality';
import { age, aged, BookmakerKey, count, instant, named, oneOf, text, whole, yes } from '../../wire/vocabulary';
import { SportKey } from './sport-key-schema';

const team = (side: string) => text(`The ${side} side, as the table of teams or the first book spells it.`);

export const EVENT_ID =
  'Id of the match, the same at every book; it stays the same when a bookmaker that sends its own ids postpones it.';

/** Without its id, which some operations call `id`. */
export const matchIdentity = {
  sport_key: SportKey,
  home_team: team('home'),
  away_team: team('away'),
  commence_time: instant('The start that most books list (UTC); it moves when the match is postponed.'),
};

export const canonicalEventId = text(
  '`sport:home:away:YYYY-MM-DD`: readable, and the same for ever. The day is that of the first listed start, in Sydney.',
);

export const matchFreshness = {
  data_age_seconds: age('Seconds since the least recent of these books confirmed its prices.'),
  freshest_age_seconds: age('Seconds since the most recent of these books confirmed its prices.'),
  stale: yes('Whether the least recent is past 1800 s.'),
  stale_bookmakers: Type.Array(BookmakerKey, { description: 'Books past 1800 s.' }),
};

/** For one price. */
export const confirmed = {
  last_update: aged(instant('When the book last confirmed the price (UTC).')),
  age_seconds: age('Seconds since `last_update`.'),
  stale: yes('Whether that is more than 1800 s.'),
};

const score = Type.Integer({
  minimum: 0,
  maximum: 100,
  description: '100, less 50 if stale and 25 for every other issue, 0 at least. Of several books their mean.',
});

const Status = named(
  'SportQualityStatus',
  oneOf(STATUSES, {
    description:
      '`stale`: older than `stale_after_seconds`; `warn`: another issue; `ok`: none. Of several books: `ok` or `stale` if every book is, ' +
      'otherwise `warn`.',
  }),
);

export const SportQuality = named(
  'SportQuality',
  Type.Object({
    score,
    status: Status,
    age_seconds: age('Seconds since the book last confirmed these prices.'),
    issues: Type.Array(
      oneOf(ISSUES, {
        description:
          '`stale`: older than `stale_after_seconds`. `incomplete`: a side has no price. `other_outcomes`: head to head with a draw in a ' +
          'sport that is priced without one, or without where it is priced with one. `under_round`: the book’s own prices add up to less ' +
          'than 100 %, so that one of them is probably wrong.',
      }),
    ),
    source_count: count('Books that quote the same market of the match; of a book, books that quote the match.'),
    stale_after_seconds: whole('Age from which prices are stale.'),
  }),
);

export const DataQuality = named(
  'SportDataQuality',
  Type.Object({
    score,
    status: Status,
    source_count: count('Rows of books that were joined: of one match one for each book.'),
    bookmaker_count: count('Different books.'),
  }),
);
