// What the race workflow asks of the results table besides its decisions.
import type { FeedPlacing } from '../domain/feed-race';
import { type ActivityDeps, instantNow } from './deps';
import { type ResultFacts, resultFacts } from './result-facts';
import type { ResultsCollector } from './results-collector';

export async function readResult({ stores }: ActivityDeps, raceId: string): Promise<ResultFacts | null> {
  const held = await stores.results.held(raceId);
  return held && resultFacts(held);
}

export interface Override {
  readonly raceId: string;
  readonly placings: readonly FeedPlacing[];
  readonly note: string | null;
}

/** Their field may have been published before them. */
export async function overrideResult(
  deps: ActivityDeps,
  collector: Pick<ResultsCollector, 'resulted'>,
  { raceId, placings, note }: Override,
): Promise<ResultFacts> {
  const held = await deps.stores.results.override(raceId, placings, note, instantNow(deps));
  await collector.resulted(raceId);
  return resultFacts(held);
}
