// Presents the stored runs of a greyhound (B 2.7).
import type { StoredRun } from '../../../domain/form/stored-run';
import type { RunSpan } from '../../../store/reads/runs/animal-runs';
import { type FoundRuns, presentRun, presentSource, refsOf } from '../form/present-runs';
import type { GreyhoundRunWire } from './greyhound-form-schema';

export function presentGreyhoundForm(found: FoundRuns, limit: number, span: RunSpan) {
  const { name, runner_key } = found[0];
  return {
    dog: name,
    name_key: runner_key,
    runner_refs: refsOf(found),
    runs_total: found.length,
    runs: found.slice(0, limit).map(presentGreyhoundRun),
    source: { ...presentSource(found, span), sport: 'greyhound' as const, results_from: span.resultsFrom },
  };
}

function presentGreyhoundRun(run: StoredRun): GreyhoundRunWire {
  const { status, time_s, first_split_s, second_split_s, weight_kg, pir, grade, race_time_s, collector } = run;
  return {
    ...presentRun(run),
    status,
    time_s,
    first_split_s,
    second_split_s,
    weight_kg,
    pir,
    grade,
    win_time_s: race_time_s,
    source: collector,
  };
}
