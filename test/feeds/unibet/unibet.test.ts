// The peculiarities of Unibet: a persisted query whose hash flaps, a 200 that is an error, dogs with numbers and horses
// without.
import { loadConfig } from '../../../src/config';
import type { FeedEndpoint, FeedReply } from '../../../src/feeds/feed';
import { createUnibetFeed } from '../../../src/feeds/unibet/fetch';
import { mapEvent, mapMeetings } from '../../../src/feeds/unibet/map';
import type { UnibetCompetitor, UnibetEventReply } from '../../../src/feeds/unibet/payload';
import { PATIENT_MS } from '../../support/patient';
import { type Answer, type BookServer, json, startBookServer, status } from '../support/book-server';
import { EVENT_HASH, NO_MEETINGS, unibet, unibetCompetitor, unibetList, unibetRace } from '../support/books/unibet';

const NOW = Date.parse('2026-11-21T03:59:31.500Z');
const RACE = unibet.sourceRaceId;
const UNKNOWN = { errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] };
const GOOD = unibetRace([{ number: 1, name: 'A', win: 3 }]);

let host: BookServer;
beforeAll(async () => {
  host = await startBookServer();
});
afterAll(() => host.close());

const feed = (more: Partial<FeedEndpoint> = {}) =>
  createUnibetFeed({ baseUrl: host.url, contact: 'c', partner: 'p', timeoutMs: PATIENT_MS, ...more }, () => NOW);
const detail = <T>(reply: FeedReply<T>) => (reply.kind === 'failed' ? reply.detail : reply.kind);

/** One body after another; the last one also for all later calls. */
function inTurn(...bodies: readonly unknown[]): Answer {
  let turn = 0;
  return (request, response) => json(bodies[Math.min(turn++, bodies.length - 1)])(request, response);
}

