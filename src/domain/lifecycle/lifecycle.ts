// The life of one race (A 3): a state machine over plain JSON. `step` is total: any event in any state gives a state,
// and an event that makes no sense there changes nothing. Time is in the events; effects are descriptions that the
// workflow has carried out.

import type { Instant } from '../race/race';
import { fieldSource } from '../results/field-coverage';
import { effectsOf } from './race-effects';
import type { RaceEffect, RaceEvent, RacePhase, RaceStart, RaceState } from './race-state';
import { advance, enter, fieldNow, isInLiveWindow, jump } from './race-timetable';

export { carriedRace } from './carried-race';
export { INVARIANTS } from './race-invariants';
export type { RaceEffect, RaceEvent, RacePhase, RaceStart, RaceState } from './race-state';
export { nextDeadline } from './race-timetable';

export interface Step {
  readonly state: RaceState;
  readonly effects: RaceEffect[];
}

/** Races do not jump before their advertised start; a market closed earlier than this is a pause, and may reopen. */
const EARLIEST_JUMP_MS = 60_000;
/** Two starts within 30 minutes are one race (D17); a result earlier than that belongs to another. */
const EARLIEST_RESULT_MS = 30 * 60_000;

/** A race as discovered, before its first event: on the card, without a poller. Send a tick at once to start. */
export function initialRace(start: RaceStart): RaceState {
  return {
    schema: 1,
    raceId: start.raceId,
    category: start.category,
    country: start.country,
    phase: 'card',
    phaseSince: start.at,
    asOf: start.at,
    onBoard: true,
    leftBoardAt: null,
    epoch: 0,
    tier: 'none',
    advertisedStart: start.advertisedStart,
    startVersion: start.startVersion,
    abandonmentVersion: 0,
    marketClosedAt: null,
    marketShut: false,
    inplayAt: null,
    jumpedAt: null,
    reinstatedAt: null,
    placingsKey: null,
    placingsSince: null,
    protest: false,
    overridden: false,
    note: null,
    field: null,
    lastFieldPassAt: null,
    fieldPassAskedAt: null,
    over: false,
  };
}

/**
 * The state after an event and everything that its instant makes due, with the effects to carry out, in order. Pure and
 * deterministic.
 */
export function step(state: RaceState, event: RaceEvent): Step {
  const timed = { ...state, asOf: later(state.asOf, event.at) };
  const after = withTier(advance(handle(timed, event)));
  return { state: after, effects: effectsOf(state, after) };
}

/** Whether a market that closed at `at` closed for the jump of a race advertised for `start`. */
export const isJumpClose = (at: Instant, start: Instant): boolean =>
  Date.parse(at) >= Date.parse(start) - EARLIEST_JUMP_MS;

/** Whether a result observed at `at` can belong to a race advertised for `start`. */
export const isResultCredible = (at: Instant, start: Instant): boolean =>
  Date.parse(at) >= Date.parse(start) - EARLIEST_RESULT_MS;

const isUpcoming = (state: RaceState): boolean => state.phase === 'card' || state.phase === 'live';

/** Whether an operator may abandon the race: any time before its result is final (A 3). */
export const canAbandon = (state: RaceState): boolean => state.phase !== 'final';
/** Whether there is an abandonment to undo. */
export const canReinstate = (state: RaceState): boolean => state.phase === 'abandoned';
/** Whether an operator may give placings: only to a race that has jumped and was not abandoned. */
export const canOverride = (state: RaceState): boolean => !isUpcoming(state) && state.phase !== 'abandoned';

type Handlers = { [T in RaceEvent['type']]: (state: RaceState, event: Extract<RaceEvent, { type: T }>) => RaceState };

const HANDLERS: Handlers = {
  tick: (state) => state,
  startMoved,
  marketClosed,
  marketReopened: (state) => (isUpcoming(state) ? { ...state, marketShut: false } : state),
  // A 3 "Live race market | first poll seeing race in play | inplay_at set". Withheld from customers, so it never
  // decides the jump (D24).
  inplay: (state, { at }) => ({ ...state, inplayAt: state.inplayAt ?? at }),
  resultSeen,
  abandoned: abandonedBy,
  refused,
  resultLost,
  reinstated,
  overridden,
  notFinal,
  fieldFilled,
  fieldPassed,
};

