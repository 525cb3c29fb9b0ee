// Every connector is asked the same questions against a real HTTP server. What is peculiar to one book is in that book's own file.
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Feed, FeedReply } from '../../src/feeds/feed';
import { CONNECTED_BOOKS, createFeeds } from '../../src/feeds/registry';
import { type BookServer, json, startBookServer, status, withETag } from './support/book-server';
import { BOOKS, STARTS } from './support/books';

const NOW = Date.parse('2026-11-21T03:59:31.500Z');
const FIELD = [
  { number: 1, name: 'Alpha', win: 4.2 },
  { number: 2, name: "Bravo's Best", win: 11 },
];

test('every connected book is asked, and a book without a connector is refused at start-up', () => {
  expect(BOOKS.map((book) => book.key)).toEqual(CONNECTED_BOOKS);
  const endpoint = { baseUrl: 'http://127.0.0.1:1', contact: 'a@example.org', partner: 'p', timeoutMs: 200 };
  expect(() => createFeeds({ dabble_au: endpoint }, () => NOW)).toThrow('dabble_au');
});

describe.each(BOOKS)('$key', (book) => {
  let server: BookServer;
  let feed: Feed;
  let now = NOW;

  beforeAll(async () => {
    server = await startBookServer();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    now = NOW;
    const endpoint = { baseUrl: `${server.url}/`, contact: 'ops@example.org', partner: 'example', timeoutMs: 2000 };
    feed = createFeeds({ [book.key]: endpoint }, () => now).get(book.key)!;
  });

  const race = (call?: Parameters<Feed['fetchRace']>[1]) => feed.fetchRace(book.sourceRaceId, call);
  const value = <T>(reply: FeedReply<T>): T => {
    if (reply.kind !== 'ok') throw new Error(JSON.stringify(reply));
    return reply.value;
  };
  const dropped = (reply: FeedReply<unknown>) => (reply.kind === 'ok' ? reply.dropped : null);

  test('asks the documented paths and says who it is', async () => {
    server.answer(json(book.list()));
    await feed.listRaces('2026-11-21');
    expect(server.asked.map((request) => request.url)).toEqual([book.listPath]);
    server.answer(json(book.race(FIELD)));
    await race();
    expect(server.asked.map((request) => request.url)).toEqual([book.racePath]);
    expect(server.asked[0]!.headers['user-agent']).toContain('ops@example.org');
  });

  test('lists races with everything identity needs', async () => {
    server.answer(json(book.list()));
    const races = value(await feed.listRaces('2026-11-21'));
    expect(races).toMatchObject(
      STARTS.map((startTime, i) => ({
        category: 'horse',
        country: 'AU',
        meetingDate: '2026-11-21',
        raceNumber: i + 1,
        startTime,
      })),
    );
    expect(races[0]!.sourceRaceId).toBe(book.sourceRaceId);
    expect(races.map((listed) => listed.venue.toLowerCase())).toEqual(['flemington', 'flemington']);
  });

  test('an unreadable race drops that race and is counted, never the list', async () => {
    server.answer(json(book.list([null, 'text', {}])));
    const reply = await feed.listRaces('2026-11-21');
    expect(value(reply)).toHaveLength(2);
    expect(Object.values(dropped(reply)!).reduce((a, b) => a + b, 0)).toBe(3);
    expect(dropped(reply)).toMatchObject({ race_unreadable: 2 });
  });

  test('reads the runners, the market and the start, with both times', async () => {
    server.answer(json(book.race(FIELD)));
    const reply = await race();
    expect(reply).toMatchObject({
      kind: 'ok',
      observedAt: new Date(NOW).toISOString(),
      bookAt: book.stamped ? '2026-11-21T03:59:30.123Z' : null,
      dropped: {},
    });
    expect(value(reply)).toMatchObject({
      sourceRaceId: book.sourceRaceId,
      startTime: STARTS[0],
      marketStatus: 'OPEN',
      inPlay: null,
      result: null,
      runners: FIELD.map((runner) => ({ ...runner, scratching: null, top2: null, top3: null, top4: null })),
    });
  });

  test('a scratched runner is never priced, whatever it still shows', async () => {
    server.answer(json(book.race([{ ...FIELD[0]!, scratched: true }, FIELD[1]!])));
    const [out, stays] = value(await race()).runners;
    expect(out).toMatchObject({ number: 1, win: null, place: null, toteWin: null });
    expect(out!.scratching).not.toBeNull();
    expect(stays).toMatchObject({ number: 2, win: 11, scratching: null });
  });

  test('0 and a missing price are no price and no fault', async () => {
    server.answer(
      json(
        book.race([
          { number: 1, name: 'Zero', win: 0 },
          { number: 2, name: 'Missing' },
        ]),
      ),
    );
    const reply = await race();
    expect(value(reply).runners.map((runner) => runner.win)).toEqual([null, null]);
    expect(dropped(reply)).toEqual({});
  });

  test.each([
    [1, 'win_not_above_1'],
    [0.5, 'win_not_above_1'],
    [-3, 'win_not_above_1'],
    ['SCR', 'win_not_a_number'],
  ])('a price of %p is dropped with its reason, the runner stays', async (win, reason) => {
    server.answer(json(book.race([{ number: 1, name: 'Odd', win }, FIELD[1]!])));
    const reply = await race();
    expect(value(reply).runners.map((runner) => runner.win)).toEqual([null, 11]);
    expect(dropped(reply)).toEqual({ [reason]: 1 });
  });

  test('a price that comes as a string is a price', async () => {
    server.answer(json(book.race([{ number: 1, name: 'Text', win: '4.60' }])));
    expect(value(await race()).runners[0]!.win).toBe(4.6);
  });

  test.each([
    [{ number: 0, name: 'No Number', win: 3 }, 'runner_number_unreadable'],
    [{ number: 2, name: '  ', win: 3 }, 'runner_name_missing'],
    [{ number: 1, name: 'Twice', win: 3 }, 'runner_number_repeated'],
  ])('a bad runner %p drops that runner, never the race', async (bad, reason) => {
    server.answer(json(book.race([FIELD[0]!, bad])));
    const reply = await race();
    expect(value(reply).runners.map((runner) => runner.name)).toEqual(['Alpha']);
    expect(dropped(reply)).toEqual({ [reason]: 1 });
  });

  test('fields it does not know change nothing', async () => {
    server.answer(json(book.race(FIELD)));
    const plain = value(await race());
    server.answer(json(decorate(book.race(FIELD))));
    expect(value(await race())).toEqual(plain);
  });

  test.each([
    [
      'a page with 200',
      json('<html>unavailable from your location</html>', { 'content-type': 'text/html' }),
      'blocked',
    ],
    ['text with 200', json('ok', { 'content-type': 'text/plain' }), 'wrong_content_type'],
    ['truncated JSON', json('{"runners":[{"number":1'), 'malformed'],
    ['an empty body with 200', json(''), 'malformed'],
    ['JSON of another shape', json('{"message":"hello"}'), 'malformed'],
    ['damaged gzip', json(gzipSync('{}').subarray(0, 12), { 'content-encoding': 'gzip' }), 'malformed'],
    ['403', status(403), 'blocked'],
    ['404', status(404), 'not_found'],
    ['a redirect', status(302, { location: 'https://example.org/' }), 'http_error'],
    ['500', status(500), 'http_error'],
    ['a 304 that was not asked for', status(304), 'http_error'],
  ])('%s is a failure, told by its reason', async (_, answer, reason) => {
    server.answer(answer);
    expect(await race()).toMatchObject({ kind: 'failed', reason, observedAt: new Date(NOW).toISOString() });
    expect(await feed.listRaces('2026-11-21')).toMatchObject({ kind: 'failed', reason });
  });

  test.each([
    ['seconds', '120', 120_000],
    ['an HTTP date', 'Sat, 21 Nov 2026 04:00:01 GMT', 29_500],
    ['a date gone by', 'Sat, 21 Nov 2026 03:00:00 GMT', 0],
    ['nonsense', 'soon', null],
  ])('429 with Retry-After as %s', async (_, retryAfter, retryAfterMs) => {
    server.answer(status(429, { 'retry-after': retryAfter }));
    expect(await race()).toMatchObject({ kind: 'failed', reason: 'rate_limited', retryAfterMs });
  });

  test('503 keeps its Retry-After, 429 needs none', async () => {
    server.answer(status(503, { 'retry-after': '7' }));
    expect(await race()).toMatchObject({ reason: 'http_error', retryAfterMs: 7000 });
    server.answer(status(429));
    expect(await race()).toMatchObject({ reason: 'rate_limited', retryAfterMs: null });
  });

  describe('a book that hangs', () => {
    beforeEach(() => {
      const endpoint = { baseUrl: server.url, contact: 'c', partner: 'p', timeoutMs: 200 };
      feed = createFeeds({ [book.key]: endpoint }, () => now).get(book.key)!;
    });

    test('before its reply, or half way through it, is a timeout', async () => {
      server.answer(() => undefined);
      expect(await race()).toMatchObject({ kind: 'failed', reason: 'timeout' });
      server.answer((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"half":');
      });
      expect(await race()).toMatchObject({ kind: 'failed', reason: 'timeout' });
    });

    test('a broken connection is a network failure', async () => {
      server.answer((request) => void request.socket.destroy());
      expect(await race()).toMatchObject({ kind: 'failed', reason: 'network' });
    });

    test('the caller may call it off', async () => {
      server.answer(() => undefined);
      expect(await race({ signal: AbortSignal.abort() })).toMatchObject({ kind: 'failed', reason: 'network' });
    });
  });

  test('an unchanged race costs a 304, and a caller that holds nothing gets the whole', async () => {
    server.answer(withETag('"v1"', book.race(FIELD)));
    expect((await race()).kind).toBe('ok');
    now += 20_000;
    expect(await race()).toEqual({ kind: 'unchanged', observedAt: new Date(now).toISOString() });
    expect((await race({ whole: true })).kind).toBe('ok');
    now += 61_000;
    expect((await race()).kind).toBe('ok');
  });

  test('a reply that could not be read is never "unchanged"', async () => {
    server.answer(withETag('"v1"', { message: 'hello' }));
    expect((await race()).kind).toBe('failed');
    expect(await race()).toMatchObject({ kind: 'failed', reason: 'malformed' });
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('reads %s, and a body too large in it is refused', async (encoding, compress) => {
    server.answer(json(compress(Buffer.from(JSON.stringify(book.race(FIELD)))), { 'content-encoding': encoding }));
    expect(value(await race()).runners).toHaveLength(2);
    server.answer(json(compress(Buffer.alloc(9_000_000, 32)), { 'content-encoding': encoding }));
    expect(await race()).toMatchObject({ kind: 'failed', reason: 'too_large' });
  });

  test('a body too large is not read to its end', async () => {
    server.answer(json(Buffer.alloc(9_000_000, 32)));
    expect(await race()).toMatchObject({ kind: 'failed', reason: 'too_large' });
    server.answer(json(book.race(FIELD)));
    expect((await race()).kind).toBe('ok');
  });
});

/** The same value with a field nobody documents in every object. */
function decorate(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decorate);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, field]) => [key, decorate(field)]);
  return { ...Object.fromEntries(entries), brandNewField: { deep: [1, null] } };
}
