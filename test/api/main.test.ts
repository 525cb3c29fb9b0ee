import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { issueKey } from '../../src/ops/issue-key';
import { createKeyStore } from '../../src/store/keys/keys';
import { PATIENT_MS } from '../support/patient';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/servers/database';
import { freePort } from '../support/servers/free-port';
import { program } from '../support/servers/program';
import { waitFor } from '../support/servers/service';
import { startStripe, TEST_KEY, TEST_SECRET } from '../support/stripe/server';

const ROOT = join(__dirname, '../..');
let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test('the process serves the API, receives Stripe’s events, and stops on SIGTERM without an error', async () => {
  const stripe = await startStripe(Date.now());
  const payments = {
    STRIPE_SECRET_KEY: TEST_KEY,
    STRIPE_WEBHOOK_SECRET: TEST_SECRET,
    STRIPE_API_BASE: stripe.url,
    STRIPE_TAX: 'none',
  };
  const settings = { DATABASE_URL: db.url, API_PORT: '0', API_METRICS_PORT: 'auto', LOG_LEVEL: 'info' };
  const env = { ...process.env, ...settings, ...payments };
  const api = spawn(process.execPath, program('api'), { cwd: ROOT, env });
  const ended = once(api, 'exit');
  const { port } = await logged(api.stdout, 'listening');
  const health = await fetch(`http://127.0.0.1:${port}/healthz`);
  expect([health.status, await health.json()]).toEqual([200, { ok: true, rate_limits: 'enforced' }]);
  expect(health.headers.get('keep-alive')).toBe('timeout=65');
  expect((await fetch(`http://127.0.0.1:${port}/v1/uptime`)).status).toBe(200);
  expect((await fetch(`http://127.0.0.1:${port}/`)).headers.get('content-type')).toContain('text/html');
  const key = await issueKey(
    createKeyStore(db.pool),
    { label: 'large', plan: 'enterprise', role: 'internal' },
    new Date().toISOString(),
  );
  // Larger than 256 kB: a thread of the process judges it.
  const large = await fetch(`http://127.0.0.1:${port}/v1/ingest/sports/tab`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'content-type': 'application/json' },
    body: JSON.stringify({
      bookmaker_key: 'tab',
      observed_at: new Date().toISOString(),
      events: [],
      pad: 'x'.repeat(300_000),
    }),
  });
  expect([large.status, await large.text()]).toEqual([422, expect.stringContaining('/pad is not a known property')]);
  const event = {
    id: 'evt_1',
    object: 'event',
    type: 'invoice.paid',
    data: { object: { customer: 'cus_of_another' } },
  };
  const taken = await stripe.deliver(event, `http://127.0.0.1:${port}/webhooks/stripe`);
  expect([taken.status, await taken.json()]).toEqual([200, { received: true }]);
  await stripe.close();
  // A connection in use gets its response and is then closed.
  const socket = connect(Number(port), '127.0.0.1');
  const request = 'GET /healthz HTTP/1.1\r\nHost: a\r\n';
  socket.write(`${request}\r\n${request}`);
  await once(socket, 'readable');
  api.kill('SIGTERM');
  await logged(api.stdout, 'stopping');
  socket.write('\r\n');
  const responses = (await text(socket)).split('HTTP/1.1 ').slice(1);
  expect(responses.map((one) => [one.slice(0, 3), /^connection: (.*)\r$/im.exec(one)?.[1]])).toEqual([
    ['200', 'keep-alive'],
    ['200', 'close'],
  ]);
  expect(await ended).toEqual([0, null]);
});

