// After the jump: asks the books for the outcome until the held result differs from what the workflow knows.
import type { Context } from '@temporalio/activity';
import type { Instant } from '../../domain/race/race';
import type { HeldResult } from '../../store/results/sources';
import type { ActivityDeps } from '../deps';
import type { ResultsCollector } from '../full-field/collector';
import { type ResultFacts, resultFacts } from '../result-facts';
import { callAgainIn } from '../wait';
import { type Abandoned, pollResults } from './poll-results';

interface KnownResult {
  readonly placingsKey: string;
  readonly protest: boolean;
}

export interface ResultWatch {
  readonly raceId: string;
  readonly jumpedAt: Instant;
  readonly known: KnownResult | null;
  /** As of `PolledRace`. */
  readonly reinstated?: boolean;
}

export type AwaitedResult = { readonly kind: 'result'; readonly facts: ResultFacts } | Abandoned;

type Collector = Pick<ResultsCollector, 'applyPublished'>;

export async function awaitResult(
  deps: ActivityDeps,
  collector: Collector,
  watch: ResultWatch,
  context: Context,
): Promise<AwaitedResult> {
  const { raceId, known } = watch;
  // Whoever saw these placings first: their field may have been published before them.
  if (known && context.info.attempt === 1) await collector.applyPublished(raceId);
  const before = await deps.stores.results.held(raceId);
  if (before && differs(before, known)) return { kind: 'result', facts: resultFacts(before) };
  const { abandoned } = await pollResults(deps, raceId, { signal: context.cancellationSignal });
  const stored = await deps.stores.results.held(raceId);
  if (stored && differs(stored, known)) return { kind: 'result', facts: resultFacts(stored) };
  // A result outranks one book's word that the race was abandoned: it ran. So does an operator.
  if (abandoned && !stored && !watch.reinstated) return abandoned;
  const since = stored?.placingsKey ? stored.placingsSince : null;
  const waitedMs = deps.now() - Date.parse(since ?? watch.jumpedAt);
  throw callAgainIn(deps, resultDelayMs(waitedMs, since !== null), 'no change');
}

/** A row without placings is no result yet. */
const differs = (stored: HeldResult, known: KnownResult | null): boolean =>
  stored.placingsKey !== '' && (stored.placingsKey !== known?.placingsKey || stored.protest !== known.protest);

const MINUTE_MS = 60_000;

/**
 * Placings come within minutes of the jump, and are changed within the hour. A race that is still without any after an hour is asked about ever
 * more rarely, and so is one whose placings have stood under a protest for that long. `waitedMs`: since the placings, or else the jump.
 */
export function resultDelayMs(waitedMs: number, haveResult: boolean): number {
  if (waitedMs >= 60 * MINUTE_MS) return 15 * MINUTE_MS;
  if (haveResult) return MINUTE_MS;
  return waitedMs < 15 * MINUTE_MS ? MINUTE_MS / 2 : 2 * MINUTE_MS;
}