function handle<T extends RaceEvent['type']>(state: RaceState, event: Extract<RaceEvent, { type: T }>): RaceState {
  const handler = HANDLERS[event.type as T] as Handlers[T] | undefined;
  // A newer version handed it over: ignoring it would lose it.
  if (!handler) throw new Error(`this version has no event ${event.type}`);
  return handler(state, event);
}

const later = (a: Instant, b: Instant): Instant => (Date.parse(b) > Date.parse(a) ? b : a);

/**
 * A moved start applies until the race has jumped, however late it is reported; afterwards it is ignored. A start
 * reported while the race is abandoned applies once it is reinstated. Repeats and older versions change nothing.
 */
function startMoved(state: RaceState, event: Extract<RaceEvent, { type: 'startMoved' }>): RaceState {
  const hasRun = state.jumpedAt !== null && state.phase !== 'abandoned';
  if (event.version <= state.startVersion || hasRun) return state;
  const moved = { ...state, advertisedStart: event.start, startVersion: event.version };
  return moved.phase === 'live' && !isInLiveWindow(moved) ? enter(moved, 'card') : moved;
}

/**
 * A 3 "Live race market | first poll seeing market shut | market_closed_at set, never overwritten", and "Live race |
 * jump | jumped".
 */
function marketClosed(state: RaceState, { at }: { readonly at: Instant }): RaceState {
  const stamped = { ...state, marketClosedAt: state.marketClosedAt ?? at };
  if (!isUpcoming(state)) return stamped;
  const shut = { ...stamped, marketShut: true };
  return isJumpClose(at, state.advertisedStart) ? jump(shut, at) : shut;
}

/**
 * A 3 rows of the result. Any result is evidence of the jump (D24). A book's `final` is still our `interim`: only 30
 * stable minutes settle it. A final is not touched, an operator's placings neither, and an abandoned race has to be
 * reinstated first.
 */
function resultSeen(state: RaceState, event: Extract<RaceEvent, { type: 'resultSeen' }>): RaceState {
  // Already abandoned: do not overwrite the note, which may be more specific.
  if (state.phase === 'abandoned') return state;
  // Placings outrank a book's report of an abandonment: the race ran.
  if (event.stage === 'abandoned')
    return state.placingsKey === null ? abandon(state, event.note || 'abandoned') : state;
  const tooEarly = !isResultCredible(state.asOf, state.advertisedStart);
  if (tooEarly || state.overridden || state.phase === 'final') return state;
  const ran = isUpcoming(state) ? jump(state, event.at) : state;
  if (event.placingsKey === '') return ran;
  return withPlacings({ ...ran, protest: event.protest }, event.placingsKey);
}

/** New placings start their 30 minutes again; the same ones keep theirs. */
function withPlacings(state: RaceState, placingsKey: string): RaceState {
  const placingsSince = placingsKey === state.placingsKey ? state.placingsSince : state.asOf;
  const placed = enter({ ...state, placingsKey, placingsSince, over: false }, 'interim');
  return { ...placed, field: placed.field ?? fieldNow(placed) };
}

/** An order from elsewhere counts once, even if the race has been reinstated since or cannot be abandoned. */
function abandonedBy(state: RaceState, { note, version }: Extract<RaceEvent, { type: 'abandoned' }>): RaceState {
  if (version === undefined) return abandon(state, note);
  if (version <= state.abandonmentVersion) return state;
  return { ...abandon(state, note), abandonmentVersion: version };
}

/**
 * A 3 "Result | none | registry notice | race did not run | abandoned". From any phase before final; the pollers stop,
 * the board keeps it.
 */
function abandon(state: RaceState, note: string): RaceState {
  if (!canAbandon(state)) return state;
  const abandoned = { ...enter(state, 'abandoned'), note, protest: false };
  return { ...abandoned, field: fieldNow(abandoned) };
}

