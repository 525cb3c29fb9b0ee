// Bodies that none of our clients would send: each is refused with its own status, and the process continues.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { ClientGone } from '../../../../src/api/kernel/http/client-gone';
import { readBytes } from '../../../../src/api/kernel/input/body';
import { boundsOf, measure } from '../../../../src/api/kernel/input/json-bounds';
import type { JudgeLarge, Sender } from '../../../../src/api/kernel/input/large/large-bodies';
import { ClvRequest, MOST_BETS } from '../../../../src/api/operations/clv/clv-schema';
import { IngestPayload, MOST_RACES, MOST_RUNNERS } from '../../../../src/api/operations/ingest/ingest-schema';
import type { Reads } from '../../../../src/store/reads/reads';
import { memoryKeys, startApi, type TestApi } from '../../../support/api/api';
import { cutUpload, socketTo } from '../../../support/api/raw';

const keys = memoryKeys();
const key = keys.add();
const operator = keys.add({ role: 'internal' });
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ reads: {} as Reads, keys });
});
afterAll(() => api.close());

const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  api.send('POST', '/v1/racing/clv', { key, body, headers: { 'Content-Type': 'application/json', ...headers } });

describe('Content-Encoding', () => {
  test.each([...Object.getOwnPropertyNames(Object.prototype), 'zstd', 'gzip, br'])('%s is a 415', async (name) => {
    const { status, body, headers } = await post('{}', { 'Content-Encoding': name });
    expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
    expect(headers.get('accept-encoding')).toBe('gzip, deflate, br');
    // The rest of the body is read after the response: what fails there fails by now.
    expect((await api.get('/v1/nothing')).status).toBe(404);
  });
  test('a body that is not encoded as declared is a 422', async () => {
    const { status, body } = await post('{}', { 'Content-Encoding': 'gzip' });
    expect([status, body.errors[0].detail]).toEqual([422, 'The body does not match its Content-Encoding.']);
    expect((await post(new Uint8Array(gzipSync('{}')), { 'Content-Encoding': 'gzip' })).status).toBe(422);
  });
});

const times = (count: number, text: string | ((i: number) => string)): string =>
  Array.from({ length: count }, (_, i) => (typeof text === 'string' ? text : text(i))).join();
const nested = (count: number, open: string, close: string): string => open.repeat(count) + close.repeat(count);

