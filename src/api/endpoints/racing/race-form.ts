// GET /v1/racing/form (A 4.13).
import { Type } from '@sinclair/typebox';
import { RUNS_LOOKED_AT } from '../../../domain/form/form';
import { askedRaceRules, theRace } from '../../asked-race';
import { endpoint, flat } from '../../endpoint';
import { presentForm } from '../../present/results/form';
import { formLines } from '../../present/results/form-field';
import { askedRace } from '../../schemas/asked-race';
import { RaceFormOut } from '../../schemas/results/form';
import { exampleForm } from '../../schemas/results/form-example';

export const raceForm = endpoint({
  method: 'get',
  path: '/v1/racing/form',
  operationId: 'race_form',
  tag: 'Racing',
  summary: 'Every runner of a race with its recent runs',
  description:
    'The runners of the card, or of the settled field once it is held, each with its latest runs in the results that this service holds: ' +
    'no career, and nothing before `coverage_from`. Only races that ran, interim or final, and started before this one; an entry that was ' +
    'scratched is no run. Without the full field nobody says who started: then the card’s runners count that are not out, emergencies ' +
    'only when placed. A run is joined in the same code by a dog’s registry id, otherwise by the folded name, looked for among the ' +
    `${RUNS_LOOKED_AT} newest under it. Names are not unique: where two animals cannot be told apart \`runs\` is empty and \`reason\` says so. ` +
    'Charged only after the race is found.',
  auth: 'key',
  cost: flat(3),
  query: {
    ...askedRace,
    runs: Type.Integer({
      default: 6,
      minimum: 1,
      maximum: RUNS_LOOKED_AT,
      description: 'At most this many runs of each runner, the latest.',
    }),
  },
  rules: (_, { given }) => askedRaceRules(given),
  ok: { description: 'The race.', schema: RaceFormOut, example: exampleForm },
  errors: ['not_found', 'race_ambiguous'],
  async handler({ query, nowMs, services: { reads } }) {
    const race = await theRace(reads, query, []);
    const form = await reads.raceForm(race.race_id);
    const lines = formLines(race, form, query.runs);
    const told = lines.flatMap(({ own }) => (own.kind === 'known' ? own.runs : []));
    const rows = await reads.pastRuns(told.map(({ raceId, number }) => ({ raceId, number })));
    return { body: presentForm(race, form, lines, rows, nowMs) };
  },
});
