// The telemetry of whole processes: a Prometheus page each, Temporal's SDK on the worker's, and traces at a collector
// that receives OTLP over HTTP.
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { issueKey } from '../../src/ops/issue-key';
import { createKeyStore } from '../../src/store/keys/keys';
import { cutUpload, raw } from '../support/api/raw';
import { PATIENT_MS } from '../support/patient';
import { freePort } from '../support/servers/free-port';
import { payloadsOf } from '../support/servers/payloads';
import { asLogin } from '../support/servers/roles';
import { type Service, type ServiceProcess, startService, waitFor } from '../support/servers/service';

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes?: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
}

const spans: Span[] = [];
let collector: Server;
/** The simulator refuses it, so that failures are recorded too. */
const TOPAZ_KEY = 'key-of-a-registry';
let service: Service;
let worker: ServiceProcess;
let api: ServiceProcess & { url: string };
let apiMetrics: string;

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    // A killed process cuts off the request that it is sending.
    // biome-ignore lint/suspicious/noExplicitAny: OTLP as it arrives.
    const body = (await json(request).catch(() => null)) as any;
    for (const { scopeSpans } of body?.resourceSpans ?? []) for (const each of scopeSpans) spans.push(...each.spans);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  process.env.OTEL_BSP_SCHEDULE_DELAY = '200';
  const apiPort = await freePort();
  process.env.API_METRICS_PORT = String(apiPort);
  apiMetrics = `http://127.0.0.1:${apiPort}/metrics`;
  // Prices move near the jump: one race is near its jump, however long the processes take to start.
  service = await startService(2, (nowMs) =>
    [5, 10, 20, 40, 58].map((minutes) => ({ startMs: nowMs + minutes * 60_000, venue: 'Flemington', runners: 8 })),
  );
  worker = await service.startWorker({ WORKER_SDK_METRICS_PORT: 'auto', FEED_TOPAZ_API_KEY: TOPAZ_KEY });
  api = await service.startApi();
});
afterAll(async () => {
  await service?.close();
  collector?.close();
  for (const name of ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_BSP_SCHEDULE_DELAY', 'API_METRICS_PORT'])
    delete process.env[name];
});

/** A separate connection: the other side may close a kept one while this machine stands still. */
const get = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { headers: { ...headers, connection: 'close' } });
const page = async (url: string): Promise<string> => (await get(url)).text();

