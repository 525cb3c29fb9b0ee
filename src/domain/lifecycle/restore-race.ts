// Restores a race's state from the database after its workflow was lost, or had ended and has to run again. Pure.

import type { Instant } from '../race/race';
import { type FieldStatus, nextFieldPass } from '../results/field-coverage';
import { initialRace } from './lifecycle';
import type { RacePhase, RaceStart, RaceState } from './race-state';
import { fieldNow } from './race-timetable';

/**
 * The race as stored. `epoch` is the last one given to a poller: the next one is higher, so that no old poller can
 * write.
 */
export interface RaceRecord {
  readonly phase: string;
  readonly epoch: number;
  readonly abandonmentVersion: number;
  readonly marketClosedAt: Instant | null;
  readonly inplayAt: Instant | null;
  readonly jumpedAt: Instant | null;
  readonly leftBoardAt: Instant | null;
  readonly result: {
    readonly status: 'interim' | 'final' | 'abandoned';
    readonly statusNote: string | null;
    readonly placingsKey: string;
    readonly placingsSince: Instant;
    readonly protest: boolean;
    readonly overridden: boolean;
    readonly resultedAt: Instant | null;
    readonly fieldStatus: FieldStatus;
    readonly fieldLastPassAt: Instant | null;
  } | null;
}

const PHASES: readonly RacePhase[] = ['card', 'live', 'jumped', 'interim', 'final', 'abandoned'];

/**
 * The race's state as of `start.at`. The result's own status outranks the header's phase, which is written first. A
 * race that is still to run comes back without a poller: send a tick at once, as after `initialRace`.
 */
export function restoreRace(start: RaceStart, stored: RaceRecord): RaceState {
  const { result } = stored;
  const phase = result ? result.status : (PHASES.find((each) => each === stored.phase) ?? 'card');
  const placed = result !== null && result.placingsKey !== '';
  const state: RaceState = {
    ...initialRace(start),
    phase,
    phaseSince: (placed ? result.placingsSince : stored.jumpedAt) ?? start.at,
    onBoard: stored.leftBoardAt === null,
    leftBoardAt: stored.leftBoardAt,
    epoch: stored.epoch,
    abandonmentVersion: stored.abandonmentVersion,
    marketClosedAt: stored.marketClosedAt,
    inplayAt: stored.inplayAt,
    jumpedAt: stored.jumpedAt ?? (placed ? start.advertisedStart : null),
    placingsKey: placed ? result.placingsKey : null,
    placingsSince: placed ? result.placingsSince : null,
    protest: result?.protest ?? false,
    overridden: result?.overridden ?? false,
    note: phase === 'abandoned' ? (result?.statusNote ?? 'abandoned') : null,
    lastFieldPassAt: result?.fieldLastPassAt ?? null,
  };
  return result ? withField(state, result) : state;
}

/** A pass that became due while the race had no workflow is due immediately. */
function withField(state: RaceState, { fieldStatus, resultedAt }: NonNullable<RaceRecord['result']>): RaceState {
  const field = fieldNow(state);
  if (field === null) return state;
  if (fieldStatus === 'complete') {
    return { ...state, field: { status: fieldStatus, source: field.source, note: null, expectedAt: null } };
  }
  const { category, country, advertisedStart: startTime, lastFieldPassAt, asOf } = state;
  const due = nextFieldPass({ category, country, startTime }, lastFieldPassAt ?? resultedAt ?? startTime);
  const awaited = field.status === 'pending' || field.status === 'overdue';
  const missed = awaited && due !== null && Date.parse(due) <= Date.parse(asOf);
  return { ...state, field: missed ? { ...field, expectedAt: due } : field };
}
