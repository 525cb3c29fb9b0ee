// The scan (A 4.6): analyses every race inside the capture window as the single-race endpoint does. Equal queries share
// one analysis and its two SQL statements for 15 seconds, across API processes.
import { CAPTURE_MS } from '../../../domain/market/intelligence/captured';
import type { BoardRace } from '../../../store/reads/races/board';
import type { Reads } from '../../../store/reads/reads';
import type { SharedAnswers } from '../../../store/redis/shared-answers';
import { windowOf } from '../../kernel/endpoint/board-window';
import type { Audience } from '../../kernel/endpoint/visibility';
import type { Analyses } from './analysis';
import { presentScan, type Scan, type ScanFilters } from './present-intelligence-scan';

const CACHED_MS = 15_000;
/** The single-race endpoint's default (D9): the scan's own `min_books` counts books with history. */
const MIN_BOOKS = 2;
/** More races than the board ever has within the hour. */
const EVERY_RACE = 2000;

export interface IntelligenceScanner {
  /** `cached`: computed for an earlier request. */
  scan(filters: ScanFilters, audience: Audience, nowMs: number): Promise<{ scan: Scan; cached: boolean }>;
}

export interface ScannerDeps {
  readonly reads: Pick<Reads, 'board'>;
  readonly intelligence: Analyses;
  readonly sharedAnswers: SharedAnswers;
}

export function createIntelligenceScanner(deps: ScannerDeps): IntelligenceScanner {
  return {
    async scan(filters, audience, nowMs) {
      const query = normalised(filters);
      const key = `scan ${audience.name} ${JSON.stringify(query)}`;
      const { value, fresh } = await deps.sharedAnswers.get(key, CACHED_MS, nowMs, () =>
        scanned(deps, query, audience, nowMs),
      );
      return { scan: value, cached: !fresh };
    },
  };
}

/** Sorts and deduplicates the lists, so that equal filters give one key. */
function normalised(filters: ScanFilters): ScanFilters {
  const sorted = <T extends string>(list: readonly T[] | null) => list && [...new Set(list)].sort();
  const { signals, countries, categories } = filters;
  return { ...filters, signals: sorted(signals), countries: sorted(countries), categories: sorted(categories) };
}

async function scanned(deps: ScannerDeps, filters: ScanFilters, audience: Audience, nowMs: number): Promise<Scan> {
  const races = await racesOf(deps, filters, audience, nowMs);
  const analyses = await deps.intelligence.ofRaces(races, MIN_BOOKS, nowMs);
  const analysed = races.map((race, i) => ({ race, runners: analyses[i]!.runners }));
  return presentScan(analysed, filters, nowMs);
}

/** The races inside the window that have not jumped (D24). */
function racesOf(
  { reads }: ScannerDeps,
  { countries, categories }: ScanFilters,
  audience: Audience,
  nowMs: number,
): Promise<readonly BoardRace[]> {
  return reads.board({
    ...windowOf(CAPTURE_MS / 3_600_000, nowMs + 1),
    at: new Date(nowMs).toISOString(),
    countries: countries ?? undefined,
    categories: categories ?? undefined,
    includeUnresolved: countries === null,
    bookmakers: audience.compared,
    limit: EVERY_RACE,
  });
}
