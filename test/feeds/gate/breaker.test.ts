import type { CallEnd, FeedFailure } from '../../../src/feeds/feed';
import { type Breaker, createBreaker } from '../../../src/feeds/gate/breaker';

const end = (failure: FeedFailure | null, over: Partial<CallEnd> = {}): CallEnd => ({
  failure,
  status: null,
  retryAfterMs: null,
  calledOff: false,
  ...over,
});

beforeEach(() => jest.useFakeTimers({ now: Date.parse('2026-11-21T02:00:00Z') }));
afterEach(() => jest.useRealTimers());

/** The library handles each outcome in microtasks. */
const settled = () => jest.advanceTimersByTimeAsync(0);

async function call(breaker: Breaker, how: CallEnd): Promise<boolean> {
  const left = breaker.enter();
  left?.(how);
  await settled();
  return left !== null;
}

async function broken(failure: CallEnd = end('timeout')): Promise<Breaker> {
  const breaker = createBreaker({ failures: 3, firstPauseMs: 2000, longestPauseMs: 5000 });
  for (let i = 0; i < 3; i++) expect(await call(breaker, failure)).toBe(true);
  return breaker;
}

test.each([
  end('timeout'),
  end('network'),
  end('blocked', { status: 403 }),
  end('http_error', { status: 500 }),
  end('wrong_content_type', { status: 200 }),
  end('malformed', { status: 200 }),
  end('too_large'),
  end('rate_limited', { status: 429 }),
])('opens after consecutive failures of the kind $failure', async (failure) => {
  const breaker = await broken(failure);
  expect(breaker.state).toBe('open');
  expect(breaker.enter()).toBeNull();
  expect(breaker.waitMs()).toBe(2000);
});

test.each([
  end(null),
  end('not_found', { status: 404 }),
  end('http_error', { status: 400 }),
  end('rate_limited', { status: 429, retryAfterMs: 1000 }),
  end('over_budget'),
])('stays closed after $failure $status, and forgets the failures before it', async (answer) => {
  const breaker = createBreaker({ failures: 3 });
  for (let i = 0; i < 6; i++) {
    await call(breaker, end('timeout'));
    await call(breaker, end('timeout'));
    await call(breaker, answer);
  }
  expect(breaker.state).toBe('closed');
});

test('lets exactly one call try after its pause, and closes when that succeeds', async () => {
  const breaker = await broken();
  const openedAt = breaker.sinceMs;
  await jest.advanceTimersByTimeAsync(1999);
  expect(breaker.enter()).toBeNull();
  await jest.advanceTimersByTimeAsync(1);
  const left = breaker.enter();
  expect(left).not.toBeNull();
  expect(breaker.state).toBe('half_open');
  expect(breaker.sinceMs).toBe(openedAt + 2000);
  expect(breaker.enter()).toBeNull();
  left!(end(null));
  await settled();
  expect(breaker.state).toBe('closed');
  expect(breaker.enter()).not.toBeNull();
});

test('a trial that fails, or that we abort, opens it for longer, up to a limit', async () => {
  const breaker = await broken();
  const pauses = [];
  for (const how of [end('timeout'), end('network', { calledOff: true }), end('timeout')]) {
    pauses.push(breaker.waitMs());
    await jest.advanceTimersByTimeAsync(breaker.waitMs());
    expect(await call(breaker, how)).toBe(true);
    expect(breaker.state).toBe('open');
  }
  expect([...pauses, breaker.waitMs()]).toEqual([2000, 4000, 5000, 5000]);
});

test('a system clock that is set back does not prolong the pause', async () => {
  const breaker = await broken();
  jest.setSystemTime(Date.now() - 600_000);
  expect(breaker.waitMs()).toBe(2000);
  await jest.advanceTimersByTimeAsync(1999);
  expect(breaker.enter()).toBeNull();
  await jest.advanceTimersByTimeAsync(1002);
  expect(await call(breaker, end('timeout'))).toBe(true);
  expect(breaker.state).toBe('open');
  await jest.advanceTimersByTimeAsync(5000);
  expect(await call(breaker, end(null))).toBe(true);
  expect(breaker.state).toBe('closed');
});

test('calls that we abort ourselves neither open it nor count as answers', async () => {
  const breaker = createBreaker({ failures: 3 });
  for (let i = 0; i < 9; i++) await call(breaker, end('network', { calledOff: true }));
  expect(breaker.state).toBe('closed');
  await call(breaker, end('timeout'));
  await call(breaker, end('network', { calledOff: true }));
  await call(breaker, end('timeout'));
  await call(breaker, end('timeout'));
  expect(breaker.state).toBe('open');
});