test('the worker: books, polls, ticks, pools, the event loop, and Temporal’s SDK on one page', async () => {
  const url = new URL('/metrics', worker.healthUrl).href;
  let missing: readonly RegExp[] = [];
  const complete = async () => {
    const text = await page(url);
    missing = [
      /^racing_feed_call_duration_count\{.*book="ladbrokes_au".*call="fetchRace".*outcome="ok"/m,
      /^racing_polls_total\{.*outcome="written"/m,
      /^racing_poll_lag_bucket\{.*book="tab"/m,
      /^racing_ticks_total\{.*book="neds"/m,
      /^racing_decisions_failing(\{.*\})? 0$/m,
      /^db_client_connection_count\{.*state="idle"/m,
      /^nodejs_eventloop_delay_p99/m,
      /^temporal_worker_task_slots_available/m,
    ].filter((series) => !series.test(text));
    return missing.length === 0;
  };
  await waitFor(complete, PATIENT_MS).catch(() => expect(missing).toEqual([]));
});

test('the API: every request by route and status, never by path, and only on its own port', async () => {
  const key = await issueKey(
    createKeyStore(service.db.pool),
    { label: 'telemetry', plan: 'enterprise', role: 'customer' },
    new Date().toISOString(),
  );
  const statuses = await Promise.all(
    ['/v1/racing/next-to-go', '/v1/racing/next-to-go?num_races=x', '/nowhere/at/all', '/metrics'].map(
      async (path) => (await get(api.url + path, { 'X-API-Key': key })).status,
    ),
  );
  expect(statuses).toEqual([200, 422, 404, 404]);
  await cutUpload(api.url, '/v1/racing/clv', key);
  expect((await raw(api.url, 'GET http://[::1/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).status).toBe(400);
  const expected = [
    /http_server_requests_total\{.*status_code="200".*route="\/v1\/racing\/next-to-go"/,
    /http_server_requests_total\{.*status_code="422"/,
    /http_server_requests_total\{.*status_code="404"/,
    /http_server_requests_total\{.*status_code="499".*route="\/v1\/racing\/clv"/,
    /http_server_requests_total\{.*status_code="400"/,
  ];
  // A request is counted when its response is complete, which may be after it has arrived.
  const text = await waitFor(async () => {
    const now = await page(apiMetrics);
    return expected.every((series) => series.test(now)) ? now : null;
  }, PATIENT_MS);
  expect(text).not.toContain('/nowhere/at/all');
  expect(text).not.toContain('status_code="503"');
});

test('the API’s page is below 200 kB after every operation was answered and refused in several ways', async () => {
  const key = await issueKey(
    createKeyStore(service.db.pool),
    { label: 'many', plan: 'enterprise', role: 'customer' },
    new Date().toISOString(),
  );
  const document = (await (await fetch(`${api.url}/openapi.json`)).json()) as { paths: Record<string, object> };
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x')] as const),
  );
  const streams = (path: string) => path.endsWith('/stream');
  for (const [method, path] of routes.filter(([, one]) => !streams(one))) {
    const body = method === 'GET' ? {} : { body: '{}', headers: { 'Content-Type': 'application/json' } };
    for (const [query, headers] of [
      ['', {}],
      ['', { 'X-API-Key': key }],
      ['?nothing=1', { 'X-API-Key': key }],
      ['', { 'X-API-Key': 'unknown' }],
    ] as const) {
      const reply = await fetch(api.url + path + query, { method, ...body, headers: { ...body.headers, ...headers } });
      await reply.arrayBuffer();
    }
  }
  const text = await page(apiMetrics);
  const counted = new Set(text.match(/http_server_requests_total\{.*?http_route="[^"]+/g));
  expect(counted.size).toBeGreaterThan(200);
  // What a busy process adds over time: other statuses, and the connections of its pools.
  expect(text.length).toBeLessThan(150_000);
});

test('every metric of the alerts and the dashboard is one that a process serves', async () => {
  const deployed = ['prometheus/alerts.yaml', 'grafana/racing-odds.json'];
  const texts = deployed.map((file) => readFileSync(join(__dirname, '../../deploy', file), 'utf8')).join('\n');
  // Names of labels, and a counter that the SDK serves only after such a failure.
  const others = [
    'http_route',
    'http_response_status_code',
    'temporal_workflow_task_execution_failed_total',
    // Only once something was posted.
    'racing_webhooks_attempts_total',
    'racing_webhooks_superseded_total',
    // Only once a due poll was not made (test/activities/polling/thinned.test.ts).
    'racing_polls_thinned_total',
    // Only once a backup was recorded, and where the log is archived (test/ops/backups).
    'racing_backup_age',
    'racing_backup_log_age',
    // Only for a standby, and for a primary with a slot: their statement runs in test/store/schedules.
    'racing_database_behind',
    'racing_database_wal_kept',
    // Only with DATABASE_READ_URL (test/chaos/replica.test.ts).
    'racing_replica_used',
    // Only for a server reached over TLS (test/store/gauges/certificates.test.ts).
    'racing_certificate_left',
  ];
  const names = texts.match(/\b(?:racing|temporal|http|db|nodejs)_[a-z0-9_]+\b/g)!;
  const used = new Set(names.filter((name) => !others.includes(name)));
  expect(used.size).toBeGreaterThan(15);
  const missing = async () => {
    const pages = (await page(new URL('/metrics', worker.healthUrl).href)) + (await page(apiMetrics));
    const served = new Set(pages.match(/^\w+/gm));
    return [...used].filter((name) => !served.has(name));
  };
  await waitFor(async () => (await missing()).length === 0, PATIENT_MS).catch(async () =>
    expect(await missing()).toEqual([]),
  );
});

test('one trace has the poll, the call to the book, its HTTP request and the statement that stored it', async () => {
  const family = (root: Span): Span[] => spans.filter((span) => span.traceId === root.traceId);
  await waitFor(
    async () =>
      spans.some(
        (root) =>
          root.name === 'poll' &&
          family(root).some((span) => span.name === 'feed fetchRace' && span.parentSpanId === root.spanId) &&
          family(root).some((span) => span.name === 'GET') &&
          family(root).some((span) => span.name.startsWith('pg.query')),
      ),
    PATIENT_MS,
  );
});

test('a request to the API is its own trace, down to the statement that reads', async () => {
  const family = (root: Span): Span[] => spans.filter((span) => span.traceId === root.traceId);
  await waitFor(
    async () =>
      spans.some(
        (root) =>
          root.name === 'GET /v1/racing/next-to-go' && family(root).some((span) => span.name.startsWith('pg.query')),
      ),
    PATIENT_MS,
  );
});

test('a trace has no signature or token of a link', async () => {
  await get(`${api.url}/v1/billing/upgrade?plan=plus&signature=of-a-link&token=of-a-mail`);
  const isQuery = ({ key, value }: NonNullable<Span['attributes']>[number]) =>
    key === 'url.query' && (value.stringValue ?? '').includes('signature=');
  const isThere = async () => spans.some(({ attributes = [] }) => attributes.some(isQuery));
  await waitFor(isThere, PATIENT_MS);
  expect(JSON.stringify(spans)).not.toMatch(/of-a-(link|mail)/);
});

test('no history of a workflow, no trace and no metric has a key or a password', async () => {
  const { workflow } = service.temporal.client;
  const runs = async () => {
    const all = [];
    for await (const { workflowId, runId, type, status } of workflow.list())
      all.push({ workflowId, runId, of: `${type} ${status.name}` });
    return all;
  };
  // Their histories contain what they return about books and registries, and how these fail.
  const expected = ['discoverMeetings COMPLETED', 'collectResults COMPLETED', 'race RUNNING'];
  const seen = async () => (await runs()).map((run) => run.of);
  const isThere = async () => {
    const now = await seen();
    return expected.every((of) => now.includes(of));
  };
  await waitFor(isThere, PATIENT_MS).catch(async () => expect(await seen()).toEqual(expect.arrayContaining(expected)));
  const histories = await Promise.all(
    (await runs()).map(async ({ workflowId, runId }) =>
      payloadsOf(await workflow.getHandle(workflowId, runId).fetchHistory()),
    ),
  );
  const key = await issueKey(
    createKeyStore(service.db.pool),
    { label: 'secret', plan: 'enterprise', role: 'customer' },
    new Date().toISOString(),
  );
  expect((await get(`${api.url}/v1/usage`, { 'X-API-Key': key })).status).toBe(200);
  const everything = [
    ...histories,
    JSON.stringify(spans),
    await page(new URL('/metrics', worker.healthUrl).href),
    await page(apiMetrics),
  ].join();
  const passwords = (['racing_worker', 'racing_api'] as const).map(
    (group) => new URL(asLogin(service.db.url, group)).password,
  );
  for (const secret of [key, key.slice(8, 40), TOPAZ_KEY, ...passwords]) expect(everything).not.toContain(secret);
});
