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

test('a stall cuts it once, and it recovers', () => {
  let stalled = false;
  const work = circle(
    () => 50,
    () => (stalled ? 5000 : 0),
  );
  work.run(20);
  const before = work.limit.inFlight;
  stalled = true;
  work.run(0.5);
  expect(work.limit.inFlight).toBeGreaterThanOrEqual(before / 2);
  stalled = false;
  work.run(5);
  expect(work.limit.inFlight).toBe(before);
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
