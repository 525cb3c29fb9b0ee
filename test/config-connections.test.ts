// Connections to PostgreSQL: what docs/operations/servers.md adds up is what the code opens.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../src/config';

const ROOT = join(__dirname, '..');
const text = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Where a process of the service opens connections, and to what. Commands and tests have others. */
function opened(): string[] {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') && !/^ops|own-database|pool\.ts$/.test(file))
    .flatMap((file) =>
      [...text(`src/${file}`).matchAll(/\b(?:createPool|new Client)\(([\w.]*)/g)].map(([, to]) => `${file}: ${to}`),
    )
    .filter((line) => !line.startsWith('temporal'))
    .sort();
}

test('pools and connections are those that are added up', () => {
  expect(opened()).toEqual([
    'store/pg/listener.ts: ',
    'store/pg/replica/replica.ts: primaryUrl',
    'store/pg/replica/replica.ts: url',
    'store/pg/sessions/direct.ts: ',
    'wiring/api-reads.ts: databaseUrl',
    'wiring/api-reads.ts: url',
    'wiring/api-reads.ts: url',
    'wiring/service.ts: config.databaseDirectUrl',
    'wiring/service.ts: config.databaseUrl',
  ]);
  expect(text('src/wiring/service.ts')).toMatch(/isCommand\s+\? createPool\(config\.databaseDirectUrl,/);
});

test('docs/operations/servers.md has their sum', () => {
  const { databasePoolMax: calls, databaseStreamPoolMax: streams } = loadConfig({});
  const [announcements, comparison, superusers] = [1, 1, 3];
  const api = calls + streams + announcements;
  const [section] = /^## Connections\n[\s\S]*?(?=^## )/m.exec(text('docs/operations/servers.md'))!;
  expect(section).toContain(`| ${api}, with a replica ${api + comparison} |`);
  expect(section).toContain(`at most ${calls}, ${streams} and ${comparison}: ${calls + streams + comparison}.`);
  const [, most, apis, workers, sum] =
    /Its (\d+) in `docker-compose.yml` are enough for (\d+) API processes and (\d+) workers \((\d+)\)/
      .exec(section.replaceAll('\n', ' '))!
      .map(Number);
  expect(sum).toBe(apis! * (api + comparison) + workers! * calls + calls + superusers);
  expect(sum).toBeLessThanOrEqual(most!);
  expect(text('docker-compose.yml')).toContain(`max_connections=${most}`);
});

test('docs/operations/pooler.md has the sum behind PgBouncer, and its settings', () => {
  const page = text('docs/operations/pooler.md');
  const ini = text('deploy/pgbouncer/pgbouncer.ini');
  expect(page).toContain(`\n${ini}\`\`\`\n`);
  const perLogin = Number(/^default_pool_size = (\d+)$/m.exec(ini)![1]);
  const { databasePoolMax: calls, databaseStreamPoolMax: streams, databaseTimeouts } = loadConfig({});
  const section = page.replaceAll('\n', ' ');
  const [, both, each, most, apis, sum, ofRelease] =
    /hold (\d+), (\d+) for each API, 10 for a command and 3 for superusers: (\d+) are enough for (\d+) API processes \((\d+)\).* (\d+) of each/
      .exec(section)!
      .map(Number);
  expect([both, each, ofRelease]).toEqual([2 * perLogin, 2, Math.floor(apis! / 2)]);
  expect(sum).toBe(both! + apis! * each! + calls + 3);
  expect(sum).toBeLessThanOrEqual(most!);
  expect(section).toContain(`an API process has at most ${calls + streams} and a worker ${calls} (`);
  const waits = Number(/^query_wait_timeout = (\d+)$/m.exec(ini)![1]);
  expect(waits * 1000).toBeLessThan(Math.min(databaseTimeouts.connectMs, databaseTimeouts.queryMs!));
});