test('with a delay, SIGTERM makes it not ready while it still accepts connections; a second signal ends it', async () => {
  const port = String(await freePort());
  const delays = { API_STOP_DELAY_SECONDS: '60', API_KEEP_ALIVE_SECONDS: '90' };
  const own = { API_PORT: port, API_METRICS_PORT: 'auto', ...delays, LOG_LEVEL: 'info' };
  const api = spawn(process.execPath, program('api'), {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: db.url, ...own },
  });
  const ended = once(api, 'exit');
  const { metrics } = await logged(api.stdout, 'metrics');
  const get = (url: string) => fetch(url, { headers: { connection: 'close' } });
  const readiness = async () =>
    ((await (await get(new URL('/readyz', metrics).href)).json()) as { status: string }).status;
  await waitFor(async () => (await readiness()) === 'ok', PATIENT_MS);
  const kept = await fetch(`http://127.0.0.1:${port}/healthz`);
  expect([kept.headers.get('keep-alive'), await kept.json()]).toEqual(['timeout=90', expect.anything()]);
  api.kill('SIGTERM');
  await waitFor(async () => (await readiness()) === 'stopping', PATIENT_MS);
  expect((await get(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  api.kill('SIGTERM');
  expect(await ended).toEqual([143, null]);
});

test('before its migration it is live, not ready and not listening, and ends on SIGTERM', async () => {
  const empty = await createEmptyDatabase();
  const [port, metrics] = [await freePort(), await freePort()];
  const own = { DATABASE_URL: empty.url, API_PORT: String(port), API_METRICS_PORT: String(metrics) };
  const api = spawn(process.execPath, program('api'), { cwd: ROOT, env: { ...process.env, ...own } });
  const ended = once(api, 'exit');
  const get = (at: number, path: string) =>
    fetch(`http://127.0.0.1:${at}${path}`, { headers: { connection: 'close' } }).catch(() => null);
  const readiness = await waitFor(async () => {
    const body = (await (await get(metrics, '/readyz'))?.json()) as { schema: { reason?: string } } | undefined;
    return body?.schema.reason?.startsWith('the database lacks') && body;
  }, PATIENT_MS);
  expect(readiness).toMatchObject({ status: 'unavailable', database: { ok: true }, listener: { ok: false } });
  expect([(await get(metrics, '/livez'))?.status, await get(port, '/healthz')]).toEqual([200, null]);
  api.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  await empty.drop();
});

test('without a database every request gets a 503, the process is live but not ready, and ends on SIGTERM', async () => {
  const DATABASE_URL = 'postgres://postgres@127.0.0.1:9/racing';
  const env = { ...process.env, DATABASE_URL, API_PORT: '0', API_METRICS_PORT: 'auto', LOG_LEVEL: 'info' };
  const api = spawn(process.execPath, program('api'), { cwd: ROOT, env });
  const ended = once(api, 'exit');
  const { port } = await logged(api.stdout, 'listening');
  const paths = ['/', '/openapi.json', '/healthz'];
  const statuses = paths.map(async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).status);
  expect(await Promise.all(statuses)).toEqual([503, 503, 503]);
  const { metrics } = await logged(api.stdout, 'metrics');
  const statusOf = async (path: string) => (await fetch(new URL(path, metrics))).status;
  expect([await statusOf('/livez'), await statusOf('/readyz'), await statusOf('/metrics')]).toEqual([200, 503, 200]);
  api.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('a port in use gives one log line and exit code 1', async () => {
  const other = createServer();
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const { port } = other.address() as AddressInfo;
  const env = {
    ...process.env,
    DATABASE_URL: db.url,
    API_PORT: String(port),
    API_METRICS_PORT: '0',
    LOG_LEVEL: 'warn',
  };
  const api = spawn(process.execPath, program('api'), { cwd: ROOT, env });
  const [[code], output, errors] = await Promise.all([once(api, 'exit'), text(api.stdout), text(api.stderr)]);
  other.close();
  expect([code, errors]).toEqual([1, '']);
  const lines = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([{ level: 60, msg: `the API did not start: port ${port} is in use` }]);
  expect(lines[0].err).toBeUndefined();
});

/** The log line with this message; the remaining output is left for the next call. */
async function logged(output: Readable, message: string): Promise<{ port?: number; metrics?: string }> {
  let all = '';
  for await (const chunk of output.iterator({ destroyOnReturn: false })) {
    all += chunk;
    const line = all.split('\n').find((one) => one.includes(`"msg":"${message}"`) && one.endsWith('}'));
    if (!line) continue;
    // The next line may have come with it.
    output.unshift(all.slice(all.indexOf(line) + line.length));
    return JSON.parse(line);
  }
  throw new Error(`it ended: ${all}`);
}