describe('a body', () => {
  test.each([
    ['deeply nested lists', nested(5_000, '[', ']'), 'levels of lists and objects'],
    ['deeply nested objects', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, 'levels of lists and objects'],
    ['nested lists without an end', '['.repeat(100_000), 'levels of lists and objects'],
    ['nested lists in a member', `{"bets":[{"race_id":${nested(5_000, '[', ']')}}]}`, 'levels of lists and objects'],
    ['one object of many members', `{${times(15_000, (i) => `"m${i}":1`)}}`, 'An object in the body has more than'],
    ['one member again and again', `{${times(30_000, '"a":1')}}`, 'An object in the body has more than'],
    ['many values', `{"bets":[${times(60_000, '{}')}]}`, 'The body has more than'],
    ['a list that is too long', `{"bets":[${times(201, '{}')}]}`, '/bets has 201 items; the maximum is 200.'],
    ['a lone surrogate', '{"bets":[{"venue":"\\ud800"}]}', '/bets/0/venue contains half of a surrogate pair.'],
    ['not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'The body is not valid UTF-8.'],
  ])('that is %s is a 422 that names the reason', async (_, sent, reason) => {
    const { status, body } = await post(sent);
    expect([status, body.code, body.errors.length]).toEqual([422, 'validation', 1]);
    expect(body.detail).toContain(reason);
    expect(api.logged).toEqual([]);
  });

  test('full of problems lists 30 of them, and counts the rest', async () => {
    const { status, text, body } = await post(`{"bets":[${times(200, '{"a":1}')}]}`);
    expect([status, body.errors.length]).toEqual([422, 31]);
    // Of each bet: price is missing, and a is unknown.
    expect(body.errors[30].detail).toBe('The request has 370 more problems, which are not listed.');
    expect(body.detail.length).toBeLessThan(2500);
    expect(text.length).toBeLessThan(10_000);
  });

  test.each([
    ['{"bets":[{"price":2,"raceid":"x"}]}', '/bets/0/raceid', 'Did you mean race_id?'],
    ['{"bets":[{"price":2,"Runner-Name":"x"}]}', '/bets/0/Runner-Name', 'Did you mean runner_name?'],
    ['{"bets":[],"bet":1}', '/bet', 'Did you mean bets?'],
  ])('that is %s with a mistyped member names the nearest one', async (sent, pointer, meant) => {
    const { status, body } = await post(sent);
    expect(status).toBe(422);
    expect(body.errors).toContainEqual({ pointer, detail: `${pointer} is not a known property. ${meant}` });
  });

  test.each([
    ['[]', 'The body must be an object.'],
    ['{}', 'The body must have the property bets.'],
    ['{"bets":{}}', '/bets must be a list.'],
    ['{"bets":[]}', '/bets must have at least 1 item.'],
    ['{"bets":[1]}', '/bets/0 must be an object.'],
    ['{"bets":[{"price":"2"}]}', '/bets/0/price must be a number.'],
    ['{"bets":[{"price":1}]}', '/bets/0/price must be more than 1.'],
    ['{"bets":[{"price":2,"stake":0}]}', '/bets/0/stake must be at least 0.01.'],
    ['{"bets":[{"price":2,"runner_number":100}]}', '/bets/0/runner_number must be at most 99.'],
    ['{"bets":[{"price":2,"runner_number":"1"}]}', '/bets/0/runner_number must be an integer or null.'],
    ['{"bets":[{"price":2,"venue":7}]}', '/bets/0/venue must be a string or null.'],
    ['{"bets":[{"price":2,"ref":""}]}', '/bets/0/ref must have at least 1 character.'],
  ])('that is %s is refused in plain words', async (sent, detail) => {
    const { status, body } = await post(sent);
    expect([status, body.errors[0].detail]).toEqual([422, detail]);
  });

  test('with a mistyped value names the nearest one', async () => {
    const { body } = await post('{"bets":[{"price":2,"market":"plce"}]}');
    expect(body.errors[0].detail).toBe('/bets/0/market must be one of win, place. Did you mean place?');
  });

  test('with a member that resembles none lists the members of its object', async () => {
    const { body } = await post('{"bets":[{"price":2,"race":"x"}]}');
    const known = Object.keys(ClvRequest.properties.bets.items.properties).join(', ');
    expect(body.errors[0]).toEqual({
      pointer: '/bets/0/race',
      detail: `/bets/0/race is not a known property; valid properties are ${known}.`,
    });
  });

  test('with one long name is refused in a response that truncates the name', async () => {
    const { status, body, text } = await post(`{"bets":[],"${'x'.repeat(50_000)}":1}`);
    expect(status).toBe(422);
    expect(body.errors).toContainEqual(expect.objectContaining({ pointer: `/${'x'.repeat(200)}…` }));
    expect(text.length).toBeLessThan(2_000);
  });

  test('of texts that cannot be stored, below one long name, is refused in a response that truncates the name', async () => {
    const { status, body, text } = await post(`{"bets":[],"${'x'.repeat(50_000)}":[${times(40, '"\\ud800"')}]}`);
    expect([status, body.errors.length]).toEqual([422, 31]);
    expect(body.errors[0].pointer).toBe(`/${'x'.repeat(200)}…/0`);
    expect(text.length).toBeLessThan(20_000);
  });

  test('too long is a 413 that states the limit, before and after decompression', async () => {
    const long = `"${'x'.repeat(256_000)}"`;
    const detail = 'The body is too large; the maximum is 256000 bytes.';
    expect((await post(long)).body).toMatchObject({ status: 413, detail });
    const compressed = new Uint8Array(gzipSync(long));
    expect((await post(compressed, { 'Content-Encoding': 'gzip' })).body).toMatchObject({ status: 413, detail });
  });

  test('as large as its schema allows is within the limits, with one member too many in every item', () => {
    const objectOf = (schema: { properties: object }, over: object = {}): object => ({
      ...Object.fromEntries(Object.keys(schema.properties).map((name) => [name, 'a,"b\\[{'])),
      unknown: 1,
      ...over,
    });
    const many = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
    const bet = objectOf(ClvRequest.properties.bets.items);
    const clv = objectOf(ClvRequest, { bets: many(MOST_BETS, bet) });
    const race = IngestPayload.properties.races.items;
    const runners = many(MOST_RUNNERS, objectOf(race.properties.runners.items));
    const pushed = objectOf(IngestPayload, { races: many(MOST_RACES, objectOf(race, { runners })) });
    expect(measure(Buffer.from(JSON.stringify(clv)), boundsOf(ClvRequest)).excess).toBeNull();
    expect(measure(Buffer.from(JSON.stringify(pushed)), boundsOf(IngestPayload)).excess).toBeNull();
  });
});

describe('a large push body', () => {
  const push = (body: string) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    return api.send('POST', '/v1/ingest/sports/boostbet', {
      key: operator,
      headers,
      body: new Uint8Array(gzipSync(body)),
    });
  };
  const selections = (count: number, one: string) => `{"events":[{"markets":[{"selections":[${times(count, one)}]}]}]}`;

  // 15 kB that unpack to 3.6 MB made 1.6 million errors, 4.8 s and 770 MB (security F2).
  test('with more selections than a push may have is a 413 before it is parsed', async () => {
    const { status, body } = await push(selections(1_200_000, '{}'));
    expect([status, body.detail]).toEqual([413, 'The body has more than 60000 selections.']);
  });

  test.each([
    ['lists', selections(50_000, '{}')],
    ['members', `{"bookmaker_key":"boostbet","events":[${times(1_500, '{"a":1,"b":1,"c":1,"d":1}')}]}`],
    ['texts', `{"bookmaker_key":"boostbet","events":[${times(2_000, '{"competition":"\\ud800","a":1,"b":1}')}]}`],
  ])('full of invalid %s is refused for its first problem', async (_, sent) => {
    const { status, body } = await push(sent);
    expect([status, body.code, body.errors.length]).toEqual([422, 'validation', 2]);
    expect(body.errors[1].detail).toBe('The body is large, so only its first problem is listed; there may be more.');
  });
});

