// GET /v1/racing/form (A 4.13).

import { Type } from '@sinclair/typebox';
import { RUNS_LOOKED_AT } from '../../../domain/form/form';
import type { Reads } from '../../../store/reads/reads';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { raceSelector } from '../../wire/race-selector';
import { raceSelectorRules, selectRace } from '../../wire/select-race';
import { exampleForm } from './form-example';
import { RaceFormOut } from './form-schema';
import { presentForm } from './present-form';
import { formLines } from './present-form-field';

export const raceForm = endpoint<{ reads: Reads }>()({
  method: 'get',
  path: '/v1/racing/form',
  operationId: 'race_form',
  tag: 'Racing',
  summary: 'Recent runs of every runner in a race',
  description:
    'The runners of the card, or of the settled field once it is available, each with its latest runs in the results that this ' +
    'service has stored. It is not a career record: nothing before `coverage_from` is included. A run counts if its race started ' +
    'before this one and has an interim or final result; a scratched entry is not a run. If the full field of a past race is not ' +
    'available, its starters are not confirmed: the runners of its card count unless they were scratched, and emergencies count ' +
    'only if they were placed. Runs are matched within the same code by a greyhound’s registry id, otherwise by the folded name, ' +
    `among the ${RUNS_LOOKED_AT} newest runs under it. Names are not unique: if two animals cannot be distinguished, \`runs\` is ` +
    'empty and `reason` gives the cause. Charged only if the race is found.',
  auth: 'key',
  cost: flat(3),
  query: {
    ...raceSelector,
    runs: Type.Integer({
      default: 6,
      minimum: 1,
      maximum: RUNS_LOOKED_AT,
      description: 'Maximum number of runs per runner; the latest are returned.',
    }),
  },
  rules: (_, { given }) => raceSelectorRules(given),
  ok: { description: 'The race and the recent runs of its runners.', schema: RaceFormOut, example: exampleForm },
  errors: ['not_found', 'race_ambiguous'],
  async handler({ query, nowMs, services: { reads } }) {
    const race = await selectRace(reads, query, []);
    const form = await reads.raceForm(race.race_id);
    const lines = formLines(race, form, query.runs);
    const runs = lines.flatMap(({ own }) => (own.kind === 'known' ? own.runs : []));
    const rows = await reads.pastRuns(runs.map(({ raceId, number }) => ({ raceId, number })));
    return { body: presentForm(race, form, lines, rows, nowMs) };
  },
});
