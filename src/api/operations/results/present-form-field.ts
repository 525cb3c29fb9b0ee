// The runners of a race with their past runs (A 4.13): the card's runners, or those of the settled field once it is
// stored.
import { type OwnRuns, ownRuns } from '../../../domain/form/form';
import { runFacts } from '../../../domain/form/run';
import { runnerKey } from '../../../domain/race/runner';
import type { ResultRunner } from '../../../domain/results/result';
import type { LiveRace } from '../../../store/reads/races/find-races';
import type { RunnerRow } from '../../../store/reads/races/runners';
import type { RaceForm } from '../../../store/reads/results/form';

export interface FormLine {
  readonly runner: RunnerRow;
  readonly own: OwnRuns;
}

/** Ordered by number, with at most `most` runs each. */
export function formLines(race: LiveRace, form: RaceForm, most: number): readonly FormLine[] {
  const { category, startMs, venue_site: venueSite, country } = race;
  const at = { category, startMs, venueSite, country };
  const runners = form.field?.map((entry) => settledRunner(entry, race.runners)) ?? race.runners;
  const keys = runners.map(({ name }) => runnerKey(name));
  const lines = runners.map((runner, i): FormLine => {
    const hasTwin = keys.some((key, other) => other !== i && key === keys[i]);
    const subject = { ...runner, out: runner.scratched, hasTwin };
    return { runner, own: ownRuns(subject, at, form.found.get(runner.number) ?? [], most) };
  });
  return lines.sort((a, b) => a.runner.number - b.runner.number);
}

/** Facts that the field lacks come from the card, if both mean the same runner. */
function settledRunner(official: ResultRunner, card: readonly RunnerRow[]): RunnerRow {
  const { number, name, status } = official;
  const listed = card.find((one) => one.number === number) ?? null;
  const facts = runFacts({ number, name, card: listed, official, placings: [] });
  const scratched = status !== 'ran';
  return {
    number,
    name,
    barrier: facts.barrier,
    jockey: facts.jockey,
    trainer: facts.trainer,
    weightKg: facts.weightKg,
    form: facts.card?.form ?? null,
    runnerRef: official.runner_ref ?? facts.card?.runnerRef ?? null,
    emergency: status === 'reserve' ? true : (facts.card?.emergency ?? null),
    scratched,
    scratchedAt: scratched ? (facts.card?.scratchedAt ?? null) : null,
    late: scratched ? (facts.card?.late ?? null) : null,
  };
}