test('a client that leaves while its large body is judged ends the judging, and is not reported as an internal error', async () => {
  const begun = Promise.withResolvers<Sender>();
  const judgeLarge: JudgeLarge = (_, sender) => {
    begun.resolve(sender);
    return new Promise((__, reject) => sender.signal.addEventListener('abort', () => reject(sender.signal.reason)));
  };
  const slow = await startApi({ reads: {} as Reads, keys, judgeLarge });
  try {
    const leaving = new AbortController();
    const headers = { 'X-API-Key': operator, 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body: '{}'.padEnd(256_001), signal: leaving.signal };
    const left = expect(fetch(`${slow.url}/v1/ingest/sports/boostbet`, init)).rejects.toThrow();
    const { share, signal } = await begun.promise;
    expect([share, signal.aborted]).toEqual(['boostbet', false]);
    leaving.abort();
    await left;
    while (!signal.aborted) await setImmediate();
    expect(signal.reason).toBeInstanceOf(ClientGone);
    expect(slow.logged).toEqual([]);
  } finally {
    await slow.close();
  }
});

test('thousands of unknown parameters are refused in a short response that counts them', async () => {
  const names = times(3_000, (i) => `p${i.toString(36)}`).replaceAll(',', '&');
  const { status, body, text } = await api.get(`/v1/racing/best-odds?${names}`, key);
  expect([status, body.errors.length]).toEqual([422, 31]);
  expect(body.errors[30]).toEqual({ detail: 'The request has 2970 more problems, which are not listed.' });
  expect(text.length).toBeLessThan(40_000);
});

