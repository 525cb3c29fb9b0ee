// The changes of a race that time alone causes (A 3). One table answers what is due now and when to check again. Never
// reads a clock: the race's own `asOf` is the time.

import type { Instant } from '../race/race';
import { fieldHorizon, fieldStateOf } from '../results/field-coverage';
import { BOARD_AFTER_JUMP_SECONDS, LIVE_TIER_SECONDS } from '../time/cadence';
import type { Deadline, DeadlineReason, RacePhase, RaceState } from './race-state';

const HOUR_MS = 3_600_000;
const LIVE_TIER_MS = LIVE_TIER_SECONDS * 1000;
const BOARD_AFTER_JUMP_MS = BOARD_AFTER_JUMP_SECONDS * 1000;
/** A result is final when its placings have stood for 30 minutes (A 3). */
const FINAL_AFTER_MS = 30 * 60_000;
/**
 * How long a finished race can be overridden or reinstated, and how long a race waits for a result or for the end of a
 * protest.
 */
const CLOSE_AFTER_MS: Readonly<Partial<Record<RacePhase, number>>> = {
  final: 24 * HOUR_MS,
  abandoned: 24 * HOUR_MS,
  jumped: 72 * HOUR_MS,
  interim: 72 * HOUR_MS,
};

interface TimeRule {
  readonly why: DeadlineReason;
  /** Epoch milliseconds at which the rule applies to this state; null when it does not. */
  readonly dueMs: (state: RaceState) => number | null;
  readonly apply: (state: RaceState) => RaceState;
}

const ms = (instant: Instant): number => Date.parse(instant);
const instant = (at: number): Instant => new Date(at).toISOString();

export function enter(state: RaceState, phase: RacePhase): RaceState {
  return state.phase === phase ? state : { ...state, phase, phaseSince: state.asOf, over: false };
}

/** The jump of an upcoming race; later evidence does not change it. */
export function jump(state: RaceState, at: Instant): RaceState {
  return enter({ ...state, jumpedAt: at }, 'jumped');
}

/** Inside three hours of the advertised start (A 2.4 rule 4). */
export function isInLiveWindow(state: RaceState): boolean {
  return ms(state.asOf) >= ms(state.advertisedStart) - LIVE_TIER_MS;
}

/** Field coverage of this race now, by the same function that `results/coverage` counts with (A 2.12). */
export function fieldNow(state: RaceState): RaceState['field'] {
  return fieldStateOf({
    category: state.category,
    country: state.country,
    resultStatus: state.phase === 'abandoned' ? 'abandoned' : 'interim',
    hasRunners: state.field?.status === 'complete',
    startTime: state.advertisedStart,
    lastPassAt: state.lastFieldPassAt,
    now: state.asOf,
  });
}

const awaitsField = (state: RaceState): boolean =>
  state.field?.status === 'pending' || state.field?.status === 'overdue';

/**
 * When the advertised start is taken as the jump (D24): at the start itself if the market closed before it and did not
 * reopen; otherwise not before the race would leave the board, so that a late jump is still observed and a late report
 * of a moved start still counts. A reinstated race gets that time from its reinstatement.
 */
function presumedJumpMs(state: RaceState): number | null {
  if (state.phase !== 'live') return null;
  const start = ms(state.advertisedStart);
  if (state.marketShut) return start;
  return Math.max(start, state.reinstatedAt === null ? start : ms(state.reinstatedAt)) + BOARD_AFTER_JUMP_MS;
}

/** A race stays on the board for 10 minutes after its jump; a race that did not run, for 10 minutes after its start. */
function boardUntilMs(state: RaceState): number | null {
  if (!state.onBoard || (state.jumpedAt === null && state.phase !== 'abandoned')) return null;
  return ms(state.jumpedAt ?? state.advertisedStart) + BOARD_AFTER_JUMP_MS;
}

function closeMs(state: RaceState): number | null {
  const after = CLOSE_AFTER_MS[state.phase];
  if (state.over || after === undefined || awaitsField(state)) return null;
  return closesFromMs(state) + after;
}

/** An interim race here is under a protest: otherwise its placings would be final by now. */
function closesFromMs({ phase, phaseSince, advertisedStart, placingsSince }: RaceState): number {
  if (phase === 'abandoned') return Math.max(ms(phaseSince), ms(advertisedStart));
  return ms(phase === 'interim' ? placingsSince! : phaseSince);
}

const RULES: readonly TimeRule[] = [
  // A 2.4 rule 4: live inside three hours.
  {
    why: 'live_tier',
    dueMs: (s) => (s.phase === 'card' ? ms(s.advertisedStart) - LIVE_TIER_MS : null),
    apply: (s) => enter(s, 'live'),
  },
  // A 3 "Live race | upcoming | jump | jumped": the advertised start, if there is no better evidence (D24).
  {
    why: 'jump',
    dueMs: presumedJumpMs,
    apply: (s) => jump(s, s.advertisedStart),
  },
  // A 3 "Live race | jumped | more than 10 minutes after the jump | removed from live board".
  {
    why: 'leave_board',
    dueMs: boardUntilMs,
    apply: (s) => ({ ...s, onBoard: false, leftBoardAt: s.asOf }),
  },
  // A 3 "Result | interim | placings stable for 30 minutes | final"; not under a protest.
  {
    why: 'final',
    dueMs: (s) => (s.phase === 'interim' && !s.protest ? ms(s.placingsSince!) + FINAL_AFTER_MS : null),
    apply: (s) => enter(s, 'final'),
  },
  // A 3 "Result field coverage | pending | collector pass": requested here, decided when the pass reports.
  {
    why: 'field_pass',
    dueMs: (s) => (awaitsField(s) && s.field!.expectedAt !== null ? ms(s.field!.expectedAt) : null),
    apply: (s) => ({ ...s, fieldPassAskedAt: s.field!.expectedAt, field: fieldNow(s) }),
  },
  // A 3 "overdue | collector candidate horizon closes | unavailable".
  {
    why: 'field_horizon',
    dueMs: (s) => (awaitsField(s) ? ms(fieldHorizon(s.category, s.country, s.advertisedStart)!) : null),
    apply: (s) => ({ ...s, field: fieldNow(s) }),
  },
  { why: 'close', dueMs: closeMs, apply: (s) => ({ ...s, over: true }) },
];

function earliest(state: RaceState): { rule: TimeRule; dueMs: number } | null {
  let first: { rule: TimeRule; dueMs: number } | null = null;
  for (const rule of RULES) {
    const dueMs = rule.dueMs(state);
    if (dueMs !== null && (first === null || dueMs < first.dueMs)) first = { rule, dueMs };
  }
  return first;
}

/** Applies everything due at the race's `asOf`, in the order of its instants, however late the tick is. */
export function advance(state: RaceState): RaceState {
  const due = earliest(state);
  return due === null || due.dueMs > ms(state.asOf) ? state : advance(due.rule.apply(state));
}

/**
 * The instant at which time alone next changes the race, and why; null when nothing is scheduled. It may already be
 * past on the wall clock. A tick at or after it always changes the state.
 */
export function nextDeadline(state: RaceState): Deadline | null {
  const due = earliest(state);
  return due && { at: instant(due.dueMs), why: due.rule.why };
}