/**
 * Undoes an abandonment: the race has not run, is on the board, and is on the card or live by the clock. An earlier
 * jump or result is dropped, because the abandonment of a meeting closes its markets too; a race that did run reports
 * both again. Only published facts stay: `marketClosedAt` and `inplayAt` are never withdrawn (A 2.2).
 */
function reinstated(state: RaceState): RaceState {
  if (!canReinstate(state)) return state;
  const { phaseSince, asOf, marketClosedAt, inplayAt, epoch, tier, abandonmentVersion } = state;
  const fresh = { ...initialRace({ ...state, at: asOf }), phase: state.phase, phaseSince, marketClosedAt, inplayAt };
  const back: RaceState = { ...fresh, epoch, tier, abandonmentVersion, reinstatedAt: asOf };
  return enter(back, isInLiveWindow(back) ? 'live' : 'card');
}

/**
 * Out of `final`: other placings by an operator are interim for their own 30 minutes, the same ones stand. Feeds no
 * longer change them.
 */
function overridden(state: RaceState, event: Extract<RaceEvent, { type: 'overridden' }>): RaceState {
  if (!canOverride(state) || event.placingsKey === '') return state;
  return withPlacings({ ...state, overridden: true, protest: false }, event.placingsKey);
}

/**
 * The stored result did not become final (other placings, a protest, or no book reachable): it is interim for 30
 * minutes of its own.
 */
function notFinal(state: RaceState, event: Extract<RaceEvent, { type: 'notFinal' }>): RaceState {
  if (state.phase !== 'final' || event.placingsKey === '') return state;
  return withPlacings({ ...state, protest: event.protest, placingsKey: null }, event.placingsKey);
}

/**
 * A 3 "pending, overdue, unavailable | any fill | complete". A fill before the first placings counts too; nothing else
 * has moves.
 */
function fieldFilled(state: RaceState): RaceState {
  const source = fieldSource(state.category, state.country);
  const status = state.field?.status ?? (state.phase === 'jumped' && source !== null ? 'pending' : null);
  if (status !== 'pending' && status !== 'overdue' && status !== 'unavailable') return state;
  return { ...state, field: { status: 'complete', source, note: null, expectedAt: null } };
}

/** A 3 "pending | pass runs without writing a field | overdue". */
function fieldPassed(state: RaceState, { at }: { readonly at: Instant }): RaceState {
  if (state.field?.status !== 'pending' && state.field?.status !== 'overdue') return state;
  const passed = { ...state, lastFieldPassAt: later(state.lastFieldPassAt ?? at, at) };
  return { ...passed, field: fieldNow(passed) };
}

/**
 * The fence has another epoch than the race carries: the workflow was reset, the control row was lost, or the database
 * was restored. The race moves past both, so that its next poller may write.
 */
function refused(state: RaceState, { epoch, held }: Extract<RaceEvent, { type: 'refused' }>): RaceState {
  if (!isUpcoming(state) || epoch !== state.epoch) return state;
  return { ...state, epoch: Math.max(epoch, held ?? 0) + 1 };
}

/** Placings that are no longer stored are collected again. The jump and the board stay. */
function resultLost(state: RaceState): RaceState {
  if (state.phase !== 'interim' && state.phase !== 'final') return state;
  const without = { placingsKey: null, placingsSince: null, protest: false, overridden: false } as const;
  const unfilled = { field: null, lastFieldPassAt: null, fieldPassAskedAt: null } as const;
  return enter({ ...state, ...without, ...unfilled }, 'jumped');
}

const TIER_OF: Readonly<Partial<Record<RacePhase, RaceState['tier']>>> = { card: 'card', live: 'live' };

/** Every change of tier is a new epoch, so that the fence rejects late writes of the old tier's poller. */
function withTier(state: RaceState): RaceState {
  const tier = TIER_OF[state.phase] ?? 'none';
  return tier === state.tier ? state : { ...state, tier, epoch: state.epoch + 1 };
}
