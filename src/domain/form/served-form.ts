// A horse's form as customers get it (B 2.5): the registry's page with the trainers of our own results, or while there
// is no page the runs of our results alone. A backfill row has the same.
import type { Day, Instant } from '../race/race';
import { splitCondition } from '../registry/track-condition';
import { type Horse, isNameOf } from './horse';
import type { FormRun, HorseCareer, HorseForm, HorseProfile } from './horse-form';
import type { StoredRun } from './stored-run';

export interface ServedForm {
  readonly name: string;
  /** The code that the page was read under; without a page, the horse's most recent. */
  readonly ref: string | null;
  readonly profile: HorseProfile | null;
  readonly career: HorseCareer | null;
  /** Newest first. */
  readonly runs: readonly ServedRun[];
  readonly source: PageSource | ResultsSource;
}

/** `stale`: the page was due to be read again, and could not be. */
export interface PageSource {
  readonly kind: 'page';
  readonly fetchedAt: Instant;
  readonly stale: boolean;
}

/** `from`, `to`: the first and the last day of the runs. */
export interface ResultsSource {
  readonly kind: 'results';
  readonly from: Day;
  readonly to: Day;
}

export interface ServedRun extends Omit<FormRun, 'resultRaw'> {
  readonly resultRaw: string | null;
  /** On that day. The registry's page does not print it. */
  readonly trainer: string | null;
}

export interface FormPage {
  readonly ref: string;
  readonly fetchedAt: Instant;
  readonly form: HorseForm;
  /** Of our stored runs, by day. */
  readonly trainers: Readonly<Record<Day, string>>;
}

export function formOfPage({ ref, fetchedAt, form, trainers }: FormPage, stale: boolean): ServedForm {
  const { name, profile, career, runs } = form;
  const served = runs.map((run) => ({ ...run, trainer: run.trial ? null : (trainers[run.date] ?? null) }));
  return { name, ref, profile, career, runs: served, source: { kind: 'page', fetchedAt, stale } };
}

/** Null without a start. `runs`: those under the horse's name, newest first. */
export function formOfResults(horse: Horse, runs: readonly StoredRun[]): ServedForm | null {
  const started = runs.filter(({ status, name }) => status === 'ran' && isNameOf(horse, name));
  const newest = started[0];
  const oldest = started.at(-1);
  if (!newest || !oldest) return null;
  const source = { kind: 'results', from: oldest.meeting_date, to: newest.meeting_date } as const;
  return { name: newest.name, ref: horse.ref, profile: null, career: null, runs: started.map(runOf), source };
}

function runOf(run: StoredRun): ServedRun {
  const { going, goingRating } = splitCondition(run.track_condition);
  return {
    date: run.meeting_date,
    track: run.venue,
    raceNumber: run.race_number,
    trial: false,
    going,
    goingRating,
    position: run.position,
    fieldSize: run.field_size,
    distanceM: run.distance_m,
    raceClass: run.race_class,
    jockey: run.jockey,
    jockeyCode: null,
    meetCode: null,
    trainer: run.trainer,
    weightKg: run.weight_kg,
    barrier: run.box,
    sp: run.sp,
    prices: run.sp === null ? [] : [run.sp],
    marginLengths: lengthsOf(run),
    inRunning: [],
    placegetters: [],
    prizeTotal: run.prize_total,
    prizeWon: run.prize_won,
    resultRaw: null,
    sectionalDistanceM: run.last_600m_s === null ? null : 600,
    sectionalTimeS: run.last_600m_s,
    timeS: run.race_time_s,
  };
}

/** `0.75L` behind the winner; by how much a winner won is not stored. */
function lengthsOf({ margin, position }: StoredRun): number | null {
  const [, lengths] = /^(\d+(?:\.\d+)?)L$/i.exec(margin ?? '') ?? [];
  return lengths === undefined || position === 1 ? null : Number(lengths);
}
