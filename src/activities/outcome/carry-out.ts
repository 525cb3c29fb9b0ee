// Does in the world what the race's lifecycle decided, in its order. Every effect is idempotent, so a retry of the whole list is safe.
import type { RaceEffect } from '../../domain/lifecycle/lifecycle';
import type { Instant } from '../../domain/race/race';
import type { HeldResult } from '../../store/results/sources';
import { type ActivityDeps, instantNow } from '../deps';
import { type ResultFacts, resultFacts } from '../result-facts';
import { pollResults } from './poll-results';

/** An effect that only writes: everything but the collector's pass, which is an activity of its own. */
export type WriteEffect = Exclude<RaceEffect, { do: 'run_field_pass' }>;

export interface Decision {
  readonly raceId: string;
  readonly effects: readonly WriteEffect[];
}

/** Says what is held where a result was to be final and was not made so; null otherwise. */
export async function carryOut(deps: ActivityDeps, { raceId, effects }: Decision): Promise<ResultFacts | null> {
  let notFinal: ResultFacts | null = null;
  for (const effect of effects) {
    if (effect.do === 'finalise') notFinal = await finalise(deps, raceId, effect.placingsKey);
    else await write(deps, raceId, effect, instantNow(deps));
  }
  return notFinal;
}

/** Wall, within the activity's own time. */
const PATIENCE_MS = 20_000;
/** How long placings wait for a book that can be reached; then they are what stood. */
const UNSEEN_MOST_MS = 3 * 3_600_000;

/** The books are asked once more: placings that nobody could look at meanwhile were not seen to stand (A 3). */
async function finalise(deps: ActivityDeps, raceId: string, placingsKey: string | undefined) {
  const { unreachable } = await pollResults(deps, raceId, {
    signal: AbortSignal.timeout(PATIENCE_MS),
    urgency: 'usual',
  });
  const waiting = unreachable ? await stillWaiting(deps, raceId) : null;
  const stored = waiting ?? (await deps.stores.results.finalise(raceId, instantNow(deps), placingsKey));
  return stored?.status === 'interim' && stored.placingsKey !== '' ? resultFacts(stored) : null;
}

/** Null: an operator's word needs no book, and enough has been waited. */
async function stillWaiting({ stores, now }: ActivityDeps, raceId: string): Promise<HeldResult | null> {
  const stored = await stores.results.held(raceId);
  const waits = stored && !stored.overridden && now() - Date.parse(stored.placingsSince) < UNSEEN_MOST_MS;
  return waits ? stored : null;
}

type PlainWrite = Exclude<WriteEffect, { do: 'finalise' }>;

async function write({ stores }: ActivityDeps, raceId: string, effect: PlainWrite, at: Instant): Promise<void> {
  const { races, control, results } = stores;
  switch (effect.do) {
    case 'set_control': {
      const { epoch, tier, advertisedStart, closed } = effect;
      return control.setControl({ raceId, epoch, tier, advertisedStart, closed }, at);
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
    // Of a newer version's workflow: the attempt fails and is tried again until a worker of that version has it.
    default:
      throw new Error(`this version has no effect ${JSON.stringify(effect satisfies never)}`);
  }
}

const stamps = (jumpedAt: Instant | null, leftBoardAt: Instant | null) => ({
  ...(jumpedAt ? { jumpedAt } : {}),
  ...(leftBoardAt ? { leftBoardAt } : {}),
});
