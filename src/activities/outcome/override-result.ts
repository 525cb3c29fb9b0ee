// Reads and overrides a race's stored result for its workflow.
import { ApplicationFailure } from '@temporalio/common';
import type { FeedPlacing } from '../../domain/race/feed-race';
import { isVacantBox } from '../../domain/race/runner';
import { type ActivityDeps, instantNow } from '../deps';
import type { ResultsCollector } from '../full-field/collector';
import { type ResultFacts, resultFacts } from '../result-facts';

export async function readResult({ stores }: ActivityDeps, raceId: string): Promise<ResultFacts | null> {
  const stored = await stores.results.read(raceId);
  return stored && resultFacts(stored);
}

/** Refuses numbers that are not on the card. Without a card there is nothing to check against. */
async function checkNumbers(deps: ActivityDeps, raceId: string, placings: readonly FeedPlacing[]): Promise<void> {
  const runners = (await deps.stores.races.runnersOf(raceId)).filter(({ name }) => !isVacantBox(name));
  const card = new Set(runners.map(({ number }) => number));
  const strangers = placings.map(({ number }) => number).filter((number) => !card.has(number));
  if (card.size === 0 || strangers.length === 0) return;
  throw refused(
    `no runner of this race has the number ${strangers.join(' or ')}; its card has ${[...card].join(', ')}`,
  );
}

/** Refuses a race abandoned since the order was accepted: a retried order would hit the race once it is reinstated. */
async function checkRan({ stores }: ActivityDeps, raceId: string): Promise<void> {
  const stored = await stores.results.read(raceId);
  if (stored?.status === 'abandoned') throw refused(`the race is ${stored.statusNote}: it has no result to override`);
}

const refused = (why: string): ApplicationFailure => ApplicationFailure.nonRetryable(why, 'OrderRefused');

export interface Override {
  readonly raceId: string;
  readonly placings: readonly FeedPlacing[];
  readonly note: string | null;
}

/** Also applies stored documents: the registry may have published the field before these placings. */
export async function overrideResult(
  deps: ActivityDeps,
  collector: Pick<ResultsCollector, 'applyPublished'>,
  { raceId, placings, note }: Override,
): Promise<ResultFacts> {
  await checkRan(deps, raceId);
  await checkNumbers(deps, raceId, placings);
  const stored = await deps.stores.results.override(raceId, placings, note, instantNow(deps));
  await collector.applyPublished(raceId);
  return resultFacts(stored);
}
