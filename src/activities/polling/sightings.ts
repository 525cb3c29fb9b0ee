// Sightings: the facts of a poll that the race's workflow needs. Never a price.
import { bookmaker } from '../../domain/bookmakers';
import type { Instant, MarketStatus } from '../../domain/race/race';
import { type ResultFacts, resultFacts } from '../result-facts';
import type { BookReport } from './poll-book';
import type { ControlEnd, PolledRace } from './poller';

export type Sighting =
  | { readonly kind: 'market-closed'; readonly at: Instant }
  | { readonly kind: 'market-reopened'; readonly at: Instant }
  | { readonly kind: 'result'; readonly facts: ResultFacts; readonly at: Instant }
  | { readonly kind: 'abandoned'; readonly note: string; readonly source: string; readonly at: Instant };

/** How a poller's activity ends. */
export type PollerEnd = Sighting | ControlEnd;

/**
 * Precedence, lowest first: an abandonment ends everything; the market's close is the jump, a result only evidence of
 * one (D24).
 */
const RANK: Record<Sighting['kind'], number> = { abandoned: 0, 'market-closed': 1, result: 2, 'market-reopened': 3 };

/** `marketShut`: the state of the market that the workflow has. Only a change is a sighting. */
export function sightingOf(
  bookmakerKey: string,
  report: BookReport,
  { marketShut, reinstated = false }: Pick<PolledRace, 'marketShut' | 'reinstated'>,
): Sighting | null {
  if (report.kind === 'failed' || report.verdict.fenced) return null;
  const { result, storedResult, observedAt: at } = report;
  if (result?.stage === 'abandoned') {
    if (reinstated) return null;
    return { kind: 'abandoned', note: result.note ?? 'abandoned', source: bookmakerKey, at };
  }
  const market = bookmaker(bookmakerKey)?.marketStateSource
    ? marketSighting(report.marketStatus, marketShut, at)
    : null;
  return (
    market ??
    (storedResult && storedResult.placingsKey !== '' ? { kind: 'result', facts: resultFacts(storedResult), at } : null)
  );
}

function marketSighting(status: MarketStatus | null, wasShut: boolean, at: Instant): Sighting | null {
  if (status === null || (status === 'CLOSED') === wasShut) return null;
  return { kind: wasShut ? 'market-reopened' : 'market-closed', at };
}

export function strongest(sightings: readonly (Sighting | null)[]): Sighting | null {
  const present = sightings.filter((sighting) => sighting !== null);
  return present.sort((a, b) => RANK[a.kind] - RANK[b.kind])[0] ?? null;
}
