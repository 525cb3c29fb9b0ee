// Which past runs are a runner's own (A 4.13). No identity works everywhere: a dog's registry id persists if it is
// published, all else is a folded name, which two animals may share. A wrong join is worse than none, so runs that
// cannot be distinguished are refused, never guessed.

import type { Category } from '../race/race';
import { isVacantBox } from '../race/runner';
import { birthplace } from './birthplace';

/** Where and when a runner runs, or ran. */
export interface FormRace {
  readonly category: Category;
  readonly startMs: number;
  readonly venueSite: string;
  /** Null while unknown. */
  readonly country: string | null;
}

interface FormRunner {
  readonly number: number;
  readonly name: string;
  readonly runnerRef: string | null;
}

export interface FormSubject extends FormRunner {
  /** Out of the race: it may run elsewhere at that time. */
  readonly out: boolean;
  /** Another runner of the race has the same folded name. */
  readonly hasTwin: boolean;
}

/** A run under the name or the id of a runner, but not necessarily its own. */
export interface PastRun extends FormRunner, Omit<FormRace, 'category'> {
  readonly raceId: string;
}

export const FORM_REASONS = ['not_covered', 'vacant_box', 'name_twice_in_race', 'name_shared', 'runs_collide'] as const;
type FormReason = (typeof FORM_REASONS)[number];

export interface OwnRun extends PastRun {
  readonly joinedBy: 'runner_ref' | 'name';
}

export type OwnRuns =
  | { readonly kind: 'known'; readonly runs: readonly OwnRun[] }
  | { readonly kind: 'refused'; readonly reason: FormReason };

/**
 * How many of the newest runs under a name are examined, whatever the caller's limit: ownership must not depend on the
 * limit.
 */
export const RUNS_LOOKED_AT = 20;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** No track starts two races closer together. */
const BETWEEN_RACES_MS = 15 * MINUTE_MS;
const BETWEEN_SITES_MS = 12 * HOUR_MS;
const BETWEEN_COUNTRIES_MS = 72 * HOUR_MS;

/**
 * The runner's own runs, newest first. Ownership does not depend on `most`.
 *
 * - In Hong Kong there is no form (`not_covered`, A 1), and an empty box has none (`vacant_box`).
 * - Once another runner of its race (`name_twice_in_race`) or of the past (`name_shared`) has the name, only a
 *   distinguishing mark joins: a dog's registry id, or the country of birth after a name. Runs of others are left out;
 *   a run without a mark refuses all.
 * - Two runs that one animal cannot both have run refuse all (`runs_collide`): less than 15 minutes apart (so also in
 *   one race), less than 12 hours at two places, less than 72 in two countries. `race` is one of them, unless the
 *   runner is out of it.
 *
 * @param found runs in the same code before the race, under the runner's folded name or its registry id, in any order,
 *   each once
 * @param most of the newest `RUNS_LOOKED_AT`
 */
export function ownRuns(runner: FormSubject, race: FormRace, found: readonly PastRun[], most: number): OwnRuns {
  const { category, country } = race;
  if (country === 'HK') return refused('not_covered');
  if (isVacantBox(runner.name)) return refused('vacant_box');
  const subject = marksOf(runner, category);
  const recent = newest(found).map((run) => ({ run, marks: marksOf(run, category) }));
  const own = recent.filter(({ marks }) => !areDifferent(subject, marks));
  const sure = own.every(({ marks }) => isMarkedSame(subject, marks));
  if (!sure && runner.hasTwin) return refused('name_twice_in_race');
  if (!sure && own.length < recent.length) return refused('name_shared');
  if (anyPair(own, (a, b) => areDifferent(a.marks, b.marks))) return refused('name_shared');
  const runs = own.map(({ run }) => run);
  if (anyPair<Start>(runner.out ? runs : [race, ...runs], cannotBothBe)) return refused('runs_collide');
  const returned = own.slice(0, most);
  return { kind: 'known', runs: returned.map(({ run, marks }) => ({ ...run, joinedBy: joinedBy(subject, marks) })) };
}

const refused = (reason: FormReason): OwnRuns => ({ kind: 'refused', reason });

const newest = (found: readonly PastRun[]): readonly PastRun[] => [...found].sort(byStart).slice(0, RUNS_LOOKED_AT);

/** A total order, so that the runs examined do not depend on the order of the input. */
const byStart = (a: PastRun, b: PastRun): number =>
  b.startMs - a.startMs || (a.raceId < b.raceId ? -1 : Number(a.raceId > b.raceId)) || a.number - b.number;

/** Marks that distinguish two animals of one name; null where not published. */
interface Marks {
  /** `grv:123`, only of a dog: a horse has a new code each day (A 2.1). */
  readonly id: string | null;
  readonly birthplace: string | null;
}

function marksOf({ name, runnerRef }: FormRunner, category: Category): Marks {
  const lasts = category === 'greyhound' && runnerRef !== null && /^(grv|grsa):./.test(runnerRef);
  return { id: lasts ? runnerRef : null, birthplace: birthplace(name) };
}

/** Ids of two registries cannot be compared. */
const isOneRegistry = (a: string, b: string): boolean => a.slice(0, a.indexOf(':')) === b.slice(0, b.indexOf(':'));

function areDifferent(a: Marks, b: Marks): boolean {
  if (a.id !== null && b.id !== null && isOneRegistry(a.id, b.id)) return a.id !== b.id;
  return a.birthplace !== null && b.birthplace !== null && a.birthplace !== b.birthplace;
}

/** Of two that are not different. */
const isMarkedSame = (a: Marks, b: Marks): boolean =>
  (a.id !== null && a.id === b.id) || (a.birthplace !== null && a.birthplace === b.birthplace);

const joinedBy = (subject: Marks, run: Marks): OwnRun['joinedBy'] =>
  run.id !== null && run.id === subject.id ? 'runner_ref' : 'name';

type Start = Omit<FormRace, 'category'>;

function cannotBothBe(a: Start, b: Start): boolean {
  const apartMs = Math.abs(a.startMs - b.startMs);
  if (apartMs < BETWEEN_RACES_MS) return true;
  if (a.country !== null && b.country !== null && a.country !== b.country) return apartMs < BETWEEN_COUNTRIES_MS;
  return a.venueSite !== b.venueSite && apartMs < BETWEEN_SITES_MS;
}

const anyPair = <T>(items: readonly T[], test: (a: T, b: T) => boolean): boolean =>
  items.some((a, i) => items.some((b, j) => j > i && test(a, b)));
