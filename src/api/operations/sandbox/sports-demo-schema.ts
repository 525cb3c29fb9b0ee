// The sandbox's truncated samples of sports: live data without a key (shapes 3.8).
import { Type } from '@sinclair/typebox';
import { SPORT_KEYS } from '../../../domain/sports/sports';
import { raceIdentity } from '../../wire/race-schema';
import { aged, amount, BookmakerKey, link, named, nullable, oneOf, price, text, yes } from '../../wire/vocabulary';
import { confirmed, matchIdentity } from '../sports/match-schema';
import { SportKey } from '../sports/sport-key-schema';

const about = {
  demo: Type.Literal(true),
  note: text(),
  signup_url: link('Where to get a key.'),
  truncated: yes('Whether matches were left out.'),
  cached: aged(yes('Whether this sample was computed for an earlier request.')),
};

const { home_team, away_team, commence_time } = matchIdentity;
const teams = { home_team, away_team, commence_time };

export const MOST_EVENTS = 3;

export const DemoBestOdds = named(
  'DemoBestOdds',
  Type.Object({
    ...about,
    sport: nullable(SportKey),
    events: Type.Array(
      named(
        'DemoEvent',
        Type.Object({
          ...teams,
          selections: Type.Array(
            named(
              'DemoSelection',
              Type.Object({
                name: text(),
                best_price: price(),
                best_bookmaker: BookmakerKey,
                last_update: confirmed.last_update,
              }),
            ),
          ),
          arb_exists: yes('Whether fresh prices of every outcome are an arb.'),
          arb_profit_pct: amount('What it returns beyond the stakes, in percent; 0 if there is none.'),
        }),
      ),
      { maxItems: MOST_EVENTS, description: 'By start. Empty: no match is priced now.' },
    ),
  }),
);

/** The sandbox's own names of the racing codes. */
export const RACING_SLUGS = ['horse-racing', 'harness-racing', 'greyhound-racing'] as const;

const DemoPrice = named(
  'DemoPrice',
  Type.Object({ name: text('The side or the runner, as the book spells it.'), price: price() }),
);

export const DemoBookMatch = named(
  'DemoBookMatch',
  Type.Object({ ...teams, last_update: confirmed.last_update, prices: Type.Array(DemoPrice) }),
);

const DemoBookRace = named(
  'DemoBookRace',
  Type.Object({
    venue: raceIdentity.venue,
    race_number: raceIdentity.race_number,
    start_time: raceIdentity.start_time,
    last_update: confirmed.last_update,
    prices: Type.Array(DemoPrice, { description: 'Win prices, by runner number.' }),
  }),
);

export const DemoBookSport = named(
  'DemoBookSport',
  Type.Object({
    ...about,
    book: BookmakerKey,
    sport: oneOf([...SPORT_KEYS, ...RACING_SLUGS], { description: 'The key of the sport, or the racing code.' }),
    type: text('`sports` or `racing`.'),
    has_data: yes('Whether the book prices a match or a race of it now.'),
    items: Type.Array(Type.Union([DemoBookMatch, DemoBookRace]), {
      maxItems: MOST_EVENTS,
      description: 'By start: matches of a sport, or races of a racing code.',
    }),
  }),
);
