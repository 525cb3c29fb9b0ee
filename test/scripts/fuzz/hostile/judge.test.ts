import { join } from 'node:path';

interface Response {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}
interface Reader {
  readonly answers: readonly Response[];
  push(chunk: Buffer): void;
  end(): string | null;
}
interface Asked {
  readonly method: string;
  readonly target: string;
}
type Documented = object;
const hostile = (file: string) => require(join(__dirname, '../../../../scripts/fuzz/hostile', file));
const { responseReader } = hostile('responses.mjs') as { responseReader(methods: readonly string[]): Reader };
const { documentedIn } = hostile('documented.mjs') as {
  documentedIn(document: object, pages: readonly string[]): Documented;
};
const { faultsOfExchange } = hostile('judge.mjs') as {
  faultsOfExchange(one: object, exchanged: object, documented: Documented): string[];
};

const answers = { 200: { content: { 'application/json': {} } }, 304: {} };
const PAGES = ['/race/:race_id', '/race/:race_id/card.png'];
const documented = documentedIn({ paths: { '/v1/thing': { get: { responses: answers } } } }, PAGES);

function read(text: string, methods = ['GET']) {
  const reader = responseReader(methods);
  // Byte by byte, because the boundaries of received pieces are random.
  for (const byte of Buffer.from(text, 'latin1')) reader.push(Buffer.from([byte]));
  return { answers: reader.answers, unreadable: reader.end(), end: 'closed' };
}

const GET: Asked = { method: 'GET', target: '/v1/thing?x=1' };
const judged = (text: string, asked: Asked = GET, expects = 'answer') =>
  faultsOfExchange({ requests: [asked], expects }, read(text, [asked.method]), documented);

const response = (status: number, type: string, body: string, more = '') =>
  `HTTP/1.1 ${status} X\r\nContent-Type: ${type}\r\nX-Request-Id: r\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;
const problemBody = (over: object = {}) =>
  JSON.stringify({ type: 't', title: 'T', status: 422, detail: 'd', code: 'c', request_id: 'r', ...over });
const problem = (over: object = {}) => response(422, 'application/problem+json', problemBody(over));
const good = response(200, 'application/json; charset=utf-8', '{}');

test('documented responses and problems are correct', () => {
  expect(judged(good)).toEqual([]);
  expect(judged(problem())).toEqual([]);
  expect(judged('HTTP/1.1 304 X\r\nETag: a\r\n\r\n')).toEqual([]);
  expect(judged(good, { method: 'GET', target: 'http://a.example/v1/%74hing' })).toEqual([]);
  expect(
    judged('HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n', { ...GET, method: 'HEAD' }),
  ).toEqual([]);
  expect(judged(response(404, 'text/html', 'No.'), { method: 'GET', target: '/race/x' })).toEqual([]);
  expect(judged('', GET, 'anything')).toEqual([]);
});

test.each([
  [
    'a status that is not documented',
    response(206, 'application/json', '{}'),
    'is answered 206, which is not documented for it',
  ],
  ['another media type', response(200, 'text/plain', 'x'), 'is answered 200 as text/plain, not application/json'],
  [
    'a bare refusal',
    'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n',
    'is answered 400 as nothing, not application/problem+json',
  ],
  [
    'a page where there is none',
    response(404, 'text/html', 'x'),
    'is answered 404 as text/html, not application/problem+json',
  ],
  ['a problem without its members', problem({ code: undefined }), 'is answered 422 without code in the problem'],
  [
    'a problem of another request',
    problem({ request_id: 'q' }),
    'is answered 422 with another status or request id in the problem',
  ],
  ['a failure', response(500, 'application/problem+json', problemBody({ status: 500 })), 'is answered 500'],
  ['a refusal without end', problem({ detail: 'x'.repeat(70_000) }), 'is refused in more than 64 kB'],
  ['no answer', '', 'is closed without an answer'],
  ['half an answer', good.slice(0, -1), 'sends a response without its end'],
  ['no HTTP', 'SSH-2.0\r\n\r\n', 'sends a first line "SSH-2.0"'],
  ['two answers', good + good, 'answers 1 requests 2 times'],
])('%s is a fault', (_what, text, fault) => {
  expect(judged(text)).toContain(fault);
});

test('a request that must be refused is not accepted, and its rest may be refused once more', () => {
  expect(judged(good, GET, 'refusal')).toEqual(['is accepted (200)']);
  const rest = response(400, 'application/problem+json', problemBody({ status: 400 }), 'Connection: close\r\n');
  expect(judged(problem() + rest, GET, 'refusal')).toEqual([]);
});

test('chunks, and an early answer before the last one, are read', () => {
  const chunked = 'HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n';
  const { answers: both, unreadable } = read(`HTTP/1.1 100 Continue\r\n\r\n${chunked}${good}`, ['POST', 'GET']);
  expect([both.map(({ body }) => body.toString()), unreadable]).toEqual([['{}', '{}'], null]);
});
