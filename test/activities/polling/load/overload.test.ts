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

test('however many are near their jump, far races get a tenth of the turns, each before any gets a second', () => {
  const life = live({ races: 8 * FITS, seconds: 30, short: 'loop', perSecond: PER_SECOND, overMinutes: 10 });
  const late = life.starts.filter(({ atMs }) => atMs > NOON + 10_000);
  const far = late.filter(({ isNear }) => !isNear);
  expect(far.length).toBeGreaterThanOrEqual(Math.floor(late.length / 10));
  expect(new Set(far.map(({ pair }) => pair)).size).toBe(far.length);
  expect(nearLagMs(life.starts)).toBeLessThanOrEqual(NEAR_LAG_MS);
});

const REST_MS = 60_000;

const crowds = fc.record({
  perSecond: fc.integer({ min: 20, max: 60 }),
  overMinutes: fc.integer({ min: 10, max: 40 }),
  short: fc.constantFrom('loop' as const, 'database' as const),
});

test('at eight times what fits the lag near the jump is short by each poll’s own interval, and no race starves', () => {
  fc.assert(
    fc.property(crowds, ({ perSecond, ...of }) => {
      const races = Math.ceil((8 * FITS * perSecond) / PER_SECOND);
      const { starts, pairs } = live({ ...of, perSecond, races, seconds: SECONDS, restMs: REST_MS });
      const near = starts.filter(({ isNear, atMs }) => isNear && atMs > NOON + 16_000);
      const ownLagMs = near.map(({ atMs, firstDueMs, ownIntervalMs }) => (atMs - firstDueMs) % ownIntervalMs);
      expect(Math.max(...ownLagMs)).toBeLessThanOrEqual(5000);
      for (const { atMs, dueAtMs, firstDueMs, ownIntervalMs } of near)
        expect(atMs - dueAtMs).toBe((atMs - firstDueMs) % ownIntervalMs);
      const rested = near.filter(({ ownIntervalMs }) => ownIntervalMs === REST_MS);
      expect(rested.length).toBeGreaterThan(0);
      // The few that go first leave the others' turns to them.
      expect(rested.length).toBeLessThan(0.08 * near.length);
      const far = starts.filter(({ isNear, atMs }) => !isNear && atMs > NOON + 16_000);
      expect(far.length).toBeGreaterThanOrEqual(Math.floor((near.length + far.length) / 10) - 1);
      const farthest = pairs.filter(({ startMs }, i) => i % 14 > 0 && startMs > NOON + 240_000);
      const done = farthest.map((pair) => pair.done);
      expect(Math.max(...done) - Math.min(...done)).toBeLessThanOrEqual(2);
    }),
    { numRuns: runs(3) },
  );
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

test('with stalls, a slow database and failing books: of ten turns at most one is a far race’s while a near one is in time, and each due time is counted once', () => {
  fc.assert(
    fc.property(lives, (of) => {
      const life = live(of);
      const lastOf = new Map<number, Start>();
      for (const [i, start] of life.starts.entries()) {
        const { pair, atMs, ownIntervalMs: intervalMs, thinned, nearWaiting } = start;
        if (nearWaiting > 0)
          expect(life.starts.slice(i - 9, i).map(({ isNear }) => isNear)).toEqual(Array(9).fill(true));
        const last = lastOf.get(pair);
        lastOf.set(pair, start);
        if (last?.ownIntervalMs !== intervalMs) continue;
        // A poll and each thinned one have an interval of their own, but for its jitter, and no other passes.
        const intervals = (atMs - last.atMs) / intervalMs;
        expect(intervals).toBeGreaterThanOrEqual(0.89 + thinned);
        // After a failure the book rests.
        if (of.failing === 0 && life.timeouts === 0) expect(intervals).toBeLessThanOrEqual(2.11 + thinned);
      }
      expect(life.mostWaiting).toBeLessThanOrEqual(14 * of.races);
    }),
    { numRuns: runs(200) },
  );
});
