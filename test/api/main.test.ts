import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
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

/** The log line with the port on which the process listens. */
async function listening(output: AsyncIterable<Buffer>): Promise<{ port: number }> {
  let text = '';
  for await (const chunk of output) {
    text += chunk;
    const line = text.split('\n').find((one) => one.includes('"msg":"listening"') && one.endsWith('}'));
    if (line) return JSON.parse(line);
  }
  throw new Error(`it ended: ${text}`);
}
