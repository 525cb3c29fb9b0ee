// How Topaz is called and what its refusals mean.
import { createTopaz } from '../../../src/feeds/topaz/fetch';
import { PATIENT_MS } from '../../support/patient';
import { type BookServer, json, startBookServer, status } from '../support/book-server';
import { KEY, meetingRow, race, ran, results } from './replies';

const nowMs = Date.parse('2026-11-21T20:00:00.000Z');
const observedAt = new Date(nowMs).toISOString();
let server: BookServer;
const waits: number[] = [];
const topaz = (settings: Record<string, string> = { api_key: 'mine' }) =>
  createTopaz({
    endpoint: { baseUrl: `${server.url}/api`, contact: 'ops@x.example', partner: 'x', timeoutMs: PATIENT_MS, settings },
    now: () => nowMs,
    wait: async (ms) => void waits.push(ms),
  });

beforeAll(async () => {
  server = await startBookServer();
});
afterAll(() => server.close());
beforeEach(() => void waits.splice(0));

test('Australia’s authorities; New Zealand is not called', () => {
  const { source, category, regions } = topaz();
  expect([source, category]).toEqual(['topaz', 'greyhound']);
  expect([...regions].sort()).toEqual(['ACT', 'NSW', 'NT', 'QLD', 'SA', 'TAS', 'VIC', 'WA']);
});

test('one call lists an authority’s days, by the key in its header', async () => {
  server.answer(json([meetingRow()]));
  expect(await topaz().listings('VIC', '2026-11-20', '2026-11-21')).toEqual({
    kind: 'ok',
    value: [{ key: KEY, day: '2026-11-21', region: 'VIC', venue: 'Meadows (MEP)' }],
    observedAt,
    bookAt: null,
    dropped: {},
  });
  expect(server.requests.map(({ url }) => url)).toEqual([
    '/api/meeting?from=2026-11-20&to=2026-11-21&owningauthoritycode=VIC',
  ]);
  expect(server.requests[0]!.headers['x-api-key']).toBe('mine');
});

test('one call has a meeting with every field', async () => {
  server.answer(json(results([race([ran(1, 1), ran(2, 2)])])));
  const reply = await topaz().meeting(KEY);
  expect(server.requests.map(({ url }) => url)).toEqual([`/api/meeting/${KEY}/results`]);
  expect(reply).toMatchObject({
    kind: 'ok',
    value: { key: KEY, races: [{ stage: 'final' }] },
    observedAt,
    dropped: {},
  });
});

test('calls of any kind are made one after another with a pause between them', async () => {
  server.answer(json([]));
  const registry = topaz();
  await Promise.all([
    registry.listings('VIC', '2026-11-20', '2026-11-21'),
    registry.meeting(KEY),
    registry.listings('NSW', '2026-11-20', '2026-11-21'),
  ]);
  expect(waits).toEqual([1000, 1000]);
  expect(server.requests.map(({ url }) => url!.split('?')[0])).toEqual([
    '/api/meeting',
    `/api/meeting/${KEY}/results`,
    '/api/meeting',
  ]);
});

test('without a key nothing is sent, and the failure names the missing variable', async () => {
  server.answer(json([]));
  const registry = topaz({});
  const refused = { kind: 'failed', reason: 'blocked', retryAfterMs: null, observedAt };
  for (const reply of [await registry.listings('VIC', '2026-11-20', '2026-11-21'), await registry.meeting(KEY)]) {
    expect(reply).toEqual({ ...refused, detail: expect.stringContaining('FEED_TOPAZ_API_KEY') });
  }
  expect(server.requests).toEqual([]);
});

test('a refused key blocks, with a reason', async () => {
  server.answer(json({ message: 'Unauthorized' }, {}, 401));
  const detail = expect.stringMatching(/401.*FEED_TOPAZ_API_KEY/);
  expect(await topaz().meeting(KEY)).toMatchObject({ kind: 'failed', reason: 'blocked', detail });
});

test('after too many calls it waits the stated pause, else a minute', async () => {
  server.answer(status(429));
  expect(await topaz().meeting(KEY)).toMatchObject({ reason: 'rate_limited', retryAfterMs: 60_000 });
  server.answer(status(429, { 'retry-after': '7' }));
  expect(await topaz().meeting(KEY)).toMatchObject({ reason: 'rate_limited', retryAfterMs: 7000 });
});

test('days without a meeting are a 404: no meetings, and counted; a meeting that is a 404 is not found', async () => {
  server.answer(json({ message: 'Not found' }, {}, 404));
  const listed = await topaz().listings('NT', '2026-11-20', '2026-11-21');
  expect(listed).toMatchObject({ kind: 'ok', value: [], dropped: { no_meetings_404: 1 } });
  expect(await topaz().meeting(KEY)).toMatchObject({ kind: 'failed', reason: 'not_found' });
});

test.each([
  ['an error sent with 200', json({ error: true, message: 'Invalid' }), 'malformed'],
  ['half a reply', json('[{"meetingId": 9'), 'malformed'],
  ['a page', json('<html><title>Just a moment...</title></html>', { 'content-type': 'text/html' }), 'blocked'],
  ['a server’s error', status(500), 'http_error'],
])('%s is a failure, never an empty answer', async (_, how, reason) => {
  server.answer(how);
  expect(await topaz().listings('VIC', '2026-11-20', '2026-11-21')).toMatchObject({ kind: 'failed', reason });
  expect(await topaz().meeting(KEY)).toMatchObject({ kind: 'failed', reason });
});

test('a failed call does not delay the next', async () => {
  const registry = topaz();
  server.answer(status(500));
  await registry.meeting(KEY);
  server.answer(json(results([])));
  expect(await registry.meeting(KEY)).toMatchObject({ kind: 'ok' });
});
