// Every connector against a failing host: each transport fault has a reason, never an exception and never a half-read
// race. The book's own replies are spoilt one part at a time, so that a page book is tested with its pages and a JSON
// book with its JSON.
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FeedReply } from '../../src/feeds/feed';
import type { Book } from './support/book';
import { type Answer, type Change, json, serve, startBookServer, status, withETag } from './support/book-server';
import { bookUnderTest, FIELD, feedOf, NOW, value } from './support/book-under-test';
import { BOOKS } from './support/books';

const AT = new Date(NOW).toISOString();
const typed = (type: string, body: string): Change => ({ headers: { 'content-type': type }, body: () => body });
const WALLS = ['Just a moment...', 'Are you human?', 'Access Denied', 'Attention Required! | Cloudflare'];
const wall = (title: string) => `<!DOCTYPE html><html><head><title>${title}</title></head><body></body></html>`;
/** The usual quality takes a hundred times as long. */
const brotli = (body: string | Buffer) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
/** Larger than any connector reads, compressed once for all of them. */
const TOO_LARGE = Buffer.alloc(9_000_000, 32);
const BOMBS = { gzip: gzipSync(TOO_LARGE), br: brotli(TOO_LARGE) };

describe.each(BOOKS)('$key', (book) => {
  const subject = bookUnderTest(book);
  const isPage = (book.race(FIELD)(book.racePaths[0]!, '').type ?? '').startsWith('text/html');
  const listIsPage = (book.list()(book.listPaths[0]!, '').type ?? '').startsWith('text/html');

  /** Both calls fail for the reason: `spoil` changes what each would have been sent. */
  async function expectBoth(spoil: (answers: ReturnType<Book['race']>) => Answer, reason: string, listReason = reason) {
    subject.server.answer(spoil(book.race(FIELD)));
    expect(await subject.race()).toMatchObject({ kind: 'failed', reason, observedAt: AT });
    subject.server.answer(spoil(book.list()));
    expect(await subject.races()).toMatchObject({ kind: 'failed', reason: listReason, observedAt: AT });
  }

  test.each([
    ['text', typed('text/plain', 'ok')],
    ['an image', typed('image/gif', 'GIF89a')],
    ['XML', typed('application/xml', '<race/>')],
  ])('%s with 200 is of the wrong content type', async (_, change) => {
    await expectBoth((answers) => serve(answers, change), 'wrong_content_type');
  });

  test('JSON instead of a page has the wrong content type; a page instead of JSON is a wall', async () => {
    const other = (page: boolean) => (page ? 'wrong_content_type' : 'blocked');
    const swapped: Change = isPage ? typed('application/json', '{}') : typed('text/html', '<html>Hello</html>');
    subject.server.answer(serve(book.race(FIELD), swapped));
    expect(await subject.race()).toMatchObject({ kind: 'failed', reason: other(isPage) });
    const swappedList: Change = listIsPage ? typed('application/json', '{}') : typed('text/html', '<html>Hello</html>');
    subject.server.answer(serve(book.list(), swappedList));
    expect(await subject.races()).toMatchObject({ kind: 'failed', reason: other(listIsPage) });
  });

  test.each(WALLS)('a page titled "%s" with 200 is a wall', async (title) => {
    await expectBoth((answers) => serve(answers, typed('text/html; charset=utf-8', wall(title))), 'blocked');
  });

  test.each<[string, Change]>([
    [
      'half a body',
      { body: ({ body, type }) => (type?.startsWith('text/html') ? '<html><body><div' : body.slice(0, 22)) },
    ],
    ['an empty body', { body: () => '' }],
    ['blanks', { body: () => ' \n ' }],
    [
      'another document',
      { body: ({ type }) => (type?.startsWith('text/html') ? wall('Racing') : '{"message":"hello"}') },
    ],
    ['damaged gzip', { headers: { 'content-encoding': 'gzip' }, body: ({ body }) => gzipSync(body).subarray(0, 12) }],
    ['an encoding that was not requested', { headers: { 'content-encoding': 'zstd' } }],
  ])('%s with 200 is malformed', async (_, change) => {
    await expectBoth((answers) => serve(answers, change), 'malformed');
  });

  test.each([
    ['403', status(403), 'blocked'],
    ['404', status(404), 'not_found'],
    ['a redirect', status(302, { location: 'https://example.org/' }), 'http_error'],
    ['500', status(500), 'http_error'],
    ['an unrequested 304', status(304), 'http_error'],
  ])('%s is a failure with its reason', async (_, answer, reason) => {
    await expectBoth(() => answer, reason);
  });

  test.each([
    ['seconds', '120', 120_000],
    ['an HTTP date', 'Sat, 21 Nov 2026 04:00:01 GMT', 29_500],
    ['a date gone by', 'Sat, 21 Nov 2026 03:00:00 GMT', 0],
    ['nonsense', 'soon', null],
  ])('429 with Retry-After as %s', async (_, retryAfter, retryAfterMs) => {
    subject.server.answer(status(429, { 'retry-after': retryAfter }));
    expect(await subject.race()).toMatchObject({ kind: 'failed', reason: 'rate_limited', retryAfterMs });
    expect(await subject.races()).toMatchObject({ kind: 'failed', reason: 'rate_limited', retryAfterMs });
  });

  test('503 keeps its Retry-After, 429 needs none', async () => {
    subject.server.answer(status(503, { 'retry-after': '7' }));
    expect(await subject.race()).toMatchObject({ reason: 'http_error', retryAfterMs: 7000 });
    subject.server.answer(status(429));
    expect(await subject.race()).toMatchObject({ reason: 'rate_limited', retryAfterMs: null });
  });

  test('an unchanged race is a 304, and a caller without a stored reply gets the whole reply', async () => {
    subject.server.answer(withETag('"v1"', book.race(FIELD)));
    expect((await subject.race()).kind).toBe('ok');
    subject.now += 20_000;
    const observedAt = new Date(subject.now).toISOString();
    if (book.lacks.has('etag')) expect(await subject.race()).toMatchObject({ kind: 'ok', observedAt });
    else expect(await subject.race()).toEqual({ kind: 'unchanged', observedAt });
    expect((await subject.race({ whole: true })).kind).toBe('ok');
    subject.now += 61_000;
    expect((await subject.race()).kind).toBe('ok');
  });

  test('a reply that is not stored arrives whole and has no ETag', async () => {
    subject.server.answer(withETag('"v1"', book.race(FIELD)));
    expect((await subject.race()).kind).toBe('ok');
    subject.server.answer(withETag('"v2"', book.race(FIELD)));
    expect((await subject.race({ unstored: true })).kind).toBe('ok');
    // The stored reply is still the one of v1: a 304 for v2 would stand for another.
    expect((await subject.race()).kind).toBe('ok');
  });

  test('an unreadable reply is never "unchanged"', async () => {
    const broken = () => ({ ...book.race(FIELD)(book.racePaths[0]!, ''), body: isPage ? '<html></html>' : '{"a":1}' });
    subject.server.answer(withETag('"v1"', broken));
    expect((await subject.race()).kind).toBe('failed');
    expect(await subject.race()).toMatchObject({ kind: 'failed', reason: 'malformed' });
  });

  test.each([
    ['gzip', gzipSync, BOMBS.gzip],
    ['br', brotli, BOMBS.br],
  ])('reads %s, and a body too large in it is refused', async (encoding, compress, bomb) => {
    const headers = { 'content-encoding': encoding };
    subject.server.answer(serve(book.race(FIELD), { headers, body: ({ body }) => compress(body) }));
    expect(value(await subject.race()).runners).toHaveLength(2);
    subject.server.answer(serve(book.race(FIELD), { headers, body: () => bomb }));
    expect(await subject.race()).toMatchObject({ kind: 'failed', reason: 'too_large' });
  });

  test('a body that is too large is not read to its end', async () => {
    subject.server.answer(serve(book.race(FIELD), { body: () => TOO_LARGE }));
    expect(await subject.race()).toMatchObject({ kind: 'failed', reason: 'too_large' });
    subject.server.answer(serve(book.race(FIELD)));
    expect((await subject.race()).kind).toBe('ok');
  });

  test('a byte order mark is not part of the reply', async () => {
    const marked: Change = { body: ({ body }) => `\uFEFF${body}` };
    subject.server.answer(serve(book.race(FIELD), marked));
    expect(value(await subject.race()).runners.map((runner) => runner.win)).toEqual([4.2, 11]);
    subject.server.answer(serve(book.list(), marked));
    expect(value(await subject.races())).toHaveLength(2);
  });

  test.each([
    ['and declares it', (type: string) => `${type}; charset=iso-8859-1`],
    ['and declares nothing', (type: string) => type],
    ['and calls it UTF-8', (type: string) => `${type}; charset=utf-8`],
  ])('a reply in latin-1, %s: the name is decoded', async (_, headerOf) => {
    const type = headerOf(isPage ? 'text/html' : 'application/json');
    const latin1: Change = {
      headers: { 'content-type': type },
      body: ({ body }) => Buffer.from(body.toString(), 'latin1'),
    };
    subject.server.answer(serve(book.race([{ number: 1, name: 'Crème Brûlée', win: 3 }]), latin1));
    expect(value(await subject.race()).runners).toMatchObject([{ name: 'Crème Brûlée', win: 3 }]);
  });
});

