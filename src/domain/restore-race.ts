// A race taken up again from what the database remembers: its workflow was lost, or had ended and there is news. Pure.
import type { FieldStatus } from './field-coverage';
import { initialRace } from './lifecycle';
import type { Instant } from './race';
import type { RacePhase, RaceStart, RaceState } from './race-state';
import { fieldNow } from './race-timetable';

/** What is held of the race. `epoch` is the last one given to a poller: the next is higher, so that no old poller can write. */
export interface HeldRace {
  readonly phase: string;
  readonly epoch: number;
  readonly marketClosedAt: Instant | null;
  readonly inplayAt: Instant | null;
  readonly jumpedAt: Instant | null;
  readonly leftBoardAt: Instant | null;
  readonly result: {
    readonly status: 'interim' | 'final' | 'abandoned';
    readonly placingsKey: string;
    readonly placingsSince: Instant;
    readonly protest: boolean;
    readonly overridden: boolean;
    readonly fieldStatus: FieldStatus;
  } | null;
}

const PHASES: readonly RacePhase[] = ['card', 'live', 'jumped', 'interim', 'final', 'abandoned'];
/** A pass the database cannot date: any instant after the race will do, since only its having been counts. */
const passedBefore = (status: FieldStatus): boolean => status === 'overdue' || status === 'unavailable';

/**
 * The race's state as of `start.at`. The result's own status outranks the header's phase, which is written first. A race that is
 * still to run comes back without a poller: send a tick at once, as after `initialRace`.
 */
export function restoreRace(start: RaceStart, held: HeldRace): RaceState {
  const { result } = held;
  const phase = result ? result.status : (PHASES.find((known) => known === held.phase) ?? 'card');
  const placed = result !== null && result.placingsKey !== '';
  const state: RaceState = {
    ...initialRace(start),
    phase,
    phaseSince: (placed ? result.placingsSince : held.jumpedAt) ?? start.at,
    onBoard: held.leftBoardAt === null,
    leftBoardAt: held.leftBoardAt,
    epoch: held.epoch,
    marketClosedAt: held.marketClosedAt,
    inplayAt: held.inplayAt,
    jumpedAt: held.jumpedAt ?? (placed ? start.advertisedStart : null),
    placingsKey: placed ? result.placingsKey : null,
    placingsSince: placed ? result.placingsSince : null,
    protest: result?.protest ?? false,
    overridden: result?.overridden ?? false,
    note: phase === 'abandoned' ? 'abandoned' : null,
  };
  return result ? withField(state, result.fieldStatus) : state;
}

function withField(state: RaceState, status: FieldStatus): RaceState {
  const lastFieldPassAt = passedBefore(status) ? state.asOf : null;
  const field = fieldNow({ ...state, lastFieldPassAt });
  if (field?.status === 'unsupported' || field?.status === 'not_applicable')
    return { ...state, lastFieldPassAt, field };
  return { ...state, lastFieldPassAt, field: field && { ...field, status } };
}
