// The runs of one Topaz race as a field, and whether it is complete.
// A field that lacks a runner, or the end of a runner's run, must never count as complete.
import type { ResultRunner } from '../../domain/results/result';
import type { Drops } from '../reading/drops';
import { asRow, idOf, type JsonObject } from '../reading/read';
import { isVacant, type RunRead, readRun } from './run';

export interface Field {
  /** By number. */
  readonly runners: readonly ResultRunner[];
  /** At least one runner has a place, or a reason for having none. */
  readonly begun: boolean;
  readonly whole: boolean;
}

export function readField(raw: readonly unknown[], drops: Drops): Field {
  const rows = runsOnce(raw, drops);
  const read = onlyOnes(
    rows.flatMap((run) => (run ? (readRun(run, drops) ?? []) : [])),
    drops,
  );
  return {
    runners: ranked(read),
    begun: read.some(({ runner, ended }) => ended && runner.status === 'ran'),
    whole: read.length === rows.length && read.every(({ ended }) => ended) && hasNoGap(read),
  };
}

/** Drops both of two runs with the same rug number: either may be the runner that was backed. */
function onlyOnes(read: readonly RunRead[], drops: Drops): RunRead[] {
  const isOnly = ({ runner }: RunRead) => read.filter((one) => one.runner.number === runner.number).length === 1;
  const only = read.filter(isOnly);
  drops.add('rug_repeated', read.length - only.length);
  return only;
}

/** Null for an unreadable row. The same run may appear twice: the first is used. Empty boxes are skipped. */
function runsOnce(raw: readonly unknown[], drops: Drops): (JsonObject | null)[] {
  const seen = new Set<string>();
  const isFirst = (run: JsonObject): boolean => {
    const id = idOf(run.runId);
    const repeated = id !== null && seen.has(id);
    if (repeated) drops.add('run_repeated');
    else if (id !== null) seen.add(id);
    return !repeated;
  };
  return raw.flatMap((value) => {
    const run = asRow(value);
    if (run === null) drops.add('run_unreadable');
    return run === null || (!isVacant(run) && isFirst(run)) ? [run] : [];
  });
}

/**
 * Whether the places have no gap, counted from the first. After a dead heat for second the next may be third or fourth.
 */
function hasNoGap(read: readonly RunRead[]): boolean {
  const positions = read.flatMap(({ runner }) => runner.position ?? []).sort((a, b) => a - b);
  return positions[0] === 1 && positions.every((position, i) => position <= i + 1);
}

/** After a dead heat for second comes fourth, however the registry counts. A place after a missing one is kept. */
function ranked(read: readonly RunRead[]): ResultRunner[] {
  const places = read.flatMap(({ runner }) => runner.position ?? []);
  const runners = read.map(({ runner }) => {
    const { position } = runner;
    if (position === null) return runner;
    const before = places.filter((place) => place < position).length;
    const sharing = places.filter((place) => place === position).length;
    return { ...runner, position: Math.max(position, before + 1), dead_heat: sharing > 1 };
  });
  return runners.sort((a, b) => a.number - b.number);
}