describe('a host that hangs', () => {
  const replies = new Map<string, FeedReply<unknown>[]>();

  /** Before its reply, then halfway through it. */
  async function hung(book: Book): Promise<FeedReply<unknown>[]> {
    const server = await startBookServer();
    try {
      const feed = feedOf(book, server, { timeoutMs: 200, now: () => NOW });
      server.answer(() => undefined);
      const before = await feed.fetchRace(book.sourceRaceId);
      server.answer((request, response) => {
        const { type } = book.race(FIELD)(request.url!, '');
        response.writeHead(200, { 'content-type': type ?? 'application/json' });
        response.write('{"half":');
      });
      return [before, await feed.fetchRace(book.sourceRaceId)];
    } finally {
      await server.close();
    }
  }

  // All in parallel: none waits for another's timeout.
  beforeAll(async () => {
    await Promise.all(BOOKS.map(async (book) => replies.set(book.key, await hung(book))));
  });

  test.each(BOOKS)('$key before its reply, or half way through it, is a timeout', ({ key }) => {
    const timeout = { kind: 'failed', reason: 'timeout' };
    expect(replies.get(key)).toMatchObject([timeout, timeout]);
  });
});

describe.each(BOOKS)('$key breaks off', (book) => {
  const subject = bookUnderTest(book);

  test('a broken connection is a network failure', async () => {
    subject.server.answer((request) => void request.socket.destroy());
    expect(await subject.race()).toMatchObject({ kind: 'failed', reason: 'network' });
  });

  test('the caller may abort it', async () => {
    subject.server.answer(json('{}'));
    expect(await subject.race({ signal: AbortSignal.abort() })).toMatchObject({ kind: 'failed', reason: 'network' });
  });
});
