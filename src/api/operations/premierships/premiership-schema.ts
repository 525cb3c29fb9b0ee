// The premiership tables of jockeys and trainers (B 2.8), and the parameters that select among them (B 4.9).
import { type Static, Type } from '@sinclair/typebox';
import {
  PREMIERSHIP_SCOPES,
  PREMIERSHIP_STATES,
  PREMIERSHIP_TOP,
  type PremiershipRole,
} from '../../../domain/registry/premiership';
import { choice } from '../../wire/parameters';
import { aged, amount, day, instant, mustBe, named, nullable, oneOf, text, whole, words } from '../../wire/vocabulary';

const PremiershipState = named(
  'PremiershipState',
  oneOf(PREMIERSHIP_STATES, { description: '`AUS` is the national table.' }),
);
const PremiershipScope = named(
  'PremiershipScope',
  oneOf(PREMIERSHIP_SCOPES, { description: 'Kind of meeting; `all` has every kind.' }),
);
const PremiershipSeason = named('PremiershipSeason', oneOf(['current', 'previous']));

export const premiershipQuery = {
  name: Type.Optional(
    mustBe(
      'a name or a part of one',
      words(
        'Any part of a name, case-insensitive. Searches the tables of every state and scope of the season, unless `state` or `scope` ' +
          'narrows it. Default: every row of one table.',
      ),
    ),
  ),
  state: Type.Optional(
    choice(PremiershipState, {
      'x-fold': 'upper',
      description: 'Only this state, or `AUS`. Default: `AUS`; with `name`: every one.',
    }),
  ),
  scope: Type.Optional(
    choice(PremiershipScope, {
      'x-fold': 'lower',
      description: 'Only this kind of meeting. Default: `all`; with `name`: every one.',
    }),
  ),
  season: choice(PremiershipSeason, {
    default: 'current',
    description: 'A season is from 1 August to 31 July (Australia/Sydney).',
  }),
};

const tally = (place: string) => nullable(amount(`${place}; a dead heat may count as a half.`));

const PremiershipRow = named(
  'PremiershipRow',
  Type.Object({
    state: PremiershipState,
    scope: PremiershipScope,
    rank: Type.Integer({ minimum: 1, maximum: PREMIERSHIP_TOP, description: 'Place in its table.' }),
    name: text('Name as the registry publishes it.'),
    ra_code: nullable(
      text(
        'Registry code of the person: the `trainer_code` of acceptances is the same. Null if the registry links no person.',
      ),
    ),
    firsts: tally('Wins'),
    seconds: tally('Second places'),
    thirds: tally('Third places'),
    fourths: tally('Fourth places'),
    fifths: tally('Fifth places'),
    prize_money: nullable(amount('Australian dollars.')),
    strike_rate: nullable(amount('Wins per 100 starts, as published.')),
    starts: nullable(whole()),
    period_from: nullable(day('First day that the row covers.')),
    period_to: nullable(day('Last day that the row covers.')),
  }),
);

export const Premiership = named(
  'Premiership',
  Type.Object({
    role: oneOf(['jockey', 'trainer']),
    season_start_year: whole('Year in which the season began on 1 August.'),
    state: nullable(PremiershipState),
    scope: nullable(PremiershipScope),
    name: nullable(text('The `name` that was searched for.')),
    rows: Type.Array(PremiershipRow, {
      description: `By state, scope and rank. Empty: no such name is in the top ${PREMIERSHIP_TOP} of these tables, or the table has no rows.`,
    }),
    source: named(
      'PremiershipSource',
      Type.Object({
        feed: oneOf(['racing-australia-premierships']),
        region: oneOf(['AU']),
        sport: oneOf(['thoroughbred']),
        scraped_at: aged(
          nullable(
            instant(
              'Newest read of the registry among the rows returned; without rows, among the tables searched (UTC).',
            ),
          ),
        ),
        top_n: Type.Integer({ enum: [PREMIERSHIP_TOP], description: 'Only so many rows of each table are stored.' }),
      }),
    ),
  }),
);

/** Of the leading row. */
export function examplePremiership(role: PremiershipRole, name: string, ra_code: string): Static<typeof Premiership> {
  return {
    role,
    season_start_year: 2026,
    state: 'AUS',
    scope: 'all',
    name: null,
    rows: [
      {
        state: 'AUS',
        scope: 'all',
        rank: 1,
        name,
        ra_code,
        firsts: 61.5,
        seconds: 48,
        thirds: 40,
        fourths: 35,
        fifths: 29,
        prize_money: 4_210_500,
        strike_rate: 19.4,
        starts: 317,
        period_from: '2026-08-01',
        period_to: '2026-11-20',
      },
    ],
    source: {
      feed: 'racing-australia-premierships',
      region: 'AU',
      sport: 'thoroughbred',
      scraped_at: '2026-11-20T13:04:11.000Z',
      top_n: PREMIERSHIP_TOP,
    },
  };
}
