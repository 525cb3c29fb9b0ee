// Requests that no operation can read: those that are not HTTP, and texts that no table can store. Both are refused
// like any other invalid request.
import { ENDPOINTS } from '../../../../../src/api/operations';
import type { Reads } from '../../../../../src/store/reads/reads';
import { memoryKeys, startApi, type TestApi } from '../../../../support/api/api';
import { raw } from '../../../../support/api/raw';

const keys = memoryKeys();
const key = keys.add();
const operator = keys.add({ role: 'internal' });
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ reads: {} as Reads, keys });
});
afterAll(() => api.close());

test.each([
  [
    'a control character in a header',
    'GET /v1/uptime HTTP/1.1\r\nHost: x\r\nIf-None-Match: \x05\r\n\r\n',
    'not valid HTTP',
  ],
  ['no HTTP at all', 'hello\r\n\r\n', 'not valid HTTP'],
  ['headers without end', `GET /v1/uptime HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`, 'are too long'],
])('%s is a 400 in the usual form, and the connection ends', async (_, text, detail) => {
  const { head, body } = await raw(api.url, text);
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(head).toContain('Content-Type: application/problem+json');
  expect(head).toContain(`X-Request-Id: ${body.request_id}`);
  expect(body).toMatchObject({ status: 400, code: 'bad_request', type: 'https://api.example.com/errors/bad-request' });
  expect(body.detail).toContain(detail);
  expect((await api.get('/v1/nothing')).status).toBe(404);
});

const getting = (address: string, more = '') =>
  raw(api.url, `GET ${address} HTTP/1.1\r\nHost: api.example.com\r\nConnection: close\r\n${more}\r\n`);

const badForms = [
  'http://[::1/x',
  'http://a:99999/',
  'http://',
  'ftp://a/',
  'a:1',
  '?',
  '/%',
  '/race/%zz',
  '/%ed%a0%80',
];
const userForms = ['//a@[::1/#', '//a@b#', '//a?b@c#', 'http://a//b@c#'];

test.each([...badForms, ...userForms])('the address %s is a 400 like any other', async (address) => {
  const { head, status, body } = await getting(address);
  expect([status, body.code]).toEqual([400, 'bad_request']);
  expect(head).toMatch(/^content-type: application\/problem\+json/im);
  expect(head).toMatch(/^x-content-type-options: nosniff/im);
  expect(head.toLowerCase()).toContain(`x-request-id: ${body.request_id}`);
  expect(api.logged).toEqual([]);
});

test('an address in absolute form is read as its path', async () => {
  const answers = await Promise.all(
    ['http://other.example/v1/nothing?x=1', 'HTTPS://[::1]:80/v1/nothing'].map((one) => getting(one)),
  );
  for (const { status, body } of answers)
    expect([status, body.detail]).toEqual([404, 'There is no resource at /v1/nothing.']);
  expect((await getting('http://other.example')).status).toBe(404);
});

const texts = ENDPOINTS.flatMap((one) =>
  Object.entries<{ type?: string; items?: unknown }>(one.query ?? {})
    .filter(([, schema]) => schema.type === 'string' || schema.type === 'array')
    .map(([name]) => [one.path, name, one] as const),
);

test.each(texts)('%s refuses a NUL character in %s', async (path, name, { method, auth }) => {
  const sent = { key: auth === 'internal' ? operator : key };
  const answer = await api.send(method.toUpperCase(), `${path}?${name}=a%00b`, sent);
  expect([answer.status, answer.body.code]).toEqual([422, 'validation']);
  expect(answer.body.errors.filter(({ parameter }: { parameter: string }) => parameter === name)).toEqual([
    { parameter: name, detail: expect.stringContaining('NUL character') },
  ]);
});

test.each([
  ['a NUL character', '\0'],
  ['half of a surrogate pair', '\ud800'],
])('a body with %s is refused with its place', async (what, character) => {
  const race = {
    source_id: `a${character}`,
    venue: 'b',
    race_number: 1,
    category: 'horse',
    start_time: '2026-11-21T05:20:00Z',
  };
  const body = JSON.stringify({ bookmaker_key: 'boostbet', races: [{ ...race, runners: [] }] });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await api.send('POST', '/v1/ingest/boostbet', { key: operator, headers, body });
  const detail = `/races/0/source_id contains ${what}.`;
  expect(answer.body).toMatchObject({ status: 422, errors: [{ pointer: '/races/0/source_id', detail }] });
});
