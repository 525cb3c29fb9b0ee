// The source of the runners' pages, over the store. The consensus is over the books that customers may see, and the
// registry's page is the one stored: a visitor's request never reads it again.
import type { Horse } from '../../domain/form/horse';
import { animalsAmong } from '../../domain/form/namesakes';
import { type Dimension, groupedRuns, runStats } from '../../domain/form/run-stats';
import type { RunCategory, StoredRun } from '../../domain/form/stored-run';
import { addDays, aetDay, aetDayBounds } from '../../domain/time/aet';
import type { Reads } from '../../store/reads/reads';
import type { StartRow } from '../../store/reads/runs/starts';
import type { ListedStart, RunnerPage, RunnerRun, RunnerSource } from '../../web/past/runner/model';
import { boardFactsOf } from './shown/board-facts';
import { racesAhead } from './shown/races-ahead';
import { titleOfRow } from './shown/visible-race';

type Store = Pick<Reads, 'animalRuns' | 'runPrices' | 'search' | 'people' | 'horses' | 'formOf'>;

const MOST_RUNS = 50;
const MOST_GROUPS = 8;
const HOURS_BACK = 1;
const DIMENSIONS: Readonly<Record<RunCategory, readonly Dimension[]>> = {
  horse: ['track', 'distance'],
  greyhound: ['track', 'distance', 'box'],
};

export function createRunnerSource(reads: Store): RunnerSource {
  return {
    async runner(category, key, nowMs) {
      const from = new Date(nowMs - HOURS_BACK * 3_600_000).toISOString();
      const until = new Date(aetDayBounds(addDays(aetDay(nowMs), 1)).endMs).toISOString();
      const [runs, cardName, starts, page] = await Promise.all([
        reads.animalRuns(category, { key }),
        reads.search.cardName(category, key),
        reads.search.starts({ category, key, from, until }),
        category === 'horse' ? pageOf(reads, key) : null,
      ]);
      const animals = animalsAmong([...runs, ...namedOf(category, starts, page)]);
      return {
        category,
        key,
        name: cardName ?? runs[0]?.name ?? null,
        animals,
        starts: starts.map(startOf),
        onBoard: await racesAhead(reads, starts, nowMs),
        page: animals > 1 ? null : page,
        groups: animals > 1 ? [] : groupsOf(category, runs),
        record: animals > 1 ? null : runStats(runs),
        runsTotal: runs.length,
        since: runs.at(-1)?.meeting_date ?? null,
        runs: await shownRuns(reads, runs.slice(0, MOST_RUNS)),
      };
    },
  };
}

/** Cards and the page of the registry have names without ids. */
const namedOf = (category: RunCategory, starts: readonly StartRow[], page: RunnerPage | null) =>
  [...starts.map(({ runner }) => runner), ...(page === null ? [] : [page.name])].map((name) => ({
    ...{ category, name, runner_ref: null },
  }));

async function shownRuns(reads: Store, shown: readonly StoredRun[]): Promise<RunnerRun[]> {
  const prices = await reads.runPrices(
    shown.flatMap(({ race_id, number, runner_key }) => (race_id === null ? [] : { race_id, number, runner_key })),
  );
  const byRun = new Map(prices.map(({ raceId, number, consensus }) => [`${raceId} ${number}`, consensus]));
  return shown.map((run) => runOf(run, byRun.get(`${run.race_id} ${run.number}`) ?? []));
}

/** One start is no group. */
function groupsOf(category: RunCategory, runs: readonly StoredRun[]) {
  if (runs.filter(({ status }) => status === 'ran').length < 2) return [];
  return DIMENSIONS[category].map((by) => ({ by, rows: groupedRuns(runs, [by]).slice(0, MOST_GROUPS) }));
}

/** Null where nothing is stored under any code of the horse. */
async function pageOf(reads: Store, key: string): Promise<RunnerPage | null> {
  const horse: Horse | null = (await reads.horses([{ key }]))[0] ?? null;
  const stored = horse && (await reads.formOf(horse));
  if (!stored) return null;
  const { form, fetchedAt, startedSinceRead, ref } = stored;
  const { name, profile, career } = form;
  const code = ref.slice('ra:'.length);
  return { name, code, readMs: Date.parse(fetchedAt), startedSince: startedSinceRead, profile, career };
}

const startOf = (row: StartRow): ListedStart => ({
  race: titleOfRow(row),
  facts: boardFactsOf(row),
  number: row.number,
  runner: row.runner,
  scratched: row.scratched,
  barrier: row.barrier,
  jockey: row.jockey,
  trainer: row.trainer,
});

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
