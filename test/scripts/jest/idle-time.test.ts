const { watchIdleTime } = require('../../../scripts/jest/idle-time.mjs') as {
  watchIdleTime(machine?: object): () => string;
};

test('each part of a run has its own seconds and its own idle time', () => {
  const moments = [
    { atMs: 5000, idle: 100, all: 1000 },
    { atMs: 65_000, idle: 10_100, all: 101_000 },
    { atMs: 95_400, idle: 40_100, all: 161_000 },
  ];
  const endPart = watchIdleTime({ now: () => moments[0]!.atMs, timesOf: () => moments.shift() });
  expect([endPart(), endPart()]).toEqual(['60 s with 10 % idle', '30 s with 50 % idle']);
});

test('a machine without a clock of its processors has no share, and no part is left out', () => {
  const endPart = watchIdleTime({ now: () => 0, timesOf: () => ({ idle: 0, all: 0 }) });
  expect(endPart()).toBe('0 s with 0 % idle');
});

test('of this machine, idle time is a part of all of it', () => {
  expect(watchIdleTime()()).toMatch(/^\d+ s with (\d{1,2}|100) % idle$/);
});
