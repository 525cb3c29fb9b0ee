// Who runs in a race and which past runs are theirs (A 4.13): the card's runners, or the settled field's once it is held.
import { type OwnRuns, ownRuns } from '../../../domain/form/form';
import { runFacts } from '../../../domain/form/run';
import { runnerKey } from '../../../domain/race/runner';
import type { ResultRunner } from '../../../domain/results/result';
import type { LiveRace } from '../../../store/reads/races/asked-race';
import type { RunnerRow } from '../../../store/reads/races/runners';
import type { RaceForm } from '../../../store/reads/results/form';

export interface FormLine {
  readonly runner: RunnerRow;
  readonly own: OwnRuns;
}

/** By number, with at most `most` runs each. */
export function formLines(race: LiveRace, form: RaceForm, most: number): readonly FormLine[] {
  const { category, startMs, venue_site: venueSite, country } = race;
  const at = { category, startMs, venueSite, country };
  const runners = form.field?.map((entry) => settledRunner(entry, race.runners)) ?? race.runners;
  const keys = runners.map(({ name }) => runnerKey(name));
  const lines = runners.map((runner, i): FormLine => {
    const hasTwin = keys.some((key, other) => other !== i && key === keys[i]);
    const asked = { ...runner, out: runner.scratched, hasTwin };
    return { runner, own: ownRuns(asked, at, form.found.get(runner.number) ?? [], most) };
  });
  return lines.sort((a, b) => a.runner.number - b.runner.number);
}

/** What the field does not say, the card does, if it means the same runner. */
function settledRunner(official: ResultRunner, card: readonly RunnerRow[]): RunnerRow {
  const { number, name, status } = official;
  const listed = card.find((one) => one.number === number) ?? null;
  const known = runFacts({ number, name, card: listed, official, placings: [] });
  const scratched = status !== 'ran';
  return {
    number,
    name,
    barrier: known.barrier,
    jockey: known.jockey,
    trainer: known.trainer,
    weightKg: known.weightKg,
    form: known.card?.form ?? null,
    runnerRef: official.runner_ref ?? known.card?.runnerRef ?? null,
    emergency: status === 'reserve' ? true : (known.card?.emergency ?? null),
    scratched,
    scratchedAt: scratched ? (known.card?.scratchedAt ?? null) : null,
    late: scratched ? (known.card?.late ?? null) : null,
  };
}
