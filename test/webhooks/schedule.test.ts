// What follows an attempt: the ten attempts with their waits, what lengthens a wait, and what ends a delivery at once.
import { afterAttempt, MOST_ATTEMPTS, waitAfter } from '../../src/webhooks/schedule';
import type { AttemptResult } from '../../src/webhooks/send';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const NOW = Date.parse('2026-11-21T03:00:00.000Z');
const at = (ms: number) => new Date(NOW + ms).toISOString();
const FAILED: AttemptResult = {
  delivered: false,
  statusCode: 500,
  error: 'no',
  durationMs: 3,
  retryAfterMs: null,
  gone: false,
  slow: false,
};
const FIRST = {
  kind: 'race.result',
  test: false,
  replay: false,
  attempt: 1,
  cutOff: 0,
  goneBefore: false,
  createdMs: NOW,
};
const next = (over: Partial<typeof FIRST> = {}, result: Partial<AttemptResult> = {}) =>
  afterAttempt({ ...FIRST, ...over }, { ...FAILED, ...result }, NOW, 0.5);

test('waits follow the schedule with a fifth of jitter; Retry-After only lengthens them, up to a day', () => {
  const seconds = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
  expect(MOST_ATTEMPTS).toBe(10);
  seconds.forEach((each, i) => {
    expect(waitAfter(i + 1, null, 0)).toBeCloseTo(each * 800, 6);
    expect(waitAfter(i + 1, null, 0.999)).toBeLessThanOrEqual(Math.min(each * 1200, 24 * HOUR));
    expect(waitAfter(i + 1, 1, 0.5)).toBe(each * 1000);
  });
  expect(waitAfter(1, HOUR, 0.5)).toBe(HOUR);
  expect(waitAfter(9, 48 * HOUR, 0.5)).toBe(24 * HOUR);
});

test('a delivery is retried up to its tenth attempt, and a test never', () => {
  expect(next()).toEqual({ status: 'retrying', dueAt: at(5000), slowUntil: null });
  expect(next({ attempt: 9 })).toEqual({ status: 'retrying', dueAt: at(24 * HOUR), slowUntil: null });
  expect(next({ attempt: 10 }).status).toBe('failed');
  expect(next({ attempt: 3, cutOff: 2 }).dueAt).toBe(at(5000));
  expect(next({ attempt: 10, cutOff: 2 }).status).toBe('failed');
  expect(next({ test: true }).status).toBe('failed');
  expect(next({}, { delivered: true, statusCode: 204 })).toEqual({ status: 'delivered', dueAt: null, slowUntil: null });
});

test('a first 410 is retried after a minute, at any attempt; a second one ends the delivery', () => {
  const gone = { gone: true, statusCode: 410 };
  for (const attempt of [1, 2, 5, 9])
    expect(next({ attempt }, gone)).toEqual({ status: 'retrying', dueAt: at(MINUTE), slowUntil: null });
  expect(next({}, { ...gone, retryAfterMs: HOUR }).dueAt).toBe(at(HOUR));
  expect(next({}, { ...gone, retryAfterMs: 1 }).dueAt).toBe(at(MINUTE));
  expect(next({ goneBefore: true }, gone).status).toBe('failed');
  expect(next({ goneBefore: true }).status).toBe('retrying');
  expect(next({ attempt: 10 }, gone).status).toBe('failed');
  expect(next({ test: true }, gone).status).toBe('failed');
  expect(next({ kind: 'odds.change' }, gone).status).toBe('cancelled');
});

test('an endpoint that requests fewer posts is slow for its Retry-After, or ten seconds', () => {
  expect(next({}, { slow: true }).slowUntil).toBe(at(10_000));
  expect(next({}, { slow: true, retryAfterMs: MINUTE })).toEqual({
    status: 'retrying',
    dueAt: at(MINUTE),
    slowUntil: at(MINUTE),
  });
});

test('a price move is posted again while it is younger than a minute, and then cancelled', () => {
  const move = { kind: 'odds.change' };
  expect(next(move)).toEqual({ status: 'pending', dueAt: at(5000), slowUntil: null });
  expect(next({ ...move, attempt: 3, createdMs: NOW - 54_000 }).status).toBe('pending');
  expect(next({ ...move, createdMs: NOW - 56_000 })).toEqual({ status: 'cancelled', dueAt: null, slowUntil: null });
  expect(next(move, { slow: true, retryAfterMs: 2 * MINUTE }).status).toBe('cancelled');
  expect(next({ ...move, replay: true }).status).toBe('failed');
});
