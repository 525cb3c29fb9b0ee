// Carries out the effects that the race's lifecycle decided, in order. Every effect is idempotent, so a retry of the
// whole list is safe.
import type { RaceEffect } from '../../domain/lifecycle/lifecycle';
import type { Instant } from '../../domain/race/race';
import type { StoredResult } from '../../store/results/sources';
import { instantNow, type PollDeps } from '../deps';
import { type ResultFacts, resultFacts } from '../result-facts';
import { pollResults } from './poll-results';

/** An effect that only writes: everything but the collector's pass, which is an activity of its own. */
export type WriteEffect = Exclude<RaceEffect, { do: 'run_field_pass' }>;

export interface Decision {
  readonly raceId: string;
  readonly effects: readonly WriteEffect[];
}

/** Returns the stored result if it should have become final and did not; otherwise null. */
export async function carryOut(deps: PollDeps, { raceId, effects }: Decision): Promise<ResultFacts | null> {
  let notFinal: ResultFacts | null = null;
  for (const effect of effects) {
    if (effect.do === 'finalise') notFinal = await finalise(deps, raceId, effect.placingsKey);
    else await write(deps, raceId, effect, instantNow(deps));
  }
  return notFinal;
}

/** Wall; shorter than the activity's own timeout. */
const PATIENCE_MS = 20_000;
/** How long placings wait for a book that can be reached before they become final without one. */
const UNSEEN_MOST_MS = 3 * 3_600_000;

/** Polls the books once more: placings that could not be checked are not proven to have stood (A 3). */
async function finalise(deps: PollDeps, raceId: string, placingsKey: string | undefined) {
  const { unreachable } = await pollResults(deps, raceId, {
    signal: AbortSignal.timeout(PATIENCE_MS),
    urgency: 'usual',
  });
  const waiting = unreachable ? await stillWaiting(deps, raceId) : null;
  const stored = waiting ?? (await deps.stores.results.finalise(raceId, instantNow(deps), placingsKey));
  return stored?.status === 'interim' && stored.placingsKey !== '' ? resultFacts(stored) : null;
}

/** Null when an operator gave the placings, which need no book, or when the wait is over. */
async function stillWaiting({ stores, now }: PollDeps, raceId: string): Promise<StoredResult | null> {
  const stored = await stores.results.read(raceId);
  const waits = stored && !stored.overridden && now() - Date.parse(stored.placingsSince) < UNSEEN_MOST_MS;
  return waits ? stored : null;
}

type PlainWrite = Exclude<WriteEffect, { do: 'finalise' }>;

async function write({ stores }: PollDeps, raceId: string, effect: PlainWrite, at: Instant): Promise<void> {
  const { races, control, results } = stores;
  switch (effect.do) {
    case 'set_control': {
      const { do: _, ...row } = effect;
      return control.setControl({ raceId, ...row }, at);
    }
    case 'write_abandoned':
      return results.abandon(raceId, effect.note, 'lifecycle', at);
    case 'reinstate':
      return results.reinstate(raceId, at);
    case 'save_phase': {
      const { phase, jumpedAt, leftBoardAt } = effect;
      return races.savePhase(raceId, phase, stamps(jumpedAt, leftBoardAt), at);
    }
    case 'save_field':
      return results.saveFieldState(raceId, effect.field, at, effect.lastPassAt);
    case 'close':
      return control.end(raceId, at);
    // Decided by a newer version: the attempt fails and is retried until a worker of that version takes it.
    default:
      throw new Error(`this version has no effect ${JSON.stringify(effect satisfies never)}`);
  }
}

const stamps = (jumpedAt: Instant | null, leftBoardAt: Instant | null) => ({
  ...(jumpedAt ? { jumpedAt } : {}),
  ...(leftBoardAt ? { leftBoardAt } : {}),
});
