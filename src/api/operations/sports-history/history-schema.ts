// Past prices of matches (shapes 3.1, A 2.13).
import { Type } from '@sinclair/typebox';
import { MOST_SNAPSHOTS } from '../../../store/reads/sports/series';
import { amount, BookmakerKey, count, instant, named, nullable, price, text, yes } from '../../wire/vocabulary';
import { bound } from '../archive/pages/parameters';
import { canonicalEventId, EVENT_ID, matchIdentity } from '../sports/match-schema';
import { SportMarket } from '../sports/parameters-schema';

/** `what`: the instants that the span covers. */
export const span = (what: string) => ({
  from: bound(`First ${what}: a Sydney day, or an instant with its UTC offset. Default: 7 days before \`to\`.`),
  to: bound(
    `Last ${what}, included: a Sydney day, which ends at midnight, or an instant with its UTC offset. Default: now. At most 31 days after \`from\`.`,
  ),
});

const points = {
  home_point: nullable(amount('The handicap of the home side, or the total; null in `h2h`.')),
  away_point: nullable(amount('The handicap of the away side, or the total; null in `h2h`.')),
};

const prices = {
  home_price: nullable(price('Decimal odds of the home side; of totals of Over. Null: not offered.')),
  draw_price: nullable(price('Null where the book has no draw.')),
  away_price: nullable(price('Decimal odds of the away side; of totals of Under. Null: not offered.')),
  ...points,
};

const Snapshot = named(
  'SportSnapshot',
  Type.Object({ recorded_at: instant('When the book offered this first (UTC).'), bookmaker: BookmakerKey, ...prices }),
);

export const MatchHistory = named(
  'MatchHistory',
  Type.Object({
    event_id: text(EVENT_ID),
    ...matchIdentity,
    snapshots: Type.Array(Snapshot, {
      minItems: 1,
      description:
        'Every change within the span, newest first. A market that the book took back has null prices from then on; it stands until the next snapshot of ' +
        'the same book.',
    }),
    truncated: yes(
      `Whether the match has more than ${MOST_SNAPSHOTS} snapshots in the span, of which these are the newest. For the others send fewer \`bookmakers\`, or the oldest \`recorded_at\` as \`to\`, from \`offset\` 0 on: the rows of that instant come again.`,
    ),
  }),
);

const Change = named('SportChange', Type.Object({ from: amount(), to: amount(), delta: amount('`to` less `from`.') }));
const changed = Type.Optional(Change);

export const Movement = named(
  'SportMovement',
  Type.Object({
    event_id: text(EVENT_ID),
    ...matchIdentity,
    bookmaker: BookmakerKey,
    market_type: SportMarket,
    from_recorded_at: instant('When the book offered the earlier prices first (UTC).'),
    to_recorded_at: instant('When it changed them (UTC).'),
    ...points,
    changes: named(
      'SportChanges',
      Type.Object(
        {
          home_price: changed,
          draw_price: changed,
          away_price: changed,
          home_point: changed,
          away_point: changed,
        },
        { description: 'Only what changed.' },
      ),
    ),
  }),
);

const ClosingPrice = named(
  'SportClosingPrice',
  Type.Object({
    ...prices,
    recorded_at: instant('When the book offered this first (UTC).'),
    last_seen_at: instant('When the book last listed it before the start (UTC).'),
    secs_to_start: count('Seconds from then to the start.'),
    is_closing: yes('Whether that is at most 1800 s. Only such prices count in the consensus.'),
  }),
);

const Consensus = named(
  'SportConsensusPrice',
  Type.Object({ ...prices, books: count('Books whose closing prices it is the median of.') }),
);

export const SportClosing = named(
  'SportClosing',
  Type.Object({
    event_id: text(EVENT_ID),
    canonical_event_id: canonicalEventId,
    ...matchIdentity,
    competition: nullable(text()),
    bookmakers: Type.Array(
      named(
        'SportClosingBook',
        Type.Object({
          key: BookmakerKey,
          h2h: nullable(ClosingPrice),
          spreads: nullable(ClosingPrice),
          totals: nullable(ClosingPrice),
        }),
      ),
      { minItems: 1, description: 'By key; null: the book never priced the market.' },
    ),
    consensus: named(
      'SportConsensus',
      Type.Object(
        { h2h: nullable(Consensus), spreads: nullable(Consensus), totals: nullable(Consensus) },
        {
          description:
            'Of `h2h` the median closing price of each side, over books with the same outcomes. Of the others the line that most books closed at ' +
            '(of equals the one nearest to the median line) and the median prices of these books. Null: no book closed with both sides.',
        },
      ),
    ),
  }),
);
