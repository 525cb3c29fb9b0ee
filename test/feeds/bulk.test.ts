// Every book that returns several races in one call passes the same tests, with the simulator behind a host that may
// spoil its replies. The registry lists these books.
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Feed, FeedEndpoint } from '../../src/feeds/feed';
import { CONNECTED_BOOKS, createFeeds } from '../../src/feeds/registry';
import { createSimulator, type Simulator } from '../../src/simulator/http/server';
import { PATIENT_MS } from '../support/patient';
import { type Answer, type BookServer, json, startBookServer, status } from './support/book-server';

const DAY = '2026-11-21';
const NOW = Date.parse('2026-11-21T03:10:00Z');
const WHO = { contact: 'ops@example.org', partner: 'example', timeoutMs: PATIENT_MS };

const feedOf = (key: string, endpoint: Partial<FeedEndpoint>): Feed =>
  createFeeds({ [key]: { ...WHO, baseUrl: 'http://127.0.0.1:1', ...endpoint } }, () => NOW).get(key)!;
const BULK_BOOKS = CONNECTED_BOOKS.filter((key) => feedOf(key, {}).bulk !== undefined);

let simulator: Simulator;
let simulated: string;
let host: BookServer;

beforeAll(async () => {
  simulator = createSimulator({ seed: 'a', now: () => NOW });
  simulated = await simulator.listen(0);
  host = await startBookServer();
});
afterAll(async () => {
  await host.close();
  await simulator.close();
});

test('all books with such a call are tested', () => {
  expect(BULK_BOOKS).toEqual(expect.arrayContaining(['pointsbetau', 'sportsbet']));
});

describe.each(BULK_BOOKS)('%s', (key) => {
  let ids: readonly string[];

  const feed = (more: Partial<FeedEndpoint> = {}) => feedOf(key, { baseUrl: host.url, ...more });
  const fetchAll = (wanted: readonly string[], more?: Partial<FeedEndpoint>) => feed(more).bulk!.fetchRaces(wanted);
  const oneByOne = async (wanted: readonly string[]) =>
    new Map(await Promise.all(wanted.map(async (id) => [id, await feed().fetchRace(id)] as const)));

  beforeAll(async () => {
    host.answer(through(key));
    ids = await racesOfOneMeeting(feed());
    expect(ids.length).toBeGreaterThan(3);
  });
  beforeEach(() => host.answer(through(key)));

  test('gives the same snapshots as race by race, with fewer calls', async () => {
    const single = await oneByOne(ids);
    host.answer(through(key));
    expect(await fetchAll(ids)).toEqual(single);
    expect(host.requests.length).toBeLessThan(ids.length);
    for (const reply of single.values()) expect(reply.kind).toBe('ok');
  });

  test('without a requested race no call is made, and only requested races are returned', async () => {
    expect(await fetchAll([])).toEqual(new Map());
    expect(host.requests).toHaveLength(0);
    expect([...(await fetchAll(ids.slice(1, 3))).keys()]).toEqual(ids.slice(1, 3));
  });

  test('a race that the book leaves out is not found, and the others are unaffected', async () => {
    const [left, ...rest] = ids as readonly [string, ...string[]];
    const single = await oneByOne(rest);
    host.answer(through(key, (reply) => without(reply, left)));
    const replies = await fetchAll(ids);
    expect(replies.get(left)).toMatchObject({ kind: 'failed', reason: 'not_found' });
    expect(new Map([...replies].slice(1))).toEqual(single);
  });

  test('an unreadable race has no prices, and the others are unaffected', async () => {
    const [broken, ...rest] = ids as readonly [string, ...string[]];
    const single = await oneByOne(rest);
    host.answer(through(key, (reply) => gutted(reply, broken)));
    const replies = await fetchAll(ids);
    const reply = replies.get(broken)!;
    expect(reply.kind === 'ok' ? reply.value.runners : []).toEqual([]);
    expect(new Map([...replies].slice(1))).toEqual(single);
  });

  test.each([
    ['503', status(503, { 'retry-after': '7' }), { reason: 'http_error', retryAfterMs: 7000 }],
    ['429', status(429, { 'retry-after': '3' }), { reason: 'rate_limited', retryAfterMs: 3000 }],
    ['a wall', json('<html>Hello</html>', { 'content-type': 'text/html' }), { reason: 'blocked' }],
    ['another document', json('{"message":"hello"}'), { reason: 'malformed' }],
  ])('%s fails every race in the call', async (_, answer, failure) => {
    host.answer(answer);
    const replies = await fetchAll(ids);
    expect([...replies.keys()]).toEqual(ids);
    for (const reply of replies.values()) expect(reply).toMatchObject({ kind: 'failed', ...failure });
  });

  test('the gate is entered once per HTTP call, and notified once of its end', async () => {
    for (const [answer, failure] of [
      [through(key), null],
      [status(500), 'http_error'],
    ] as const) {
      const events: unknown[] = [];
      host.answer(answer);
      await fetchAll(ids, { gate: countingGate(events) });
      expect(host.requests.length).toBeGreaterThan(0);
      expect(events).toEqual(host.requests.flatMap(() => ['enter', failure]));
    }
  });

  test('a gate that refuses: nothing is sent, and every race has the reason', async () => {
    const refusal = { kind: 'refused', reason: 'over_budget', retryAfterMs: 400 } as const;
    const gate: FeedEndpoint['gate'] = { enter: async () => refusal };
    const replies = await fetchAll(ids, { gate });
    expect([...replies.keys()]).toEqual(ids);
    for (const reply of replies.values()) expect(reply).toMatchObject({ reason: 'over_budget', retryAfterMs: 400 });
    expect(host.requests).toHaveLength(0);
  });
});

