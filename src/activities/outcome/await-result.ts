// After the jump: polls the books until the stored result differs from the workflow's.
import type { Context } from '@temporalio/activity';
import type { Instant } from '../../domain/race/race';
import type { StoredResult } from '../../store/results/sources';
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
  /** As in `PolledRace`. */
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
  // The registry may have published the field before these placings were stored.
  if (known && context.info.attempt === 1) await collector.applyPublished(raceId);
  const before = await deps.stores.results.read(raceId);
  if (before && differs(before, known)) return { kind: 'result', facts: resultFacts(before) };
  const { abandoned } = await pollResults(deps, raceId, {
    signal: context.cancellationSignal,
    stored: before,
  });
  // Another attempt may have written meanwhile, and an abandonment must not outrank its result.
  const stored = await deps.stores.results.read(raceId);
  if (stored && differs(stored, known)) return { kind: 'result', facts: resultFacts(stored) };
  // A result outranks one book's report of an abandonment: the race ran. So does an operator's reinstatement.
  if (abandoned && !stored && !watch.reinstated) return abandoned;
  const since = stored?.placingsKey ? stored.placingsSince : null;
  const waitedMs = deps.now() - Date.parse(since ?? watch.jumpedAt);
  const soFar = known ? 'the result stands' : 'no result yet';
  throw callAgainIn(deps, resultDelayMs(waitedMs, since !== null), soFar);
}

/** A row without placings does not count as a result yet. */
const differs = (stored: StoredResult, known: KnownResult | null): boolean =>
  stored.placingsKey !== '' && (stored.placingsKey !== known?.placingsKey || stored.protest !== known.protest);

const MINUTE_MS = 60_000;

/**
 * Placings appear within minutes of the jump and change within the hour. A race without placings after an hour is
 * polled less often, and so is one whose placings have stood under a protest for that long. `waitedMs`: since the
 * placings, or else since the jump.
 */
export function resultDelayMs(waitedMs: number, haveResult: boolean): number {
  if (waitedMs >= 60 * MINUTE_MS) return 15 * MINUTE_MS;
  if (haveResult) return MINUTE_MS;
  return waitedMs < 15 * MINUTE_MS ? MINUTE_MS / 2 : 2 * MINUTE_MS;
}
