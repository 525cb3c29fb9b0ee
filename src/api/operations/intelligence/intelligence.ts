// GET /v1/racing/intelligence (A 2.6, A 4.5).

import { Type } from '@sinclair/typebox';
import type { Reads } from '../../../store/reads/reads';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { raceSelector } from '../../wire/race-selector';
import { raceSelectorRules, selectLiveRace } from '../../wire/select-race';
import type { Analyses } from './analysis';
import { exampleIntelligence } from './intelligence-example';
import { Intelligence } from './intelligence-schema';
import { presentIntelligence } from './present-intelligence';

export const intelligence = endpoint<{ intelligence: Analyses; reads: Reads }>()({
  method: 'get',
  path: '/v1/racing/intelligence',
  operationId: 'intelligence',
  tag: 'Racing',
  summary: 'How the market moved on one race',
  description:
    'For each runner: the consensus price now and at fixed marks over the last hour, how many books moved, which book moved first ' +
    'if the poll times can show it, and a one-word signal. Marks count back from the advertised start, even if the race jumps ' +
    'late. A race is available until ten minutes after the jump, with a `note` once it has jumped. Charged only if the race is ' +
    'found.',
  auth: 'key',
  cost: flat(3),
  query: {
    ...raceSelector,
    min_books: Type.Integer({
      default: 2,
      minimum: 1,
      maximum: 20,
      description: 'Minimum number of books in the consensus, now and at each mark, for a runner to have one.',
    }),
  },
  rules: (_, { given }) => raceSelectorRules(given),
  ok: { description: 'The analysis.', schema: Intelligence, example: exampleIntelligence },
  errors: ['race_not_on_board', 'race_ambiguous'],
  async handler({ query, audience, nowMs, services }) {
    const race = await selectLiveRace(services.reads, query, audience.compared, nowMs);
    const [analysis] = await services.intelligence.ofRaces([race], query.min_books, nowMs);
    return { body: presentIntelligence(race, analysis!, nowMs) };
  },
});
