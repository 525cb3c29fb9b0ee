// A page counts staleness by itself: the instant to which it counts is the one at which the API says `stale`.
import fc from 'fast-check';
import { quoteFreshness } from '../../../src/api/wire/present-freshness';
import { BOOKMAKERS } from '../../../src/domain/bookmakers';
import { tierAt } from '../../../src/domain/time/cadence';
import { staleFromMs } from '../../../src/domain/time/stale-from';
import { ageSeconds, isStale } from '../../../src/domain/time/staleness';
import { runs } from '../../support/property';

const START = Date.parse('2026-11-21T03:00:00Z');
const DAY_MS = 86_400_000;
const instants = fc.record({
  polledMs: fc.integer({ min: START - DAY_MS, max: START + 3_600_000 }),
  // Thresholds are exact to the millisecond.
  laterMs: fc.oneof(
    fc.integer({ min: -300_000, max: DAY_MS }),
    fc.constantFrom(120_999, 121_000, 1_800_999, 1_801_000, -120_000, -120_001, -121_000),
  ),
});

test('a quote is stale from that instant on and not before, at every book and distance', () => {
  fc.assert(
    fc.property(instants, fc.constantFrom(...BOOKMAKERS), ({ polledMs, laterMs }, book) => {
      const nowMs = polledMs + laterMs;
      const { stale } = quoteFreshness({ bookmaker: book.key, polledAtMs: polledMs }, START, nowMs);
      expect(nowMs >= staleFromMs(polledMs, START, nowMs, book)).toBe(stale);
    }),
    { numRuns: runs(5000) },
  );
});

test('without a book it follows the race’s tier, even if that changes while the quote stands', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1_900_000, max: 10_000 }),
      fc.integer({ min: 0, max: 2_000_000 }),
      (before, later) => {
        const polledMs = START - 10_800_000 + before;
        const nowMs = polledMs + later;
        const tier = tierAt(Math.floor((START - nowMs) / 1000));
        expect(nowMs >= staleFromMs(polledMs, START, nowMs)).toBe(isStale(ageSeconds(polledMs, nowMs), tier));
      },
    ),
    { numRuns: runs(5000) },
  );
});
