// The public coverage report (A 4.14), composed from the counts of its operations: the archive's counts by race and
// book, `results/coverage`, `closing-lines/coverage` and `/v1/health`.
import type { Static } from '@sinclair/typebox';
import { bookmaker } from '../../../domain/bookmakers';
import { addDays, aetDay } from '../../../domain/time/aet';
import type { Reads } from '../../../store/reads/reads';
import type { SharedAnswers } from '../../../store/redis/shared-answers';
import { presentArchiveCoverage } from '../archive/present-coverage';
import { resultsCoverageOf } from '../results/find-coverage';
import type { CoverageReport as Schema } from './coverage-report-schema';
import { presentBooks, presentPrices } from './present-coverage-report';
import { isAway, recomputed, standsFor } from './recomputed';
import { missingOf, unmeasurable } from './unmeasurable';

export type MeasuredCoverage = Static<typeof Schema>;

const DAYS = 7;
const FORM = 'coverage report 3';
const STATES_FORM = 'coverage states 1';
/** Race time. */
const STATES_MS = 15_000;

const REASONS = {
  prices: 'No race of these days is archived yet: a race is archived when it has left the board.',
  bookmakers: 'No bookmaker has been polled yet.',
  results: 'No race of these days has a result yet, or should have one.',
  archive: 'The archive has no prices yet.',
};

/** The report, with the current state of each bookmaker. Throws the 503 of a report without any part. */
export function createCoverageReport(
  reads: Pick<Reads, 'archive' | 'connectorHealth' | 'resultsCoverage'>,
  shared: SharedAnswers,
): (nowMs: number) => Promise<MeasuredCoverage> {
  const counted = createCounted(reads, shared);
  const states = async (nowMs: number) => ({
    bookmakers: presentBooks(await reads.connectorHealth()),
    bookmakers_as_of: new Date(nowMs).toISOString(),
  });
  return async (nowMs) => {
    const report = await counted(nowMs);
    if (report.bookmakers === null) return report;
    try {
      return { ...report, ...(await shared.get(STATES_FORM, STATES_MS, nowMs, () => states(nowMs))).value };
    } catch (error) {
      // These are from the time of the count, which is `bookmakers_as_of`.
      if (isAway(error)) return report;
      throw error;
    }
  };
}

/** The part that is counted once in half an hour. */
function createCounted(
  reads: Pick<Reads, 'archive' | 'connectorHealth' | 'resultsCoverage'>,
  shared: SharedAnswers,
): (nowMs: number) => Promise<MeasuredCoverage> {
  return recomputed(FORM, shared, async (nowMs) => {
    const to = aetDay(nowMs);
    const span = { days: DAYS, from_day: addDays(to, 1 - DAYS), to_day: to };
    const [codes, polled, results, archived] = await Promise.all([
      reads.archive.codeBooks(span.from_day, to),
      reads.connectorHealth(),
      resultsCoverageOf(reads, DAYS, nowMs),
      reads.archive.coverage(),
    ]);
    const { as_of, by_day, venues_incomplete, venues_incomplete_truncated, ...ofResults } = results;
    const { days, ...ofArchive } = presentArchiveCoverage(archived, []);
    const parts = {
      prices: codes.length === 0 ? null : { ...span, ...presentPrices(codes) },
      bookmakers: polled.some(({ connector }) => bookmaker(connector)) ? presentBooks(polled) : null,
      results: results.races + results.without_result === 0 ? null : ofResults,
      archive: archived.archive_from === null ? null : ofArchive,
    };
    const unavailable = missingOf(parts, REASONS);
    if (unavailable.length === Object.keys(parts).length) throw unmeasurable(unavailable);
    const asOf = new Date(nowMs).toISOString();
    return {
      as_of: asOf,
      recomputed_after_s: standsFor({ unavailable }),
      ...parts,
      unavailable,
      bookmakers_as_of: asOf,
    };
  });
}
