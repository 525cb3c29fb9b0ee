// The runs of one race as the run store keeps them (B 2.6, B 2.7), from its full field and its card. An unpublished
// fact is null, and a stored fact is never lost to a later reading without it.
import type { Category, Day, Instant } from '../race/race';
import { isVacantBox, runnerKey } from '../race/runner';
import type { ResultRunner } from '../results/result';
import { type RunCard, runFacts } from './run';

export type RunCategory = Extract<Category, 'horse' | 'greyhound'>;
type RunOrigin = 'results' | 'history' | 'tabtouch';
type RunStatus = 'ran' | 'scratched' | 'reserve';

/** Names are those of the columns. */
export interface StoredRun extends RaceOfRun, RunResult, RunPrinted {
  /** The race's id; `hist:…` of a run from another origin. */
  readonly result_id: string;
  readonly race_id: string | null;
  readonly category: RunCategory;
  readonly origin: RunOrigin;
  readonly collector: string | null;
  readonly number: number;
  readonly name: string;
  readonly runner_key: string;
  readonly meeting_date: Day;
  readonly start_time: Instant;
  readonly venue: string;
  readonly venue_site: string;
  readonly race_number: number;
}

interface RaceOfRun {
  readonly race_name: string | null;
  readonly distance_m: number | null;
  readonly track_condition: string | null;
  readonly race_class: string | null;
  readonly grade: string | null;
  readonly prize_total: number | null;
  readonly field_size: number | null;
  /** The winner's. */
  readonly race_time_s: number | null;
  readonly last_600m_s: number | null;
}

/** Of one outcome: they change together. */
interface RunResult {
  readonly status: RunStatus;
  readonly position: number | null;
  readonly abnormal: string | null;
  readonly dead_heat: boolean;
  readonly margin: string | null;
  readonly time_s: number | null;
  readonly prize_won: number | null;
}

interface RunPrinted {
  readonly runner_ref: string | null;
  readonly box: number | null;
  readonly sp: number | null;
  readonly sp_note: string | null;
  readonly jockey: string | null;
  readonly trainer: string | null;
  /** A horse's allotted weight, a greyhound's own. */
  readonly weight_kg: number | null;
  readonly carried_kg: number | null;
  readonly first_split_s: number | null;
  readonly second_split_s: number | null;
  readonly pir: string | null;
}

/** A race with a result; `field` is null while none is published, and when the race is abandoned after all. */
export interface RunRace
  extends Pick<StoredRun, 'meeting_date' | 'start_time' | 'venue' | 'venue_site' | 'race_number' | 'category'>,
    Pick<RaceOfRun, 'race_name' | 'distance_m' | 'track_condition' | 'race_class' | 'prize_total'> {
  readonly race_id: string;
  readonly collector: string | null;
  readonly field: readonly ResultRunner[] | null;
  readonly card: ReadonlyMap<number, RunCard>;
  /** `1st` to whole dollars; null if not published. */
  readonly prizes: Readonly<Record<string, number>> | null;
}

/** By number of the race; without vacant boxes. */
export function runsOfRace(race: RunRace): readonly StoredRun[] {
  const field = (race.field ?? []).filter(({ name }) => !isVacantBox(name));
  const ran = field.filter(({ status }) => status === 'ran');
  const { card: _, prizes, field: __, ...facts } = race;
  const winner = ran.find(({ position, time_s }) => position === 1 && time_s !== null);
  return field.map((runner) => ({
    ...facts,
    ...runnerFacts(race, runner),
    result_id: race.race_id,
    origin: 'results',
    field_size: ran.length,
    race_time_s: winner?.time_s ?? null,
    last_600m_s: field.find(({ measured }) => measured?.last_600m_s !== undefined)?.measured?.last_600m_s ?? null,
    grade: runner.measured?.grade ?? null,
    prize_won: prizeOf(runner, ran, prizes),
  }));
}

