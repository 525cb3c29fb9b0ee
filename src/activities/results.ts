// What the race workflow asks of the results table besides its decisions.
import type { FeedPlacing } from '../domain/feed-race';
import { type ActivityDeps, instantNow } from './deps';
import { type ResultFacts, resultFacts } from './result-facts';

export async function readResult({ stores }: ActivityDeps, raceId: string): Promise<ResultFacts | null> {
  const held = await stores.results.held(raceId);
  return held && resultFacts(held);
}

export interface Override {
  readonly raceId: string;
  readonly placings: readonly FeedPlacing[];
  readonly note: string | null;
}

export async function overrideResult(deps: ActivityDeps, order: Override): Promise<ResultFacts> {
  const { raceId, placings, note } = order;
  return resultFacts(await deps.stores.results.override(raceId, placings, note, instantNow(deps)));
}
