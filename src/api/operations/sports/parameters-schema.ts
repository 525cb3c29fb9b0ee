// Query parameters that operations on sports share.
import { Type } from '@sinclair/typebox';
import { MARKETS, OFFERED_MARKETS, type OfferedMarket } from '../../../domain/sports/sports';
import { choice, list } from '../../wire/parameters';
import { named, oneOf } from '../../wire/vocabulary';
import { bound } from '../archive/pages/parameters';
import { SportKey } from './sport-key-schema';

export const USUAL_MAX_AGE_MINUTES = 360;

export const SportMarket = named(
  'SportMarket',
  oneOf(MARKETS, { description: 'Head to head (`h2h`), handicap line (`spreads`) or total points (`totals`).' }),
);

export const OfferedSportMarket = named(
  'OfferedSportMarket',
  oneOf(OFFERED_MARKETS, {
    description:
      'A market, or the other lines of one (`alternate_spreads`, `alternate_totals`): every line that the book offers beside its main one.',
  }),
);

export const markets = Type.Unsafe<OfferedMarket[]>({
  type: 'array',
  items: choice(OfferedSportMarket, { 'x-fold': 'lower' }),
  minItems: 1,
  default: ['h2h'],
  description: 'Markets, comma-separated; one named twice counts once.',
});

export const market = choice(SportMarket, { default: 'h2h', description: 'One market.' });

export const maxAgeMinutes = Type.Integer({
  default: USUAL_MAX_AGE_MINUTES,
  minimum: 5,
  maximum: 1440,
  description: 'Leaves out prices that the book last confirmed longer ago.',
});

export const anySport = Type.Optional(choice(SportKey, { description: 'Only this sport. Default: all.' }));

export const minProfitPct = (zero: string) =>
  Type.Number({
    default: 0,
    minimum: 0,
    maximum: 100,
    description: `Only arbs that return at least this much, in percent of the stakes. 0: ${zero}`,
  });

/** Which matches. */
export const ofMatches = {
  commence_time_from: bound('Only matches that start then or later: a Sydney day, or an instant with its UTC offset.'),
  commence_time_to: bound(
    'Only matches that start then or earlier: a Sydney day, which ends at midnight, or an instant with its UTC offset.',
  ),
};

export const eventIds = list<string>(
  { format: 'uuid' },
  {
    description:
      'Only these matches, by id, comma-separated. Others of the sport, and ids that are not listed, have no row.',
    'x-must-be': 'ids of matches, comma-separated',
    maxItems: 100,
  },
);
