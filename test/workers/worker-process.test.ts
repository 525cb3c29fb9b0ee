// The life of a worker process: it waits for its servers, reports when it is ready, and ends when it is stopped, cannot
// start or fails. Temporal and PostgreSQL are the real ones, behind connections that the test cuts and silences.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { loadConfig, WORKER_ROLES } from '../../src/config';
import type { Log } from '../../src/log';
import { promote } from '../../src/ops/builds/routing';
import { isNumbered, readMigrations } from '../../src/store/pg/migrate';
import { readQueues } from '../../src/temporal-queues';
import type { ensureSchedules } from '../../src/workers/schedules/ensure';
import { runWorkerProcess } from '../../src/workers/worker-process';
import { PATIENT_MS } from '../support/patient';
import { createTestDatabase, type TestDatabase } from '../support/servers/database';
import { program } from '../support/servers/program';
import { installQuietRuntime } from '../support/servers/quiet-runtime';
import { asLogin } from '../support/servers/roles';
import { waitFor } from '../support/servers/service';
import { type TcpLine, tcpLine } from '../support/servers/tcp-line';
import { createTestNamespace, type TestNamespace } from '../support/servers/temporal';

let db: TestDatabase;
let temporal: TestNamespace;
let line: TcpLine;
beforeAll(async () => {
  installQuietRuntime();
  [db, temporal] = await Promise.all([createTestDatabase(), createTestNamespace()]);
  line = await tcpLine(`tcp://${temporal.address}`);
});
afterAll(async () => {
  await line?.close();
  await temporal?.close();
  await db?.drop();
});

const settings = (more: Record<string, string> = {}) => ({
  DATABASE_URL: db.url,
  REDIS_URL: process.env.REDIS_URL,
  TEMPORAL_ADDRESS: new URL(line.url).host,
  TEMPORAL_NAMESPACE: temporal.namespace,
  WORKER_HEALTH_PORT: 'auto',
  // Nothing is discovered, because there are no books.
  SIMULATOR_URL: 'http://127.0.0.1:9',
  ...more,
});

/** Runs in this process; its log is kept. */
function begin(more: Record<string, string> = {}, schedules?: typeof ensureSchedules) {
  const lines: string[] = [];
  let health: string | null = null;
  const log = {
    ...Object.fromEntries(['debug', 'error'].map((level) => [level, () => undefined])),
    ...Object.fromEntries(
      ['info', 'warn'].map((level) => [
        level,
        (first: string | { health?: string }, message?: string) => {
          if (typeof first === 'object') health ??= first.health ?? null;
          lines.push(message ?? String(first));
        },
      ]),
    ),
  } as unknown as Log;
  const stop = new AbortController();
  const config = loadConfig(settings(more));
  const ended = runWorkerProcess({ config, log, stop: stop.signal, sdkMetrics: null, ...(schedules && { schedules }) });
  ended.catch(() => undefined);
  const get = async (path: string) => {
    const reply = await fetch(health + path, { headers: { connection: 'close' } });
    return { status: reply.status, body: await reply.json() };
  };
  const status = async (path: string) => (await get(path)).status;
  return { lines, stop, ended, get, status, health: () => health };
}

test('before its migration and before Temporal is up it is live and reports what it waits for; then it serves; a hanging Temporal makes it not ready; a stop drains it', async () => {
  await line.cut();
  const { name } = readMigrations().findLast(isNumbered)!;
  await db.pool.query('UPDATE schema_migrations SET name = $2 WHERE name = $1', [name, 'later']);
  const worker = begin();
  const waitsFor = (what: string) =>
    waitFor(async () => worker.lines.some((each) => each.startsWith(`waiting for ${what}:`)), PATIENT_MS);
  try {
    await waitsFor(`the schema: the database lacks ${name}`);
    expect(await worker.status('/readyz')).toBe(503);
    await db.pool.query('UPDATE schema_migrations SET name = $1 WHERE name = $2', [name, 'later']);
    await waitsFor(`Temporal at ${new URL(line.url).host}`);
    expect([await worker.status('/livez'), await worker.status('/readyz'), await worker.status('/healthz')]).toEqual([
      200, 503, 503,
    ]);
    expect((await worker.get('/readyz')).body).toMatchObject({ temporal: { ok: false }, workers: {} });
    await line.mend();
    await waitFor(async () => (await worker.status('/readyz')) === 200, PATIENT_MS);
    expect((await worker.get('/readyz')).body).toEqual({
      status: 'ok',
      workers: Object.fromEntries(WORKER_ROLES.map((role) => [role, 'RUNNING'])),
      database: { ok: true },
      temporal: { ok: true },
    });

    line.silence();
    const hangs = await waitFor(async () => {
      const { status, body } = await worker.get('/readyz');
      return status === 503 ? body : null;
    }, PATIENT_MS);
    expect(hangs).toMatchObject({ database: { ok: true }, temporal: { ok: false, reason: expect.any(String) } });
    expect([await worker.status('/livez'), await worker.status('/healthz')]).toEqual([200, 200]);
    await line.mend();
    await waitFor(async () => (await worker.status('/readyz')) === 200, PATIENT_MS);
  } finally {
    await line.mend();
    worker.stop.abort('SIGTERM');
    await worker.ended;
  }
  await expect(worker.status('/livez')).rejects.toThrow();
  expect(worker.lines.at(-1)).toBe('worker stopped');
});

