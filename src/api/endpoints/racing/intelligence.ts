// GET /v1/racing/intelligence (A 2.6, A 4.5).
import { Type } from '@sinclair/typebox';
import { askedRaceRules, theLiveRace } from '../../asked-race';
import { endpoint, flat } from '../../endpoint';
import { presentIntelligence } from '../../present/market/intelligence';
import { askedRace } from '../../schemas/asked-race';
import { Intelligence } from '../../schemas/market/intelligence';
import { exampleIntelligence } from '../../schemas/market/intelligence-example';

export const intelligence = endpoint({
  method: 'get',
  path: '/v1/racing/intelligence',
  operationId: 'intelligence',
  tag: 'Racing',
  summary: 'What the market did with one race',
  description:
    'Where the consensus of every runner stood at fixed marks of the last hour and where it stands now, how many books moved, which of ' +
    'them moved first where that can be told, and a word for it all. Marks count to the advertised start, also of a race that jumps ' +
    'late; a race is served until ten minutes after the jump, with a note once it has jumped. Charged only after the race is found.',
  auth: 'key',
  cost: flat(3),
  query: {
    ...askedRace,
    min_books: Type.Integer({
      default: 2,
      minimum: 1,
      maximum: 20,
      description: 'Books in the consensus without which no runner carries one, at any mark.',
    }),
  },
  rules: (_, { given }) => askedRaceRules(given),
  ok: { description: 'The analysis.', schema: Intelligence, example: exampleIntelligence },
  errors: ['race_not_on_board', 'race_ambiguous'],
  async handler({ query, audience, nowMs, services }) {
    const race = await theLiveRace(services.reads, query, audience.compared);
    const [analysis] = await services.intelligence.ofRaces([race], query.min_books, nowMs);
    return { body: presentIntelligence(race, analysis!, audience, nowMs) };
  },
});