describe('the persisted query', () => {
  test.each([
    ['in the code', UNKNOWN],
    ['in the message', { errors: [{ message: 'PERSISTED_QUERY_NOT_FOUND' }] }],
  ])('a query not found, reported %s, is sent again at once', async (_, unknown) => {
    host.answer(inTurn(unknown, GOOD));
    expect(await feed().fetchRace(RACE)).toMatchObject({ kind: 'ok', value: { runners: [{ win: 3 }] } });
    expect(host.requests).toHaveLength(2);
    expect(host.requests[1]!.url).toBe(host.requests[0]!.url);
  });

  test('a query not found twice is a failure that names it, and is not sent a third time', async () => {
    host.answer(json(UNKNOWN));
    const reply = await feed().fetchRace(RACE);
    expect(reply).toMatchObject({ kind: 'failed', reason: 'http_error' });
    expect(detail(reply)).toMatch(
      /^PERSISTED_QUERY_NOT_FOUND twice: the hash of EventQuery may have changed \(fd256aba/,
    );
    expect(host.requests).toHaveLength(2);
  });

  test('each call passes the gate, and a refused second call gives the reason', async () => {
    const calls: unknown[] = [];
    const gate: FeedEndpoint['gate'] = {
      enter: async () => {
        calls.push('enter');
        if (calls.length > 1) return { kind: 'refused', reason: 'over_budget', retryAfterMs: 200 };
        return { kind: 'go', left: () => undefined };
      },
    };
    host.answer(json(UNKNOWN));
    expect(await feed({ gate }).fetchRace(RACE)).toMatchObject({ kind: 'failed', reason: 'over_budget' });
    expect(host.requests).toHaveLength(1);
  });

  test('a hash from configuration replaces the documented one', async () => {
    const newer = 'a'.repeat(64);
    host.answer(json(GOOD));
    const { settings } = loadConfig({ FEED_UNIBET_EVENT_HASH: newer }).feeds.unibet!;
    await feed({ settings }).fetchRace(RACE);
    expect(host.requests[0]!.url).toContain(newer);
    expect(host.requests[0]!.url).not.toContain(EVENT_HASH);
    host.answer(json(NO_MEETINGS));
    await feed({ settings }).listRaces('2026-11-21');
    for (const { url } of host.requests) expect(url).not.toContain(newer);
  });

  test('carries the header without which a GET is refused', async () => {
    host.answer((request, response) =>
      (request.headers['content-type'] === 'application/json' ? json(GOOD) : status(400))(request, response),
    );
    expect((await feed().fetchRace(RACE)).kind).toBe('ok');
  });
});

test.each([
  [{ errors: [{ message: 'Internal' }] }, 'HTTP 200 with errors: Internal'],
  [{ ...GOOD, errors: [{ extensions: { code: 'TIMEOUT' }, message: 'slow' }] }, 'HTTP 200 with errors: TIMEOUT'],
  [{ data: null, errors: [null] }, 'HTTP 200 with errors: no message'],
])('a 200 with errors is a failure, whatever data is beside them: %#', async (body, sentence) => {
  host.answer(json(body, { etag: '"v1"' }));
  const reply = await feed().fetchRace(RACE);
  expect(reply).toMatchObject({ kind: 'failed', reason: 'http_error' });
  expect(detail(reply)).toBe(sentence);
  expect(host.requests).toHaveLength(1);
});

test('an empty list of errors is no error', async () => {
  host.answer(json({ ...GOOD, errors: [] }));
  expect((await feed().fetchRace(RACE)).kind).toBe('ok');
});

test('one country that fails fails the list', async () => {
  host.answer((request, response) =>
    (request.url!.includes('NZL') ? status(503) : json(unibetList()))(request, response),
  );
  expect(await feed().listRaces('2026-11-21')).toMatchObject({ kind: 'failed', reason: 'http_error' });
});

test('countries are the requested ones, as text and one per call; drops are counted over both', async () => {
  host.answer(json(unibetList([null])));
  const reply = await feed().listRaces('2026-11-21');
  expect(reply).toMatchObject({ kind: 'ok', dropped: { race_unreadable: 2 } });
  expect(reply.kind === 'ok' && reply.value.map((race) => race.country)).toEqual(['AU', 'AU', 'NZ', 'NZ']);
  const variables = host.requests.map(({ url }) => JSON.parse(new URL(url!, host.url).searchParams.get('variables')!));
  expect(variables.map(({ countryCodes }) => countryCodes).sort()).toEqual(['AUS', 'NZL']);
});

test('the races of the Sydney day are listed from the two requested UTC days', () => {
  const meeting = (name: string, ...starts: readonly string[]) => ({
    name,
    raceType: 'H',
    events: starts.map((eventDateTimeUtc, i) => ({ eventKey: `${name}.${i}`, sequence: i + 1, eventDateTimeUtc })),
  });
  const meetingsByDateRange = [
    meeting('Yesterday', '2026-11-20T12:30:00Z', '2026-11-20T13:30:00Z'),
    meeting('Dawn', '2026-11-20T13:30:00Z'),
    meeting('Late', '2026-11-21T12:30:00Z', '2026-11-21T13:30:00'),
    meeting('Tomorrow', '2026-11-21T13:30:00Z'),
  ];
  const { value, dropped } = mapMeetings({ meetingsByDateRange }, 'AUS', '2026-11-21')!;
  expect(value.map((race) => [race.venue, race.raceNumber, race.meetingDate])).toEqual([
    ['Dawn', 1, '2026-11-21'],
    ['Late', 1, '2026-11-21'],
    ['Late', 2, '2026-11-21'],
  ]);
  expect(dropped).toEqual({});
});

const event = (reply: UnibetEventReply, category: 'horse' | 'harness' | 'greyhound' = 'greyhound') =>
  mapEvent(reply.data!.viewer, 'x', category)!;
const competitor = (more: Partial<UnibetCompetitor>, category?: 'horse' | 'greyhound') => {
  const competitors = [{ ...unibetCompetitor({ number: 4, name: 'A', win: 3 }), ...more }];
  const mapped = event({ data: { viewer: { event: { status: 'Open', competitors } } } }, category);
  return { ...mapped.value.runners[0]!, dropped: mapped.dropped };
};

test('a dog’s sequence is its rug and its start position its box; a horse’s are only inferred, so it has neither', () => {
  const reply = unibetRace([{ number: 4, name: 'A', win: 3 }]);
  expect(event(reply).value.runners).toMatchObject([{ number: 4, barrier: 5, name: 'A', win: 3 }]);
  expect(event(reply, 'horse').value.runners).toMatchObject([{ number: null, barrier: null, name: 'A', win: 3 }]);
  expect(event(reply, 'harness').value.runners).toMatchObject([{ number: null, barrier: null, name: 'A', win: 3 }]);
  expect(competitor({ startPos: 0 }).barrier).toBeNull();
});

test('a dog without a rug or with another’s is dropped; two horses with one name are left for the join to refuse', () => {
  const dogs = unibetRace([
    { number: 1, name: 'A', win: 3 },
    { number: 1, name: 'B', win: 3 },
    { number: 0, name: 'C', win: 3 },
  ]);
  expect(event(dogs)).toMatchObject({
    value: { runners: [{ name: 'A' }] },
    dropped: { runner_number_repeated: 1, runner_number_unreadable: 1 },
  });
  expect(event(dogs, 'horse').value.runners).toHaveLength(3);
});

test('an empty box is not a starter, whatever its status and price', () => {
  expect(competitor({ name: 'Vacant Box' })).toMatchObject({ number: 4, win: null, dropped: {} });
  expect(competitor({ name: 'Vacant Box' }).scratching).not.toBeNull();
});

test('an undocumented status is neither a scratching nor an offer', () => {
  expect(competitor({ status: 'Withdrawn?' })).toMatchObject({
    win: null,
    scratching: null,
    dropped: { runner_status_unknown: 1 },
  });
});

test('the competitor’s own price never counts; only FixedWin does', () => {
  const prices = [
    { betType: 'FixedPlace?', price: 1.4 },
    { betType: 'FixedWin', price: 4.6, flucs: [{ productType: 'Current', price: 9 }] },
  ];
  expect(competitor({ price: 7 as unknown as null, prices })).toMatchObject({ win: 4.6, place: null });
  expect(competitor({ price: 7 as unknown as null, prices: [] })).toMatchObject({ win: null, dropped: {} });
});

test.each([
  ['Open', 'OPEN', {}],
  [null, null, {}],
  ['Resulted', null, { status_unknown: 1 }],
])('status %p: the market is %p, and no status is guessed', (status, marketStatus, dropped) => {
  const mapped = event({ data: { viewer: { event: { status, competitors: [] } } } });
  expect(mapped.value).toMatchObject({ marketStatus, startTime: null, result: null });
  expect(mapped.dropped).toEqual(dropped);
});

test('a race that the book does not have is malformed, and an id that is not ours is not found', async () => {
  host.answer(json({ data: { viewer: { event: null } } }));
  expect(await feed().fetchRace(RACE)).toMatchObject({ kind: 'failed', reason: 'malformed' });
  host.answer(json(GOOD));
  expect(await feed().fetchRace('202611210400.T.AUS.flemington.1')).toMatchObject({ reason: 'not_found' });
  expect(host.requests).toHaveLength(0);
});