/** Starts until it ends with this sentence: on a machine that stands still another server may be the late one. */
async function endsWith(sentence: RegExp, more: Record<string, string>, schedules?: typeof ensureSchedules) {
  return waitFor(async () => {
    const worker = begin({ START_WITHIN_SECONDS: '2', ...more }, schedules);
    const error = await worker.ended.then(
      () => null,
      (reason) => reason,
    );
    expect(error).toMatchObject({ name: 'StartProblem', message: expect.not.stringContaining('\n') });
    await expect(worker.status('/livez')).rejects.toThrow();
    return sentence.test(error.message);
  }, PATIENT_MS);
}

test('if Temporal stays away the start ends with one sentence, and everything is closed', async () => {
  await line.cut();
  try {
    await endsWith(/^Temporal at \S+ did not become ready within \d+ s: /, {});
  } finally {
    await line.mend();
  }
});

test('a stop ends a worker that waits for Temporal', async () => {
  await line.cut();
  try {
    const worker = begin();
    await waitFor(async () => worker.lines.some((each) => each.startsWith('waiting for Temporal at')), PATIENT_MS);
    worker.stop.abort('SIGTERM');
    await expect(worker.ended).resolves.toBeUndefined();
  } finally {
    await line.mend();
  }
});

test.each([
  [{ TEMPORAL_NAMESPACE: 'no-such-namespace' }, /^Temporal has no namespace 'no-such-namespace': create it/],
  [
    { DATABASE_URL: 'postgres://postgres@127.0.0.1:9/racing' },
    /^the database did not become ready within \d+ s: connect ECONNREFUSED/,
  ],
])('what an operator must fix is one sentence: %j', async (wrong, sentence) => {
  await endsWith(sentence, wrong);
});

test('if schedules cannot be written the process ends after its workers have drained', async () => {
  const refused = () => Promise.reject(new Error('permission denied'));
  await endsWith(/^Temporal's schedules did not become ready within \d+ s: permission denied$/, {}, refused);
});

test('a namespace without the search attributes is refused, with their names', async () => {
  const namespace = `${temporal.namespace}-bare`;
  const workflowExecutionRetentionPeriod = { seconds: 86_400 as never };
  await temporal.connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
  const names = 'RacePhase, PollTier, FieldStatus, Venue, Category, Country, AdvertisedStart, WorkStatus, EventType';
  await endsWith(new RegExp(`^Temporal's namespace '${namespace}' lacks the search attributes ${names}: `), {
    TEMPORAL_NAMESPACE: namespace,
  });
});

const ROOT = join(__dirname, '../..');

/** The process itself. `line` waits for a line of its log. */
function start(more: Record<string, string>) {
  const env = { ...process.env, ...settings(more), WORKER_SDK_METRICS_PORT: '0', LOG_LEVEL: 'info' };
  const child = spawn(process.execPath, program('workers'), {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const messages: string[] = [];
  const reading = createInterface({ input: child.stdout! });
  reading.on('line', (text) => messages.push(JSON.parse(text).msg));
  const said = (begins: string) =>
    waitFor(async () => {
      if (child.exitCode !== null) throw new Error(`it ended: ${messages.join('\n')}`);
      return messages.some((each) => each.startsWith(begins));
    }, PATIENT_MS);
  return { child, ended, said, messages };
}

test('the process: SIGTERM ends it while it waits for Temporal, and a failed start has exit code 1', async () => {
  await line.cut();
  try {
    const waits = start({});
    const fails = start({ START_WITHIN_SECONDS: '1' });
    await waits.said('waiting for Temporal at');
    waits.child.kill('SIGTERM');
    expect(await waits.ended).toEqual([0, null]);
    expect(await fails.ended).toEqual([1, null]);
    expect(fails.messages.at(-1)).toMatch(/^(the database|Temporal at \S+) did not become ready within/);
  } finally {
    await line.mend();
  }
});

test('in production a superuser login ends a worker with a sentence; a least-privilege login serves', async () => {
  const SECRET_KEYS = `k1:${Buffer.alloc(32).toString('base64')}`;
  const production = {
    NODE_ENV: 'production',
    BASE_URL: 'https://odds.example',
    BULK_FOLDER: '/tmp/bulk',
    SECRET_KEYS,
    BULK_SIGNING_KEYS: SECRET_KEYS,
  };
  await expect(begin(production).ended).rejects.toThrow('the login of DATABASE_URL is a superuser');
  const worker = begin({ ...production, DATABASE_URL: asLogin(db.url, 'racing_worker') });
  try {
    await waitFor(async () => worker.lines.includes('worker ready'), PATIENT_MS);
  } finally {
    worker.stop.abort();
    await worker.ended;
  }
});

// This test is last: its build stays promoted in the namespace.
test('a worker with a build creates the Schedules once all work goes to it', async () => {
  const schedules = jest.fn(async () => []);
  const worker = begin({ WORKER_BUILD_ID: 'next' }, schedules);
  try {
    await waitFor(async () => worker.lines.includes('worker ready'), PATIENT_MS);
    await waitFor(
      async () => (await readQueues(temporal.client)).every(({ builds }) => builds.has('next')),
      PATIENT_MS,
    );
    expect(schedules).not.toHaveBeenCalled();
    await waitFor(async () => promote(temporal.client, 'next').catch(() => false), PATIENT_MS);
    await waitFor(async () => schedules.mock.calls.length === 1, PATIENT_MS);
  } finally {
    worker.stop.abort();
    await worker.ended;
  }
});
