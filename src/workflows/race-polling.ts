// Which poller a race needs now, and which event each of its endings becomes. One poller at a time: when the race needs
// another, the old one is cancelled and its ending ignored.
import { CancellationScope, isCancellation, log, patched, sleep } from '@temporalio/workflow';
import type { RaceEvent, RaceState } from '../domain/lifecycle/lifecycle';
import type { Instant } from '../domain/race/race';
import { live, patient } from './race-activities';

type Ending = Awaited<ReturnType<typeof live.pollLive>> | Awaited<ReturnType<typeof patient.awaitResult>>;

/** `key` contains everything that the poller depends on: another key means another poller. */
export interface Poller {
  readonly key: string;
  readonly epoch: number;
  readonly run: () => Promise<Ending>;
}

/**
 * A poller that would end the same way again (rejected by the fence, a result that is too early) must not make the race
 * spin.
 */
const AFTER_NO_CHANGE = '30s';

/** `turn` counts the pollers of this run, so that a later one outranks an earlier one of the same epoch (fence). */
function pollerFor(state: RaceState, turn: number, at: Instant, heartbeatTimeout?: number): Poller | null {
  const { raceId, epoch, marketShut } = state;
  const race = { raceId, epoch, marketShut, turn, reinstated: state.reinstatedAt !== null };
  switch (state.phase) {
    case 'card':
      return {
        key: `card ${epoch} ${marketShut}`,
        epoch,
        run: () => patient.pollCard.executeWithOptions(cardOptions, [race]),
      };
    case 'live':
      return {
        key: `live ${epoch} ${marketShut}`,
        epoch,
        run: () => live.pollLive.executeWithOptions(liveOptions(state, at, heartbeatTimeout), [race]),
      };
    case 'jumped':
    case 'interim':
      return state.overridden ? null : resultWatch(state);
    case 'final':
    case 'abandoned':
      return null;
    // Handed over by a newer version, as below.
    default:
      throw new Error(`this version has no phase ${state.phase satisfies never}`);
  }
}

const cardOptions = { summary: 'card tier: every book at the card cadence' };
const liveOptions = ({ epoch, advertisedStart }: RaceState, at: Instant, heartbeatTimeout?: number) => ({
  summary: `live tier, epoch ${epoch}: until the market closes`,
  priority: { priorityKey: urgencyOf((Date.parse(advertisedStart) - Date.parse(at)) / MINUTE_MS) },
  ...(heartbeatTimeout !== undefined && { heartbeatTimeout }),
});

const MINUTE_MS = 60_000;

/**
 * Temporal's priority, 1 first, in which pollers that wait for a slot get one. It is fixed when the poller is
 * scheduled.
 */
const urgencyOf = (minutesToJump: number): number => (minutesToJump <= 10 ? 1 : minutesToJump <= 60 ? 2 : 3);

function resultWatch(state: RaceState): Poller {
  const { raceId, placingsKey, protest } = state;
  const known = placingsKey === null ? null : { placingsKey, protest };
  const summary = known
    ? `result ${placingsKey}${protest ? ', protest' : ''}: until it changes`
    : 'waiting for a result';
  const watch = { raceId, jumpedAt: state.jumpedAt!, known, reinstated: state.reinstatedAt !== null };
  return { key: summary, epoch: state.epoch, run: () => patient.awaitResult.executeWithOptions({ summary }, [watch]) };
}

/**
 * Runs one poller at a time; every ending becomes an event of the race. `heartbeatTimeout`: of live pollers,
 * milliseconds.
 */
export function createPolling(enqueue: (event: RaceEvent) => void, now: () => Instant, heartbeatTimeout?: number) {
  let running: { readonly key: string; readonly scope: CancellationScope } | null = null;
  let lastEnded: string | null = null;
  /** In a row. Each gives the race a new epoch, and so its poller another key. */
  let refusals = 0;
  let turn = 0;

  async function runPoller({ key, epoch, run }: Poller): Promise<void> {
    const mine = running;
    if (key === lastEnded || refusals > 1) await pause(key);
    const ending = await run();
    if (running !== mine) return;
    running = null;
    const event = eventOf(ending, epoch, now());
    lastEnded = key;
    refusals = event.type === 'refused' ? refusals + 1 : 0;
    enqueue(event);
  }

  return {
    /** Makes the running poller the one that the state needs. */
    ensurePoller(state: RaceState): void {
      const wanted = pollerFor(state, turn + 1, now(), heartbeatTimeout);
      if (wanted?.key === running?.key) return;
      running?.scope.cancel();
      running = null;
      if (!wanted) return;
      turn += 1;
      const scope = new CancellationScope();
      running = { key: wanted.key, scope };
      void scope.run(() => runPoller(wanted)).catch(ignoreCancelled);
    },
    stop(): void {
      running?.scope.cancel();
      running = null;
    },
  };
}

async function pause(key: string): Promise<void> {
  log.warn('a poller ended and the race did not change', { poller: key });
  await sleep(AFTER_NO_CHANGE, { summary: 'pause: the last poller changed nothing' });
}

export function ignoreCancelled(error: unknown): void {
  if (!isCancellation(error)) throw error;
}

function eventOf(ending: Ending, epoch: number, at: Instant): RaceEvent {
  switch (ending.kind) {
    case 'market-closed':
      return { type: 'marketClosed', at: ending.at };
    case 'market-reopened':
      return { type: 'marketReopened', at: ending.at };
    case 'result': {
      const { status, placingsKey, protest } = ending.facts;
      return { type: 'resultSeen', stage: status, placingsKey, protest, at };
    }
    case 'abandoned': {
      const { note, at: seenAt } = ending;
      // An older version took a book's report for an operator's order, and the replay of its races must do so too.
      if (!patched('a-book-says-abandoned')) return { type: 'abandoned', note, at: seenAt };
      return { type: 'resultSeen', stage: 'abandoned', placingsKey: '', protest: false, note, at: seenAt };
    }
    case 'superseded':
    case 'fenced': {
      const { held } = ending;
      // An older version waited for the next change of tier.
      if (held === undefined || !patched('a-refusal-is-answered')) return { type: 'tick', at };
      return { type: 'refused', epoch, held, at };
    }
    default:
      return newerEnding(ending);
  }
}

/**
 * The ending of a newer version's activity becomes an event that `step` refuses: that fails the workflow task, which is
 * retried until a worker of that version takes it. A throw here would be an unhandled rejection, because pollers run
 * beside the workflow's main function.
 */
const newerEnding = (ending: never): RaceEvent => ({ type: `answer ${(ending as Ending).kind}` }) as never;
