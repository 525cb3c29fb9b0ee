import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createTestDatabase, type TestDatabase } from '../support/servers/database';

const ROOT = join(__dirname, '../..');
let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test('the process serves the API, and on SIGTERM stops without an error', async () => {
  const env = { ...process.env, DATABASE_URL: db.url, API_PORT: '0', LOG_LEVEL: 'info' };
  const api = spawn(process.execPath, ['--import', 'tsx', 'src/api/main.ts'], { cwd: ROOT, env });
  const ended = once(api, 'exit');
  const { port } = await listening(api.stdout);
  const health = await fetch(`http://127.0.0.1:${port}/healthz`);
  expect([health.status, await health.json()]).toEqual([200, { ok: true }]);
  expect(health.headers.get('keep-alive')).toBe('timeout=65');
  expect((await fetch(`http://127.0.0.1:${port}/v1/uptime`)).status).toBe(200);
  expect((await fetch(`http://127.0.0.1:${port}/`)).headers.get('content-type')).toContain('text/html');
  api.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('a port that is in use is one line of the log and exit code 1', async () => {
  const other = createServer();
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const { port } = other.address() as AddressInfo;
  const env = { ...process.env, DATABASE_URL: db.url, API_PORT: String(port), LOG_LEVEL: 'info' };
  const api = spawn(process.execPath, ['--import', 'tsx', 'src/api/main.ts'], { cwd: ROOT, env });
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

/** The log line with the port on which the process listens. */
async function listening(output: AsyncIterable<Buffer>): Promise<{ port: number }> {
  let all = '';
  for await (const chunk of output) {
    all += chunk;
    const line = all.split('\n').find((one) => one.includes('"msg":"listening"') && one.endsWith('}'));
    if (line) return JSON.parse(line);
  }
  throw new Error(`it ended: ${all}`);
}
