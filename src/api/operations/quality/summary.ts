// The state of the data in one view, from /v1/health, the board and the audits. Used by the operation and the public
// page.
import { AUDITED_SPORTS } from '../../../domain/quality/audit';
import { STALE_AFTER_SECONDS as SPORT_STALE_SECONDS } from '../../../domain/sports/match';
import { ageSeconds, staleAfterSeconds } from '../../../domain/time/staleness';
import type { AuditRow } from '../../../store/reads/quality/audits';
import type { Reads } from '../../../store/reads/reads';
import { type Audience, connectorVisible } from '../../kernel/endpoint/visibility';
import { quoteFreshness } from '../../wire/present-freshness';
import { presentConnector, withSilent } from '../connectors/present-health';
import { type BookMarkets, type DegradedDetails, degradedOf } from './degraded';
import { failedBefore, presentAudit } from './present-audit';
import type { QualitySummary } from './summary-schema';

export type QualityReads = Pick<
  Reads,
  'board' | 'connectorHealth' | 'listedCounts' | 'newestAudits' | 'sportMarketCounts'
>;

const HOUR_MS = 3_600_000;
/** Every race of the board. */
const MOST_RACES = 1000;
const WARN_FROM = 0.75;

export interface Quality {
  readonly summary: QualitySummary;
  readonly details: DegradedDetails;
  /** The newest of each sport. */
  readonly audits: readonly AuditRow[];
}

export async function readQuality(
  reads: QualityReads,
  audience: Audience,
  nowMs: number,
  clockSpeed: number,
): Promise<Quality> {
  const at = new Date(nowMs).toISOString();
  const [health, listed, { markets, books }, sports, audits] = await Promise.all([
    reads.connectorHealth(),
    reads.listedCounts(audience.bookmakers, at),
    marketQuality(reads, audience, nowMs),
    reads.sportMarketCounts(audience.bookmakers, at, SPORT_STALE_SECONDS),
    reads.newestAudits(AUDITED_SPORTS, failedBefore(nowMs, clockSpeed)),
  ]);
  const connectors = withSilent(health)
    .filter(({ connector }) => connectorVisible(audience, connector))
    .map(presentConnector);
  const { because, details } = degradedOf({ connectors, markets, books, sports, audits }, nowMs, clockSpeed);
  const summary: QualitySummary = {
    as_of: new Date(nowMs).toISOString(),
    status: because.length === 0 ? 'ok' : 'degraded',
    degraded_because: [...because],
    canonical_events: listed.events,
    source_mappings: listed.mappings,
    recent_market_quality: markets,
    sport_market_quality: sports,
    connectors: connectors.map(({ connector, last_ok, records_written, message }) => ({
      connector,
      last_ok,
      age_seconds: last_ok === null ? null : ageSeconds(Date.parse(last_ok), nowMs),
      records_written,
      message,
    })),
    latest_audit: latestOf(audits),
  };
  return { summary, details, audits };
}

async function marketQuality({ board }: QualityReads, { bookmakers }: Audience, nowMs: number) {
  const at = (ms: number): string => new Date(ms).toISOString();
  const races = await board({
    at: at(nowMs),
    from: at(nowMs - HOUR_MS),
    until: at(nowMs + 24 * HOUR_MS),
    includeUnresolved: true,
    bookmakers,
    limit: MOST_RACES,
  });
  const counts = { ok: 0, warn: 0, stale: 0 };
  const ofBook = new Map<string, { stale: number; markets: number }>();
  for (const { books, startMs } of races)
    for (const book of books) {
      if (book.win.every((price) => price === null)) continue;
      const { age_seconds, refresh_tier, stale } = quoteFreshness(book, startMs, nowMs);
      const old = age_seconds > WARN_FROM * staleAfterSeconds(refresh_tier);
      counts[stale ? 'stale' : old ? 'warn' : 'ok'] += 1;
      const own = ofBook.get(book.bookmaker) ?? { stale: 0, markets: 0 };
      ofBook.set(book.bookmaker, { stale: own.stale + Number(stale), markets: own.markets + 1 });
    }
  const books = [...ofBook].map(([bookmaker, own]): BookMarkets => ({ bookmaker, ...own }));
  return { markets: counts, books };
}

function latestOf(audits: readonly AuditRow[]): QualitySummary['latest_audit'] {
  const ended = audits.filter(({ finished_at }) => finished_at !== null).map(presentAudit);
  const [latest] = ended.sort((a, b) => (a.finished_at! > b.finished_at! ? -1 : 1));
  if (!latest) return null;
  const { id, sport_key, status, api_rows, source_rows, exact_matches, diff_rows, max_delta, finished_at } = latest;
  return { id, sport_key, status, api_rows, source_rows, exact_matches, diff_rows, max_delta, finished_at };
}
