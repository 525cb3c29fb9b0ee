// A poll worker with more races than it can poll, with faults: what must never happen, and how much it still does.
import fc from 'fast-check';
import { runs } from '../../../support/property';
import { type Lived, live, NOON, ORDER_HOLDS_MS, STEP_MS, type Start } from './one-process';

const SECONDS = 40;
const PER_SECOND = 40;
/** So many races of 14 books need all of it: an hour's card, hardly any near the jump. */
const FITS = 51;
/** A poll near the jump starts within four seconds of its due time, or is thinned; the order holds for a while. */
const NEAR_LAG_MS = 4000 + ORDER_HOLDS_MS + STEP_MS;

/** Once every book was polled or has fallen due again: at first all are overdue. */
const nearLagMs = (starts: readonly Start[]): number =>
  Math.max(
    0,
    ...starts.filter(({ isNear, atMs }) => isNear && atMs > NOON + 16_000).map(({ atMs, dueAtMs }) => atMs - dueAtMs),
  );

describe.each(['loop', 'database'] as const)('more races than the %s can do', (short) => {
  const of = (load: number, more: Partial<Lived> = {}) =>
    live({ races: load * FITS, seconds: SECONDS, short, perSecond: PER_SECOND, ...more });

  test.each([2, 8])('%d times as many: as much is done, nothing is lost, and far races are thinned evenly', (load) => {
    const life = of(load);
    expect(life.stored / SECONDS).toBeGreaterThan(0.9 * PER_SECOND);
    expect(life.timeouts).toBe(0);
    expect(nearLagMs(life.starts)).toBeLessThanOrEqual(NEAR_LAG_MS);
    const far = life.pairs.filter(({ startMs }) => startMs > NOON + 300_000).map(({ done }) => done);
    expect(Math.max(...far) - Math.min(...far)).toBeLessThanOrEqual(2);
  });

  test('more races near their jump than it can do: each is polled in its turn, in time or not at all', () => {
    const life = of(4, { overMinutes: 8 });
    expect(life.stored / SECONDS).toBeGreaterThan(0.9 * PER_SECOND);
    expect(nearLagMs(life.starts)).toBeLessThanOrEqual(NEAR_LAG_MS);
    const near = life.pairs.filter(({ startMs }) => startMs > NOON + 62_000).slice(0, 14 * FITS * 0.5);
    expect(Math.min(...near.map(({ done }) => done))).toBeGreaterThan(0);
  });
});

test('without its limit the same load is lost to deadlines', () => {
  const of = { races: 3 * FITS, seconds: 30, short: 'loop', perSecond: PER_SECOND } as const;
  const limited = live(of);
  const unlimited = live({ ...of, isUnlimited: true });
  expect([limited.timeouts, unlimited.timeouts > 100]).toEqual([0, true]);
});

test('a database that is slow for each poll, however few there are, is not a reason to poll less', () => {
  const far = { races: 150, seconds: 60, short: 'database', perSecond: 1000, distanceMs: 1000 } as const;
  expect(live(far).stored / far.seconds).toBeGreaterThan(0.75 * ((150 * 14) / 20));
});

const span = (mostMs: number) =>
  fc.record({ atMs: fc.integer({ min: 0, max: 30_000 }), forMs: fc.integer({ min: 500, max: mostMs }) });

const lives: fc.Arbitrary<Lived> = fc.record({
  races: fc.integer({ min: 2, max: 40 }),
  seconds: fc.constant(40),
  short: fc.constantFrom('loop' as const, 'database' as const),
  perSecond: fc.integer({ min: 5, max: 80 }),
  distanceMs: fc.constantFrom(0, 0, 200, 1000),
  stalls: fc.array(span(12_000), { maxLength: 2 }),
  slow: fc.option(
    fc.tuple(span(20_000), fc.integer({ min: 2, max: 20 })).map(([at, times]) => ({ ...at, times })),
    { nil: undefined },
  ),
  failing: fc.constantFrom(0, 0.1, 0.9),
  overMinutes: fc.constantFrom(3, 8, 60),
});

test('with stalls, a slow database and failing books: no far poll goes before a timely near one, none starts more than its interval late, retries add none', () => {
  fc.assert(
    fc.property(lives, (of) => {
      const life = live(of);
      const lastOf = new Map<number, number>();
      for (const { pair, atMs, dueAtMs, firstDueMs, intervalMs, thinned, nearWaiting } of life.starts) {
        expect(nearWaiting).toBe(0);
        expect(atMs).toBeGreaterThanOrEqual(dueAtMs);
        expect(atMs - dueAtMs).toBeLessThan(intervalMs);
        // Each due time is a poll or a thinned one, and never both.
        expect(dueAtMs).toBe(firstDueMs + thinned * intervalMs);
        expect(atMs - (lastOf.get(pair) ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(0.9 * 8000 - STEP_MS);
        lastOf.set(pair, atMs);
      }
      expect(life.mostWaiting).toBeLessThanOrEqual(14 * of.races);
      expect(life.mostInFlight).toBeLessThanOrEqual(Math.min(2000, 14 * of.races));
    }),
    { numRuns: runs(200) },
  );
});
