// What a poll tells the race's workflow: small facts, never a price.
import { bookmaker } from '../../domain/bookmakers';
import type { Instant, MarketStatus } from '../../domain/race/race';
import { type ResultFacts, resultFacts } from '../result-facts';
import type { BookAnswer } from './poll-book';
import type { PolledRace, Refusal } from './poller';

export type Sighting =
  | { readonly kind: 'market-closed'; readonly at: Instant }
  | { readonly kind: 'market-reopened'; readonly at: Instant }
  | { readonly kind: 'result'; readonly facts: ResultFacts; readonly at: Instant }
  | { readonly kind: 'abandoned'; readonly note: string; readonly source: string; readonly at: Instant };

/** How a poller's activity ends. */
export type PollOutcome = Sighting | Refusal;

/** Rank of belief: an abandonment ends everything; the market's close is the jump, a result only evidence of one (D24). */
const RANK: Record<Sighting['kind'], number> = { abandoned: 0, 'market-closed': 1, result: 2, 'market-reopened': 3 };

/** `marketShut`: what the workflow knows already of the book that closes at the jump; only a change is news. */
export function sightingOf(
  bookmakerKey: string,
  answer: BookAnswer,
  { marketShut, reinstated = false }: Pick<PolledRace, 'marketShut' | 'reinstated'>,
): Sighting | null {
  if (answer.kind === 'failed' || answer.outcome.fenced) return null;
  const { result, held, observedAt: at } = answer;
  if (result?.stage === 'abandoned') {
    if (reinstated) return null;
    return { kind: 'abandoned', note: result.note ?? 'abandoned', source: bookmakerKey, at };
  }
  const market = bookmaker(bookmakerKey)?.marketStateSource
    ? marketSighting(answer.marketStatus, marketShut, at)
    : null;
  return market ?? (held && held.placingsKey !== '' ? { kind: 'result', facts: resultFacts(held), at } : null);
}

function marketSighting(status: MarketStatus | null, known: boolean, at: Instant): Sighting | null {
  if (status === null || (status === 'CLOSED') === known) return null;
  return { kind: known ? 'market-reopened' : 'market-closed', at };
}

export function strongest(sightings: readonly (Sighting | null)[]): Sighting | null {
  const seen = sightings.filter((sighting) => sighting !== null);
  return seen.sort((a, b) => RANK[a.kind] - RANK[b.kind])[0] ?? null;
}
