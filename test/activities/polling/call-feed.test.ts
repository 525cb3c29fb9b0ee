// One call to a book: limited in time, and always a value, whatever the book or the connector does.
import { callFeed } from '../../../src/activities/polling/call-feed';
import type { Feed, FeedCall, FeedGate } from '../../../src/feeds/feed';
import { createHttp } from '../../../src/feeds/transport/http';
import { createLog } from '../../../src/log';
import { type BookServer, startBookServer, status } from '../../feeds/support/book-server';
import { PATIENT_MS } from '../../support/patient';

let host: BookServer;
beforeEach(async () => {
  host = await startBookServer();
});
afterEach(() => {
  jest.useRealTimers();
  return host.close();
});

const deps = (feed: Partial<Feed>) => ({
  feeds: new Map([['tab', feed as Feed]]),
  log: createLog('test', 'silent'),
  now: Date.now,
});
const openHttp = (gate?: FeedGate) =>
  createHttp({
    endpoint: { baseUrl: host.url, contact: 'test', partner: 'test', timeoutMs: PATIENT_MS, ...(gate && { gate }) },
    now: Date.now,
  });

test('ends at the book’s deadline, with all its calls', async () => {
  // Every call is answered within its own timeout and always followed by another. The deadline comes after a few calls.
  host.answer(status(500));
  jest.useFakeTimers({
    doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'setInterval', 'Date', 'performance'],
  });
  const http = openHttp();
  const fetchRace: Feed['fetchRace'] = async (_, call) => {
    for (;;) {
      const reply = await http.get({ path: '/', read: (body) => body, call });
      if (reply.kind === 'failed' && reply.reason === 'timeout') return reply;
    }
  };
  const call = callFeed(deps({ fetchRace }), {
    bookmakerKey: 'tab',
    send: (feed, call) => feed.fetchRace('x', call),
    deadlineMs: 1000,
  });
  while (host.requests.length < 5) await new Promise((resolve) => setImmediate(resolve));
  jest.advanceTimersByTime(1000);
  expect(await call).toMatchObject({ kind: 'failed', reason: 'timeout' });
});

test('a connector that throws is a failure of that connector', async () => {
  const fetchRace = () => Promise.reject(new TypeError('undefined is not a price'));
  const reply = await callFeed(deps({ fetchRace }), {
    bookmakerKey: 'tab',
    send: (feed, call) => feed.fetchRace('x', call),
  });
  expect(reply).toMatchObject({ kind: 'failed', reason: 'malformed' });
});

test.each([true, false])('without budget nothing is sent; a patient call (%s) waits for it', async (patient) => {
  host.answer(status(404));
  let refusals = 2;
  const gate: FeedGate = {
    enter: async () =>
      refusals-- > 0
        ? { kind: 'refused', reason: 'over_budget', retryAfterMs: 30 }
        : { kind: 'go', left: () => undefined },
  };
  const http = openHttp(gate);
  const fetchRace: Feed['fetchRace'] = async (_, call) =>
    (await http.get({ path: '/', read: () => null, call })) as Awaited<ReturnType<Feed['fetchRace']>>;
  const reply = await callFeed(deps({ fetchRace }), {
    bookmakerKey: 'tab',
    send: (feed, call) => feed.fetchRace('x', call),
    patient,
  });
  expect(reply).toMatchObject(
    patient
      ? { kind: 'failed', reason: 'not_found' }
      : { kind: 'failed', reason: 'over_budget', retryAfterMs: 30, detail: 'nothing was sent' },
  );
  expect(host.requests).toHaveLength(patient ? 1 : 0);
});

test('a call that waited for budget has its full deadline; one that would wait longer than that is not sent again', async () => {
  // Deadlines run on the test's clock, waits on the real one.
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance', 'Date'] });
  let sent = 0;
  const fetchRace: Feed['fetchRace'] = async (_, { signal } = {}) => {
    const failed = { kind: 'failed', observedAt: '2026-11-21T03:00:00.000Z' } as const;
    jest.advanceTimersByTime(40_000);
    if (++sent < 3) return { ...failed, reason: 'over_budget', detail: 'nothing was sent', retryAfterMs: 1 };
    jest.advanceTimersByTime(19_999);
    const inTime = !signal!.aborted;
    jest.advanceTimersByTime(1);
    const detail = `in time: ${inTime}, after it: ${!signal!.aborted}`;
    return { ...failed, reason: 'timeout', detail, retryAfterMs: null };
  };
  const query = (deadlineMs: number) => ({
    bookmakerKey: 'tab',
    deadlineMs,
    patient: true,
    send: (feed: Feed, call: FeedCall) => feed.fetchRace('x', call),
  });
  const reply = await callFeed(deps({ fetchRace }), query(60_000));
  expect(reply).toMatchObject({ reason: 'timeout', detail: 'in time: true, after it: false' });
  sent = 0;
  expect(await callFeed(deps({ fetchRace }), query(1))).toMatchObject({ reason: 'over_budget' });
  expect(sent).toBe(1);
});
