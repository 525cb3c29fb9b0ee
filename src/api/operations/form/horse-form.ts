// GET /v1/racing/horses/form (B 2.5, B 4.5).
import { ageSeconds } from '../../../domain/time/staleness';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { type FormServices, horseForm as findHorseForm } from './find-horse-form';
import { exampleHorseForm } from './horse-form-example';
import { HorseForm } from './horse-form-schema';
import { presentHorseForm } from './present-horse-form';
import { horseNamed } from './run-schema';

export const horseForm = endpoint<FormServices>()({
  method: 'get',
  path: '/v1/racing/horses/form',
  operationId: 'horse_form',
  tag: 'Racing',
  summary: 'Form of a thoroughbred',
  description:
    'The form page of the Australian registry: profile, career and every run that it prints. A page is stored and served unchecked for six ' +
    'hours; after that it is read again if our results show a start since, or if it is older than seven days. While the registry cannot ' +
    'serve it, the last reading is returned with `source.stale`; without one the answer is built from our own results ' +
    '(`source.feed` is `puntersedge_results`, `profile` and `career` are null); without either it is a free 503 with `Retry-After`. Names are ' +
    'those of acceptances, collected results and stored pages: a name that was never seen is a free 404, because the registry is not ' +
    'searched by name. So is a code that no feed has reported and that opens no horse’s page. Charged only on a 200.',
  auth: 'key',
  cost: flat(3),
  query: {
    horse: horseNamed(
      'Whole name in any case, punctuation and spacing, or a `horse_ref` (`pe:…`), which is the same: the horse’s most recent registry code is ' +
        'read. Or the `ra:` code of any one meeting, with or without `ra:`.',
    ),
  },
  ok: { description: 'The horse’s form, runs newest first.', schema: HorseForm, example: exampleHorseForm },
  errors: ['not_found', 'upstream_failure'],
  async handler({ query: { horse }, nowMs, services }) {
    const form = await findHorseForm(services, horse, nowMs);
    const { source } = form;
    const readMs = source.kind === 'page' ? Date.parse(source.fetchedAt) : null;
    return {
      body: presentHorseForm(form),
      ...(readMs !== null && { dataAgeSeconds: ageSeconds(readMs, nowMs) }),
    };
  },
});