function runnerFacts({ category, card }: RunRace, official: ResultRunner) {
  const { number, name, position, abnormal, dead_heat, margin, time_s, sp_note, runner_ref, measured = {} } = official;
  const sp = (official.sp ?? 0) > 1 ? official.sp : null;
  const facts = runFacts({ number, name, card: card.get(number) ?? null, official, placings: [] });
  return {
    number,
    name,
    position,
    abnormal,
    dead_heat,
    margin,
    time_s,
    sp,
    sp_note,
    runner_ref,
    runner_key: runnerKey(name),
    status: statusOf(category, official),
    box: facts.barrier,
    jockey: facts.jockey,
    trainer: facts.trainer,
    weight_kg: (category === 'horse' ? facts.weightKg : null) ?? measured.weight_kg ?? null,
    carried_kg: measured.carried_kg ?? null,
    first_split_s: measured.first_split_s ?? null,
    second_split_s: measured.second_split_s ?? null,
    pir: measured.pir ?? null,
  };
}

function statusOf(category: RunCategory, { status }: ResultRunner): RunStatus {
  if (status === 'ran') return 'ran';
  return status === 'reserve' && category === 'greyhound' ? 'reserve' : 'scratched';
}

/**
 * Dollars. A dead heat shares the places that it takes up; 0 outside the paid places. Null if the race's prizes or the
 * finish are unknown.
 */
export function prizeOf(
  { position, status, abnormal }: Pick<ResultRunner, 'position' | 'status' | 'abnormal'>,
  ran: readonly Pick<ResultRunner, 'position'>[],
  prizes: Readonly<Record<string, number>> | null,
): number | null {
  if (prizes === null || status !== 'ran') return null;
  if (position === null) return abnormal === null ? null : 0;
  const level = Math.max(1, ran.filter((other) => other.position === position).length);
  const byPlace = new Map(Object.entries(prizes).map(([place, prize]) => [Number.parseInt(place, 10), prize]));
  const shared = Array.from({ length: level }, (_, i) => byPlace.get(position + i) ?? 0);
  return shared.reduce((sum, prize) => sum + prize, 0) / level;
}

const PRECEDENCE: readonly RunOrigin[] = ['results', 'history', 'tabtouch'];

/**
 * A run that several sources have counts once: that of our own results, otherwise of the registry's history. Keeps the
 * order.
 */
export function onceEach(runs: readonly StoredRun[]): readonly StoredRun[] {
  const best = new Map<string, StoredRun>();
  for (const run of runs) {
    const key = [run.meeting_date, run.venue_site, run.race_number, run.number, run.runner_key].join('|');
    const other = best.get(key);
    if (!other || PRECEDENCE.indexOf(run.origin) < PRECEDENCE.indexOf(other.origin)) best.set(key, run);
  }
  const chosen = new Set(best.values());
  return runs.filter((run) => chosen.has(run));
}

type Keys<T> = readonly (keyof T)[];
const RACE: Keys<RaceOfRun> = [
  ...(['race_name', 'distance_m', 'track_condition', 'race_class', 'grade', 'prize_total'] as const),
  ...(['field_size', 'race_time_s', 'last_600m_s'] as const),
];
const PRINTED: Keys<RunPrinted> = [
  ...(['runner_ref', 'box', 'sp', 'sp_note', 'jockey', 'trainer', 'weight_kg', 'carried_kg'] as const),
  ...(['first_split_s', 'second_split_s', 'pir'] as const),
];
const OUTCOME: Keys<RunResult> = ['margin', 'time_s', 'prize_won'];

/**
 * The row to store: the reading, with stored facts where it has none. Another animal under the number keeps nothing of
 * the first, and another outcome nothing of the previous margin, time and prize.
 */
export function keptRun(stored: StoredRun | undefined, read: StoredRun): StoredRun {
  if (stored === undefined) return read;
  const kept: Partial<Record<keyof StoredRun, unknown>> = {};
  const keep = (keys: Keys<StoredRun>): void => {
    for (const key of keys) kept[key] = read[key] ?? stored[key];
  };
  keep(RACE);
  if (stored.runner_key === read.runner_key) {
    keep(PRINTED);
    if (isSameOutcome(stored, read)) keep(OUTCOME);
  }
  return { ...read, ...kept } as StoredRun;
}

const isSameOutcome = (a: StoredRun, b: StoredRun): boolean =>
  a.status === b.status && a.position === b.position && a.abnormal === b.abnormal;
