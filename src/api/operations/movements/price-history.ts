// GET /v1/racing/price-history (B 2.4, B 4.4; D44).

import { Type } from '@sinclair/typebox';
import { AppError } from '../../../errors';
import type { Reads } from '../../../store/reads/reads';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { unknownBookmakers } from '../../kernel/endpoint/rules';
import { bookmakers } from '../../wire/parameters';
import { raceSelector } from '../../wire/race-selector';
import { only, raceSelectorRules } from '../../wire/select-race';
import { presentPriceHistory } from './present-price-history';
import { examplePriceHistory, PriceHistory } from './price-history-schema';

const NO_PRICES = 'No price of this race was captured at these bookmakers. Capture begins an hour before the start.';

export const priceHistory = endpoint<{ reads: Reads }>()({
  method: 'get',
  path: '/v1/racing/price-history',
  operationId: 'price_history',
  tag: 'Racing',
  summary: 'Captured prices of one race',
  description:
    'For each runner and book, the win prices captured from an hour before the start on, changes only, with open, close, high and low. ' +
    'Every race since capture began is available, live or past, in the same shape. Seconds count to the jump: the market’s close, otherwise the ' +
    'advertised start. Charged only if prices are found.',
  auth: 'key',
  cost: flat(5),
  query: {
    race_id: Type.Optional({
      ...raceSelector.race_id,
      description:
        'Id of the race: the unambiguous way to select it. If it is sent, `venue`, `race_number` and `date` are ignored.',
    }),
    venue: Type.Optional({
      ...raceSelector.venue,
      description:
        'Venue name, case-insensitive, in any of the `spellings` that `GET /v1/racing/venues` lists. Without `race_id`, `race_number` and ' +
        '`date` are required too.',
    }),
    race_number: raceSelector.race_number,
    date: Type.Optional(
      Type.String({
        format: 'date',
        description: 'UTC day of the start; all other days of the API are Sydney’s. See `venue`.',
      }),
    ),
    bookmakers,
    include_points: Type.Boolean({
      default: true,
      description: 'Whether to return `points`; without them the response has open, close, high and low only.',
    }),
    max_points: Type.Integer({
      default: 5000,
      minimum: 100,
      maximum: 20_000,
      description:
        'Maximum number of points of all runners and books: the latest are returned, and `truncated` is set.',
    }),
  },
  rules: (query, { audience, given }) => [
    ...raceSelectorRules(given, 'date'),
    ...unknownBookmakers(query.bookmakers, audience),
  ],
  ok: { description: 'The race and its captured prices.', schema: PriceHistory, example: examplePriceHistory },
  errors: ['not_found', 'race_ambiguous'],
  async handler({ query, audience, nowMs, services }) {
    const { race_id: raceId, venue, date, race_number, include_points: include, max_points: most } = query;
    const { archive } = services.reads;
    const wanted = raceId === undefined ? { venue: venue!, utcDay: date!, raceNumber: race_number! } : { raceId };
    const race = only(await archive.historyRaces(wanted), 'not_found');
    const bookmakers = query.bookmakers ?? audience.bookmakers;
    const history = await archive.priceHistory(race.race_id, bookmakers, new Date(nowMs).toISOString());
    if (!history || history.series.length === 0) throw new AppError('not_found', NO_PRICES);
    const from = await archive.beginsAt('path');
    return { body: presentPriceHistory(race, history, { include, most }, from) };
  },
});
