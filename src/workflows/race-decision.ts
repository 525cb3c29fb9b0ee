// Which effects of a change of the race's state are carried out now, and what one collector's pass is. Patches keep the
// races of older versions replaying as they were decided.
import { isCancellation, log, patched } from '@temporalio/workflow';
import type { WriteEffect } from '../activities/outcome/carry-out';
import { type RaceEffect, type RaceState, step } from '../domain/lifecycle/lifecycle';
import { effectsOf, onlyStartVersionDiffers, wholeState } from '../domain/lifecycle/race-effects';
import type { Instant } from '../domain/race/race';
import { collecting, past } from './race-activities';

export const isWrite = (effect: RaceEffect): effect is WriteEffect => effect.do !== 'run_field_pass';

/** The stored state differs from `before`: all of it is lost (`whole`), or some of the change is already `written`. */
export interface Stored {
  readonly whole: boolean;
  readonly written: readonly WriteEffect[];
}

export const AS_BEFORE: Stored = { whole: false, written: [] };

export function effectsToCarryOut(before: RaceState, after: RaceState, { whole, written }: Stored): RaceEffect[] {
  const changed = effectsOf(before, after);
  const wanted = whole ? [...wholeState(after), ...changed.filter(({ do: what }) => !REPEATED.has(what))] : changed;
  const done = new Set(written.map((effect) => JSON.stringify(effect)));
  return wanted.filter((effect) => !done.has(JSON.stringify(effect)) && isKnown(effect, before, after));
}

/** The effects that `wholeState` has for every state. */
const REPEATED = new Set(['set_control', 'write_abandoned', 'reinstate', 'save_phase', 'finalise', 'save_field']);

/** Whether the version that decided this had the effect: a running race has to replay without it. */
function isKnown(effect: RaceEffect, before: RaceState, after: RaceState): boolean {
  if (effect.do === 'close') return patched('an-end-is-stored');
  const isNew = effect.do === 'set_control' && onlyStartVersionDiffers(before, after);
  return !isNew || patched('a-start-has-a-version');
}

/**
 * Archives a race that left the board, and again whenever its outcome changed (D43). Runs beside the decisions, which
 * never wait for it: the hourly pass archives what is missing. Resolves when the archive is written or given up; null:
 * nothing is to be archived.
 */
export function archiveIfPast(before: RaceState, after: RaceState): Promise<unknown> | null {
  if (after.onBoard || after.tier !== 'none' || !isNews(before, after) || !patched('a-past-race-is-archived'))
    return null;
  const summary = `${after.phase}: closing lines, price paths, market summary`;
  return past.archiveRace.executeWithOptions({ summary }, [after.raceId]).catch((error) => {
    if (!isCancellation(error)) log.warn('the race is archived by the hourly pass', { error });
  });
}

const isNews = (before: RaceState, after: RaceState): boolean =>
  before.onBoard ||
  before.tier !== 'none' ||
  before.phase !== after.phase ||
  before.placingsKey !== after.placingsKey ||
  before.field?.status !== after.field?.status;

/** `before`: writes that the same activity makes first. `dueAt`: documents that were read since are not read again. */
export interface PassOrder {
  readonly before: readonly WriteEffect[];
  readonly dueAt: Instant;
  readonly at: Instant;
  readonly summary: string;
}

/**
 * One collector's pass. The effects of an empty one are decided beforehand, so that one activity carries out either.
 */
export function collectField(state: RaceState, { before, dueAt, at, summary }: PassOrder) {
  const empty = step(state, { type: 'fieldPassed', at });
  const ifEmpty = empty.effects.filter(isWrite);
  const pass = { raceId: state.raceId, before, ifEmpty, dueAt };
  return { empty, ifEmpty, passed: collecting.collectField.executeWithOptions({ summary }, [pass]) };
}
