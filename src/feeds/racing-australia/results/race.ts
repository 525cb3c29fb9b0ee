// One race of a results page: its stage and every runner of its table.
// Whether the field is complete also depends on the other races: whole-fields.ts.
import type { ResultRunner } from '../../../domain/results/result';
import type { Drops } from '../../reading/drops';
import type { Page } from '../../reading/html';
import type { RaceTables } from '../meeting-page';
import { readResultTitle, readTitle, type TitleFacts } from '../race-title';
import { readResultRows } from './rows';
import { readResultRunner } from './runner';

export interface ReadResultRace extends Pick<TitleFacts, 'raceNumber' | 'name' | 'startLocal' | 'distanceM'> {
  readonly stage: 'none' | 'interim' | 'final' | 'abandoned';
  /** In page order. */
  readonly runners: readonly ResultRunner[];
  /** Whether the race has a runner table. */
  readonly tabled: boolean;
  /** Whether its own table shows that the field may still change. */
  readonly doubtful: boolean;
}

/** Null if there is no title line. */
export function readResultRace($: Page, { title, table }: RaceTables, drops: Drops): ReadResultRace | null {
  const facts = readTitle(title);
  if (!facts) return null;
  const result = readResultTitle(title);
  const rows = table && readResultRows($, table);
  const read = (rows?.rows ?? []).map((row) => readResultRunner(row.cells, row.scratched, result));
  const runners = withDeadHeats(read.flatMap((one) => (one ? [one.runner] : [])));
  const unreadable = (rows?.unreadable ?? 0) + read.filter((one) => one === null).length;
  const repeated = runners.length - new Set(runners.map((runner) => runner.number)).size;
  const doubts = read.flatMap((one) => one?.doubt ?? []);
  const placed = runners.some((runner) => runner.position !== null);
  const interim = INTERIM.test(result.official) || INTERIM_CAPITALS.test(result.text);
  drops.add('runner_unreadable', unreadable);
  drops.add('runner_number_repeated', repeated);
  if (!interim && placed) for (const doubt of doubts) drops.add(doubt);
  return {
    raceNumber: facts.raceNumber,
    name: facts.name,
    startLocal: facts.startLocal,
    distanceM: facts.distanceM,
    stage: placed ? (interim ? 'interim' : 'final') : stageWithoutPlaces(`${result.text} ${rows?.notes ?? ''}`),
    runners,
    tabled: rows !== null,
    doubtful: unreadable + repeated + doubts.length > 0 || !placesAddUp(runners),
  };
}

const INTERIM = /\binterim\b/i;
/** Comments may mention an earlier interim result; the site's own mark is in capitals. */
const INTERIM_CAPITALS = /\bINTERIM\b/;
const NOT_RUN = /\b(abandoned|cancelled|no race)\b/i;

/** Only if there is no place: a placed runner proves that the race was run, whatever the comments mention. */
const stageWithoutPlaces = (text: string): 'none' | 'abandoned' => (NOT_RUN.test(text) ? 'abandoned' : 'none');

/** Dead heats share their Finish, and the places after them are skipped: 1, 2, 2, 4. */
function withDeadHeats(runners: readonly ResultRunner[]): ResultRunner[] {
  const shared = (position: number | null): boolean =>
    position !== null && runners.filter((runner) => runner.position === position).length > 1;
  return runners.map((runner) => ({ ...runner, dead_heat: shared(runner.position) }));
}

/** Whether every place has as many runners ahead as it implies. */
function placesAddUp(runners: readonly ResultRunner[]): boolean {
  const places = runners.flatMap((runner) => runner.position ?? []);
  return places.every((place) => places.filter((other) => other < place).length === place - 1);
}