/** Ids of the meeting with the most races, as many as one call may contain, and at most eight. */
async function racesOfOneMeeting(feed: Feed): Promise<readonly string[]> {
  const reply = await feed.listRaces(DAY);
  if (reply.kind !== 'ok') throw new Error(JSON.stringify(reply));
  const meetings = reply.value.map(({ venue, category }) =>
    reply.value.filter((race) => race.venue === venue && race.category === category),
  );
  const races = meetings.reduce((longest, one) => (one.length > longest.length ? one : longest));
  return races.map((race) => race.sourceRaceId).slice(0, Math.min(feed.bulk!.maxRaces, 8));
}

/** The simulated book's reply, with its JSON changed in transit. */
function through(key: string, change: (reply: unknown) => unknown = (reply) => reply): Answer {
  return async (request, response) => {
    const reply = await fetch(`${simulated}/${key}${request.url}`, await forwarded(request));
    const body = await reply.text();
    const isJson = reply.headers.get('content-type')?.startsWith('application/json');
    json(isJson ? change(JSON.parse(body)) : body, {}, reply.status)(request, response);
  };
}

async function forwarded(request: IncomingMessage): Promise<RequestInit> {
  const { method = 'GET', headers } = request;
  const { host: _, connection: __, ...sent } = headers as Record<string, string>;
  return method === 'POST' ? { method, headers: sent, body: await text(request) } : { headers: sent };
}

/** Rows of the reply with the race's id: the book's part of our id, without the connector's prefix. */
const isRow = (value: unknown, id: string): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).some((field) => typeof field !== 'object' && String(field) === id.split(/[/:]/).at(-1));

const without = (reply: unknown, id: string): unknown => walked(reply, (row) => (isRow(row, id) ? [] : [row]));

/** The row with only its plain values. */
const gutted = (reply: unknown, id: string): unknown =>
  walked(reply, (row) =>
    isRow(row, id) ? [Object.fromEntries(Object.entries(row).filter(([, field]) => typeof field !== 'object'))] : [row],
  );

function walked(value: unknown, change: (row: unknown) => unknown[]): unknown {
  if (Array.isArray(value)) return value.flatMap(change).map((row) => walked(row, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, walked(field, change)]));
}

const countingGate = (events: unknown[]): NonNullable<FeedEndpoint['gate']> => ({
  enter: async () => {
    events.push('enter');
    return { kind: 'go', left: ({ failure }) => events.push(failure) };
  },
});
