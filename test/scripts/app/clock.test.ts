import fc from 'fast-check';

interface Clock {
  anchorMs: number;
  speed: number;
  stoppedAtMs?: number;
}
const { resumeClock, worldTime, clockEnvironment } = require('../../../scripts/app/clock.mjs') as {
  resumeClock(previous: Clock | null, speed: number, nowMs: number): Clock;
  worldTime(clock: Clock, nowMs: number): number;
  clockEnvironment(clock: Clock, env: Record<string, string>): Record<string, string>;
};

const now = Date.parse('2026-11-21T02:00:00Z');
const hour = 3_600_000;

test('the first start begins at the real time', () => {
  expect(worldTime(resumeClock(null, 60, now), now)).toBeCloseTo(now, -3);
});

test('a world ahead of real time does not advance while it is stopped', () => {
  const first = { ...resumeClock(null, 60, now), stoppedAtMs: now + hour };
  const resumed = resumeClock(first, 60, now + 2 * hour);
  expect(worldTime(resumed, now + 2 * hour)).toBeCloseTo(now + 60 * hour, -3);
});

test('a world that real time has overtaken continues at real time', () => {
  const first = { ...resumeClock(null, 60, now), stoppedAtMs: now + hour };
  const later = now + 200 * hour;
  expect(worldTime(resumeClock(first, 60, later), later)).toBeCloseTo(later, -3);
});

test('a change of speed never moves the world back', () => {
  const speeds = fc.integer({ min: 2, max: 3600 });
  const hours = fc.integer({ min: 0, max: 100 });
  fc.assert(
    fc.property(speeds, speeds, hours, hours, (before, after, ran, stood) => {
      const stoppedAtMs = now + ran * hour;
      const first = { ...resumeClock(null, before, now), stoppedAtMs };
      const again = stoppedAtMs + stood * hour;
      const tolerance = before + after;
      expect(worldTime(resumeClock(first, after, again), again)).toBeGreaterThanOrEqual(
        worldTime(first, stoppedAtMs) - tolerance,
      );
    }),
  );
});

test('the processes share one anchor, unless the clock is the real one or the environment gives another', () => {
  const clock = { anchorMs: now, speed: 60 };
  expect(clockEnvironment(clock, {})).toEqual({ CLOCK_SPEED: '60', CLOCK_ANCHOR: '2026-11-21T02:00:00.000Z' });
  expect(clockEnvironment(clock, { CLOCK_ANCHOR: '2026-01-01' })).toEqual({ CLOCK_SPEED: '60' });
  expect(clockEnvironment({ anchorMs: now, speed: 1 }, {})).toEqual({ CLOCK_SPEED: '1' });
});
