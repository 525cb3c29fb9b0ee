// A call of a tool whose operation breaks, or whose client leaves: nothing of the failure is shown, and what the
// operation itself would not charge is not charged.
import { Readable } from 'node:stream';
import { Type } from '@sinclair/typebox';
import { type Endpoint, endpoint, flat } from '../../../src/api/kernel/endpoint/endpoint';
import type { Meter } from '../../../src/api/kernel/endpoint/meter';
import { ClientGone } from '../../../src/api/kernel/http/client-gone';
import type { JudgeLarge } from '../../../src/api/kernel/input/large/large-bodies';
import type { Reads } from '../../../src/store/reads/reads';
import { memoryKeys, startApi, type TestApi } from '../../support/api/api';
import { until } from '../../support/races/stream-lab';
import { message, post } from './mcp-client';

const keys = memoryKeys();
const key = keys.add();
let charges = 0;
const meter: Meter = {
  uncharged: () => {},
  balance: async () => {},
  admit: async () => {},
  joins: async () => false,
  precheck: () => {},
  charge: async () => void charges++,
};

let source: Readable;
const about = { tag: 'Health', summary: 's', description: 'd', auth: 'key', cost: flat(3) } as const;
const ok = { description: 'ok', schema: Type.Any(), example: {} };
const ENDPOINTS: Endpoint<{ reads: Reads }>[] = [
  endpoint()({
    ...about,
    method: 'get',
    path: '/v1/rows',
    operationId: 'rows',
    streamed: () => true,
    ok,
    handler: async () => ({ type: 'application/json', open: () => source }),
  }),
  endpoint()({
    ...about,
    method: 'post',
    path: '/v1/scores',
    operationId: 'race_clv',
    body: Type.Object({ numbers: Type.Array(Type.Integer(), { maxItems: 10_000 }) }),
    ok,
    handler: async () => ({ body: {} }),
  }),
];

/** A body that waits to be judged, until the sender leaves or the test lets it go on. */
let waiting: { readonly signal: AbortSignal; readonly goOn: () => void } | null = null;
const judgeLarge: JudgeLarge = (_, { signal }) =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    waiting = { signal, goOn: () => resolve({ body: { numbers: [] }, problems: [], unlisted: 0 }) };
  });

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ reads: {} as Reads, keys, meter, judgeLarge, endpoints: ENDPOINTS });
});
afterAll(() => api?.close());
beforeEach(() => {
  charges = 0;
  api.logged.splice(0);
});

const call = (name: string, given: object = {}) => message('tools/call', { name, arguments: given });

/** Sends the message, and leaves when `reached` holds. Resolves when the server has closed the connection. */
async function leave(body: object, reached: () => boolean): Promise<void> {
  const leaving = new AbortController();
  const headers = {
    'X-API-Key': key,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    Connection: 'close',
  };
  const sent = { method: 'POST', headers, body: JSON.stringify(body), signal: leaving.signal };
  const answer = fetch(`${api.url}/mcp`, sent).then(
    () => 'answered',
    () => 'left',
  );
  await until(reached);
  leaving.abort();
  expect(await answer).toBe('left');
  await until(async () => (await api.connections()) === 0);
}

test('a failure is logged, and the answer has the id of the request and nothing of the failure', async () => {
  source = Readable.from(
    (async function* () {
      yield '[1,';
      throw new Error('SELECT secret FROM stack');
    })(),
  );
  const id = 'c0ffee00c0ffee00c0ffee00c0ffee00';
  const { body } = await post(api, call('rows'), { 'X-Request-Id': id }, key);
  expect(body.error.message).toBe(`An internal error occurred. The id of this request is ${id}.`);
  const failed = api.logged.filter(({ message: text }) => text === 'request failed');
  expect(failed.map(({ fields }) => fields)).toMatchObject([{ requestId: id, path: '/mcp' }]);
});

test('a client that leaves before the first byte of its operation is not charged', async () => {
  let isRead = false;
  source = new Readable({
    read() {
      isRead = true;
    },
  });
  await leave(call('rows'), () => isRead);
  // Bytes that come only now change nothing.
  if (!source.destroyed) source.push('[]');
  if (!source.destroyed) source.push(null);
  await until(() => source.closed);
  expect([charges, api.logged]).toEqual([0, []]);
});

test('a client that leaves while its body waits is not charged', async () => {
  waiting = null;
  const numbers = Array.from({ length: 6000 }, (_, i) => i);
  await leave(call('racing_clv', { numbers }), () => waiting !== null);
  const { signal, goOn } = waiting!;
  goOn();
  await until(() => signal.aborted);
  expect(signal.reason).toBeInstanceOf(ClientGone);
  expect([charges, api.logged]).toEqual([0, []]);
});
