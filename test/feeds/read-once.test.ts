// A book that sends the same bytes again is not read again. What must never happen: a reply read as another than its
// own bytes, a race's prices at another race, an old time on a new reply, a refusal or a broken body taken for the last
// reply.
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { createHttp } from '../../src/feeds/transport/http';
import { createLastReads } from '../../src/feeds/transport/last-reads';
import { PATIENT_MS } from '../support/patient';
import type { Answers, PlainRunner } from './support/book';
import { type Answer, json, serve, startBookServer, status } from './support/book-server';
import { bookUnderTest, FIELD, feedOf, NOW } from './support/book-under-test';
import { BOOKS } from './support/books';

const FIELDS: readonly (readonly PlainRunner[])[] = [
  FIELD,
  FIELD.map((runner) => ({ ...runner, win: runner.win + 0.5 })),
  FIELD.map((runner, i) => ({ ...runner, win: FIELD[1 - i]!.win })),
];

const packed = (answers: Answers): Answer =>
  serve(answers, { body: ({ body }) => gzipSync(body), headers: { 'content-encoding': 'gzip' } });
/** The bytes that would be the last reply's, but for what stands before them. */
const refused = (answers: Answers): Answer => serve((...call) => ({ ...answers(...call), status: 503 }));
const cut = (answers: Answers): Answer => serve(answers, { body: ({ body }) => body.slice(0, -2) });
const mislabelled = (answers: Answers): Answer => serve(answers, { headers: { 'content-encoding': 'gzip' } });
const WAYS = [serve, serve, packed, refused, cut, mislabelled];

describe.each(BOOKS)('$key', (book) => {
  const subject = bookUnderTest(book);

  test('property: replies in any order are each read as by a connector that has seen none before', async () => {
    const reply = fc.record({ field: fc.nat(FIELDS.length - 1), way: fc.nat(WAYS.length - 1) });
    await fc.assert(
      fc.asyncProperty(fc.array(reply, { minLength: 2, maxLength: 8 }), async (replies) => {
        const timeoutMs = PATIENT_MS;
        const feed = feedOf(book, subject.server, { timeoutMs, now: () => subject.now });
        for (const { field, way } of replies) {
          subject.now += 5000;
          subject.server.answer(WAYS[way]!(book.race(FIELDS[field]!)));
          const fresh = feedOf(book, subject.server, { timeoutMs, now: () => subject.now });
          const seen = await feed.fetchRace(book.sourceRaceId, { whole: true });
          expect(seen).toEqual(await fresh.fetchRace(book.sourceRaceId, { whole: true }));
          expect(seen.observedAt).toBe(new Date(subject.now).toISOString());
        }
      }),
      { numRuns: 6 },
    );
  });
});

describe('a reader', () => {
  let server: Awaited<ReturnType<typeof startBookServer>>;
  beforeAll(async () => {
    server = await startBookServer();
  });
  afterAll(() => server.close());

  const reader = () => {
    const endpoint = { baseUrl: server.url, contact: 'c', partner: 'p', timeoutMs: PATIENT_MS };
    const http = createHttp({ endpoint, now: () => NOW });
    const read = jest.fn((body: unknown) => (body === 0 ? null : { body }));
    return { http, read };
  };

  test('reads equal bytes once, and gives the very object again', async () => {
    const { http, read } = reader();
    const get = () => http.get({ path: '/race', read, readOnce: 'a' });
    server.answer(json({ win: 2 }));
    const first = await get();
    expect((await get()) as { read?: unknown }).toMatchObject({ kind: 'ok', read: (first as { read: object }).read });
    expect(read).toHaveBeenCalledTimes(1);
    server.answer(json({ win: 3 }));
    expect(await get()).toMatchObject({ read: { body: { win: 3 } } });
    server.answer(json({ win: 2 }));
    expect(await get()).toMatchObject({ read: { body: { win: 2 } } });
    expect(read).toHaveBeenCalledTimes(3);
  });

  test.each<[string, Answer, object, object]>([
    ['another race is at the same URL', json({ win: 2 }), { readOnce: 'a' }, { readOnce: 'b' }],
    ['nothing says on what its reader depends', json({ win: 2 }), {}, {}],
    ['the book sends an ETag', json({ win: 2 }, { etag: '"1"' }), { readOnce: 'a' }, { readOnce: 'a' }],
    ['it was posted', json({ win: 2 }), { readOnce: 'a', post: 1 }, { readOnce: 'a', post: 2 }],
    ['the caller wants its text', json({ win: 2 }), { readOnce: 'a' }, { readOnce: 'a', call: { onBody: () => {} } }],
    ['it could not be read', json(0), { readOnce: 'a' }, { readOnce: 'a' }],
  ])('reads equal bytes again if %s', async (_, answer, first, second) => {
    const { http, read } = reader();
    server.answer(answer);
    await http.get({ path: '/race', read, ...first });
    await http.get({ path: '/race', read, ...second });
    expect(read).toHaveBeenCalledTimes(2);
  });

  test('a failure between two equal replies is a failure', async () => {
    const { http, read } = reader();
    const get = () => http.get({ path: '/race', read, readOnce: 'a' });
    server.answer(json({ win: 2 }));
    await get();
    server.answer(status(429));
    expect(await get()).toMatchObject({ kind: 'failed', reason: 'rate_limited' });
    server.answer(json({ win: 2 }, { 'content-type': 'text/html' }));
    expect(await get()).toMatchObject({ kind: 'failed', reason: 'blocked' });
  });
});

test('the values are bounded by the bytes of their replies, and the least recently used goes first', () => {
  const reads = createLastReads(10);
  const reply = { raw: Buffer.from('xy'), encoding: null, readOnce: 'a' };
  for (const url of ['/a', '/b']) reads.keep(url, reply, url, 3);
  expect(reads.get('/a', reply)).toBe('/a');
  reads.keep('/c', reply, '/c', 3);
  expect(['/a', '/b', '/c'].map((url) => reads.get(url, reply))).toEqual(['/a', undefined, '/c']);
  for (const other of [{ raw: Buffer.from('xz') }, { encoding: 'gzip' }, { readOnce: 'b' }])
    expect(reads.get('/a', { ...reply, ...other })).toBeUndefined();
});
