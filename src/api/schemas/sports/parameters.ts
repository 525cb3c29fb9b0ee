// Query parameters that operations on sports share.
import { Type } from '@sinclair/typebox';
import { MARKETS, type Market } from '../../../domain/sports/sports';
import { choice } from '../parameters';
import { named, oneOf } from '../vocabulary';
import { SportKey } from './sport-key';

export const USUAL_MAX_AGE_MINUTES = 360;

export const SportMarket = named(
  'SportMarket',
  oneOf(MARKETS, { description: 'Head to head (`h2h`), handicap line (`spreads`) or total points (`totals`).' }),
);

export const markets = Type.Unsafe<Market[]>({
  type: 'array',
  items: choice(SportMarket, { 'x-fold': 'lower' }),
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
