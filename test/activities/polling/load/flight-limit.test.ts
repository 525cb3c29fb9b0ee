// The limit of polls in flight, in a closed circle with a database that is a queue, or far away.
import fc from 'fast-check';
import { FlightLimit } from '../../../../src/activities/polling/load/flight-limit';
import { runs } from '../../../support/property';

const EVERY_MS = 500;

/**
 * As many are in flight as the limit allows. `storeMs`: how long a poll takes with so many; samples come every
 * `everyMs`, later if the process stands still.
 */
function circle(storeMs: (inFlight: number, atMs: number) => number, lateMs: (atMs: number) => number = () => 0) {
  const limit = new FlightLimit();
  let atMs = 0;
  let done = 0;
  return {
    limit,
    /** Resolves to the polls done a second. */
    run(seconds: number, look: (inFlight: number) => void = () => undefined): number {
      const before = done;
      const untilMs = atMs + 1000 * seconds;
      while (atMs < untilMs) {
        const ms = storeMs(limit.inFlight, atMs);
        const stored = (limit.inFlight * EVERY_MS) / ms;
        done += stored;
        atMs += EVERY_MS;
        limit.sample({ atMs, lateMs: lateMs(atMs), storeMs: ms, stored }, limit.inFlight, true);
        look(limit.inFlight);
      }
      return (done - before) / seconds;
    },
  };
}

test('at a database that is a queue the limit keeps a poll’s time near half a second, and loses no rate', () => {
  fc.assert(
    fc.property(fc.integer({ min: 70, max: 2000 }), (perSecond) => {
      const queue = circle((inFlight) => Math.max(5, (1000 * inFlight) / perSecond));
      queue.run(60);
      expect(queue.run(60)).toBeGreaterThan(0.9 * perSecond);
      expect(queue.limit.inFlight / perSecond).toBeLessThan(1);
    }),
    { numRuns: runs(200) },
  );
});

test('a process or a database that gets busy never loosens the limit: it does less, with fewer in flight', () => {
  const busy = fc.record({ perSecond: fc.integer({ min: 200, max: 2000 }), times: fc.integer({ min: 3, max: 30 }) });
  fc.assert(
    fc.property(busy, fc.boolean(), ({ perSecond, times }, isLoop) => {
      let share = 1;
      const work = circle(
        (inFlight) => Math.max(5, (1000 * inFlight * share) / perSecond),
        () => (isLoop && share > 1 ? 400 : 0),
      );
      work.run(60);
      const before = work.limit.inFlight;
      share = times;
      work.run(120, (inFlight) => expect(inFlight).toBeLessThanOrEqual(Math.ceil(1.25 * before)));
      // As little as 32 may take longer than that.
      const allowed = Math.max(40, (1.2 * perSecond) / times);
      expect(work.limit.inFlight).toBeLessThanOrEqual(allowed);
    }),
    { numRuns: runs(200) },
  );
});

test('a stall with few in flight halves the limit, and no more', () => {
  const limit = new FlightLimit();
  const sample = (atMs: number, lateMs: number, inFlight: number, isShort: boolean) =>
    limit.sample({ atMs, lateMs, storeMs: 20, stored: 50 }, inFlight, isShort);
  for (let i = 0; i < 20; i++) sample(500 * i, 0, limit.inFlight, true);
  const before = limit.inFlight;
  sample(10_000, 5000, 40, false);
  expect([before, limit.inFlight]).toEqual([2000, 1000]);
});

test('the slower the database of a process, the fewer polls it gets done: no distance is worse than a longer one', () => {
  const rates = [60, 150, 240, 260, 300, 350, 400, 450, 490, 520, 600, 900, 1500].map((distanceMs) => {
    const far = circle(
      () => distanceMs,
      () => 60,
    );
    far.run(90);
    return far.run(60);
  });
  for (const [i, rate] of rates.entries()) expect(rate).toBeGreaterThan(0.9 * (rates[i + 1] ?? 1000));
});

test('a book that hangs until its deadline takes no place from the others for good', () => {
  const hung = fc.record({
    demand: fc.integer({ min: 50, max: 500 }),
    storeMs: fc.integer({ min: 5, max: 450 }),
    lateMs: fc.integer({ min: 0, max: 90 }),
  });
  fc.assert(
    fc.property(hung, ({ demand, storeMs, lateMs }) => {
      const limit = new FlightLimit();
      // One book of 14 holds its place for five seconds; the others are stored after a tenth.
      const placeMs = (5000 + 13 * (100 + storeMs)) / 14;
      const needed = (demand * placeMs) / 1000;
      for (let atMs = 0; atMs < 60_000; atMs += EVERY_MS) {
        const inFlight = Math.min(limit.inFlight, needed);
        const stored = ((13 / 14) * inFlight * EVERY_MS) / placeMs;
        limit.sample({ atMs, lateMs, storeMs, stored }, inFlight, limit.inFlight < needed);
      }
      expect(limit.inFlight).toBeGreaterThanOrEqual(needed);
    }),
    { numRuns: runs(100) },
  );
});

test('a database that moves far away keeps its polls in flight', () => {
  fc.assert(
    fc.property(fc.integer({ min: 600, max: 1900 }), (distanceMs) => {
      let ms = 20;
      const far = circle(() => ms);
      far.run(20);
      const { inFlight } = far.limit;
      ms = distanceMs;
      expect(far.run(120)).toBeGreaterThan((0.75 * inFlight * 1000) / distanceMs);
    }),
    { numRuns: runs(50) },
  );
});
