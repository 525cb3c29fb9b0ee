// GET /v1/racing/horses/runs (B 2.6, B 4.6).
import type { Reads } from '../../../store/reads/reads';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { findRuns } from './animal-runs';
import { exampleHorseRuns, HorseRuns } from './horse-runs-schema';
import { presentHorseRuns } from './present-runs';
import { horseNamed, runLimit } from './run-schema';

export const horseRuns = endpoint<{ reads: Reads }>()({
  method: 'get',
  path: '/v1/racing/horses/runs',
  operationId: 'horse_runs',
  tag: 'Racing',
  summary: 'Stored runs of a thoroughbred',
  description:
    'The runs of a horse in the full fields that this service has collected, with their record. It is not a career: nothing before ' +
    '`coverage_from` is included. No registry is read for it. New and changed results are included within the hour. If two horses have ' +
    'raced under one name, both are returned. Facts that the publishing page did not print are null. Charged only if a run is found.',
  auth: 'key',
  cost: flat(3),
  query: {
    horse: horseNamed(
      'Whole name in any case, punctuation and spacing; a `horse_ref` (`pe:…`), which is the same; or the `ra:` code of one meeting, ' +
        'with or without `ra:`, which finds the run there.',
    ),
    limit: runLimit,
  },
  ok: { description: 'The horse’s runs, newest first.', schema: HorseRuns, example: exampleHorseRuns },
  errors: ['not_found'],
  async handler({ query: { horse, limit }, services: { reads } }) {
    const { found, span } = await findRuns(reads, 'horse', horse);
    return { body: presentHorseRuns(found, limit, span) };
  },
});
