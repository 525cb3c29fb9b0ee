// The source of the runners' pages, over the store. The consensus is over the books that customers may see.
import { runStats } from '../../domain/form/run-stats';
import type { StoredRun } from '../../domain/form/stored-run';
import type { Reads } from '../../store/reads/reads';
import type { RunnerRun, RunnerSource } from '../../web/past/runner-model';

const MOST_RUNS = 50;

export function createRunnerSource(reads: Pick<Reads, 'animalRuns' | 'runPrices' | 'search'>): RunnerSource {
  return {
    async runner(category, key) {
      const [runs, cardName] = await Promise.all([
        reads.animalRuns(category, { key }),
        reads.search.cardName(category, key),
      ]);
      const shown = runs.slice(0, MOST_RUNS);
      const prices = await reads.runPrices(
        shown.flatMap(({ race_id, number, runner_key }) => (race_id === null ? [] : { race_id, number, runner_key })),
      );
      const byRun = new Map(prices.map(({ raceId, number, consensus }) => [`${raceId} ${number}`, consensus]));
      return {
        category,
        key,
        name: cardName ?? runs[0]?.name ?? null,
        record: runStats(runs),
        runsTotal: runs.length,
        since: runs.at(-1)?.meeting_date ?? null,
        runs: shown.map((run) => runOf(run, byRun.get(`${run.race_id} ${run.number}`) ?? [])),
      };
    },
  };
}

/** Without what only operations show. */
function runOf(run: StoredRun, prices: readonly (number | null)[]): RunnerRun {
  const { race_id, meeting_date, venue, race_number, distance_m, track_condition, status, position } = run;
  const { field_size, abnormal, margin, sp, box, jockey, trainer, weight_kg } = run;
  return {
    race_id,
    meeting_date,
    venue,
    race_number,
    distance_m,
    track_condition,
    status,
    position,
    race_class: run.race_class ?? run.grade,
    field_size,
    abnormal,
    margin,
    sp,
    box,
    jockey,
    trainer,
    weight_kg,
    prices,
  };
}