test.each(['bookmakers', 'categories'])(
  'hundreds of unknown values of %s are refused in a short sentence that counts them',
  async (name) => {
    const { status, body, text } = await api.get(`/v1/racing/best-odds?${name}=${times(1_500, (i) => `p${i}`)}`, key);
    expect([status, body.errors.length]).toEqual([422, 1]);
    expect(body.detail).toContain("'p9' and 1490 more");
    expect(text.length).toBeLessThan(2_500);
  },
);

test.each([
  ['plain', []],
  ['compressed', ['Content-Encoding: gzip']],
])('an interrupted %s upload is not reported as an internal error', async (_, more) => {
  const before = await api.connections();
  await cutUpload(api.url, '/v1/racing/clv', key, more);
  while ((await api.connections()) > before) await setImmediate();
  expect((await api.get('/v1/nothing')).status).toBe(404);
  expect(api.logged).toEqual([]);
});

test.each([
  ['blank', '   '],
  ['unseen', '\u200b\u202e'],
  ['empty to the eye', '\u3164\u2800\u034f'],
  ['several lines', 'Ev\nil\r\nX-A: b'],
  ['a line separator', 'Ascot\u2028Park'],
])('names and ids of a push that are %s are a 422 that names each', async (_, name) => {
  const runner = { name, number: 1, win_price: 2 };
  const race = { source_id: name, venue: name, race_number: 1, category: 'horse', start_time: '2026-11-21T05:20:00Z' };
  const body = JSON.stringify({ bookmaker_key: 'boostbet', races: [{ ...race, runners: [runner] }] });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await api.send('POST', '/v1/ingest/boostbet', { key: operator, headers, body });
  expect(answer.status).toBe(422);
  expect(answer.body.errors).toEqual(
    ['/races/0/source_id', '/races/0/venue', '/races/0/runners/0/name'].map((pointer) => ({
      pointer,
      detail: `${pointer} must have a visible character, and no control or format characters.`,
    })),
  );
});

test.each(['!!!', '東京'])('a push whose venue gives no venue_id (%s) is a 422', async (venue) => {
  const runner = { name: '....', number: 1, win_price: 2 };
  const race = { source_id: 'b-1', venue, race_number: 1, category: 'horse', start_time: '2026-11-21T05:20:00Z' };
  const body = JSON.stringify({ bookmaker_key: 'boostbet', races: [{ ...race, runners: [runner] }] });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await api.send('POST', '/v1/ingest/boostbet', { key: operator, headers, body });
  expect(answer.status).toBe(422);
  const detail = '/races/0/venue must have a letter from A to Z or a digit.';
  expect(answer.body.errors).toEqual([{ pointer: '/races/0/venue', detail }]);
});

// A stalled process reads a whole message and the end of its connection in one turn (security F9).
test.each([
  ['before it is read', [], 'closed'],
  ['before it is unpacked', ['Content-Encoding: gzip'], 'closed'],
  ['while it is read', [], 'open'],
  ['while it is unpacked', ['Content-Encoding: gzip'], 'open'],
])(
  'a connection that ends after the whole body arrived, %s, counts as closed by the client',
  async (_, more, begun) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = socketTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    try {
      const requests = once(server, 'request') as Promise<[IncomingMessage]>;
      socket.write(['POST / HTTP/1.1', 'Host: x', 'Content-Length: 4', ...more, '', 'body'].join('\r\n'));
      const [request] = await requests;
      while (!request.complete) await setImmediate();
      const closed = new Promise((done) => request.once('close', done));
      if (begun === 'closed') socket.resetAndDestroy();
      if (begun === 'closed') await closed;
      // Destroyed as with its connection: before any of it was read.
      const read = readBytes(request, 100);
      if (begun === 'open') request.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
      await expect(read).rejects.toBeInstanceOf(ClientGone);
    } finally {
      socket.destroy();
      server.close();
    }
  },
);
