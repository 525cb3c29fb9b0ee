// GET /v1/racing/greyhounds/form (B 2.7, B 4.7).
import type { Reads } from '../../../store/reads/reads';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { findRuns } from '../form/animal-runs';
import { dog, runLimit } from '../form/run-schema';
import { exampleGreyhoundForm, GreyhoundForm } from './greyhound-form-schema';
import { presentGreyhoundForm } from './present-greyhound-form';

export const greyhoundForm = endpoint<{ reads: Reads }>()({
  method: 'get',
  path: '/v1/racing/greyhounds/form',
  operationId: 'greyhound_form',
  tag: 'Racing',
  summary: 'Stored runs of a greyhound',
  description:
    'The runs of a dog in the full fields that this service has collected. It is not a career: nothing before `coverage_from` is ' +
    'included. A name returns the runs of every dog that raced under it; an id returns one dog’s, also where another ' +
    'registry has it under an id that is proved to be the same dog. New and changed results are ' +
    'included within the hour. Facts that the publishing page did not print are null. Charged only if a run is found.',
  auth: 'key',
  cost: flat(3),
  query: { dog, limit: runLimit },
  ok: { description: 'The dog’s runs, newest first.', schema: GreyhoundForm, example: exampleGreyhoundForm },
  errors: ['not_found'],
  async handler({ query: { dog: name, limit }, services: { reads } }) {
    const { found, span } = await findRuns(reads, 'greyhound', name);
    return { body: presentGreyhoundForm(found, limit, span) };
  },
});
