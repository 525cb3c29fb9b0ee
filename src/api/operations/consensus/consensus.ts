// GET /v1/racing/consensus (A 2.5, A 4.4).

import { Type } from '@sinclair/typebox';
import { raceConsensus } from '../../../domain/market/consensus';
import type { Reads } from '../../../store/reads/reads';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { unknownBookmakers } from '../../kernel/endpoint/rules';
import { bookmakers, choice } from '../../wire/parameters';
import { raceSelector } from '../../wire/race-selector';
import { comparedBooks, raceSelectorRules, selectLiveRace } from '../../wire/select-race';
import { exampleConsensus } from './consensus-example';
import { Consensus, Normalisation } from './consensus-schema';
import { presentConsensus } from './present-consensus';

export const consensus = endpoint<{ reads: Reads }>()({
  method: 'get',
  path: '/v1/racing/consensus',
  operationId: 'consensus',
  tag: 'Racing',
  summary: 'Consensus price of every runner in one race',
  description:
    'The win probability of every runner with the bookmakers’ margins removed: the median over the books that price the complete ' +
    'field, each counted once. The response also lists the books that are excluded, with the reason, and every quote behind the ' +
    'figures. A race is available until ten minutes after the jump, with a `note` once it has jumped. Charged only if the race is ' +
    'found.',
  auth: 'key',
  cost: flat(3),
  query: {
    ...raceSelector,
    method: choice(Normalisation, { default: 'power', description: 'How each book’s margin is removed.' }),
    bookmakers,
    min_books: Type.Integer({
      default: 2,
      minimum: 1,
      maximum: 20,
      description: 'Minimum number of included books for a runner to have a consensus.',
    }),
    include_stale: Type.Boolean({
      default: false,
      description: 'Whether to include stale books in the consensus instead of listing them in `books_excluded`.',
    }),
  },
  rules: (query, { audience, given }) => [
    ...raceSelectorRules(given),
    ...unknownBookmakers(query.bookmakers, audience),
  ],
  ok: { description: 'The consensus.', schema: Consensus, example: exampleConsensus },
  errors: ['race_not_on_board', 'race_ambiguous'],
  async handler({ query, audience, nowMs, services }) {
    // Reads every book that may be compared, not only the requested ones: all of them decide what the complete field
    // is.
    const race = await selectLiveRace(services.reads, query, audience.compared, nowMs);
    const rules = {
      method: query.method,
      minBooks: query.min_books,
      includeStale: query.include_stale,
      bookmakers: comparedBooks(query.bookmakers, audience),
    };
    const body = presentConsensus(race, raceConsensus(race, rules, nowMs), rules, nowMs);
    return { body, dataAgeSeconds: oldest(body.runners.map((runner) => runner.oldest_age_seconds)) };
  },
});

function oldest(ages: readonly (number | null)[]): number | null {
  const present = ages.filter((age) => age !== null);
  return present.length === 0 ? null : Math.max(...present);
}
