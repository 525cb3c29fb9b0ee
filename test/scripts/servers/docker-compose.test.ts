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

test('a worker can be run many times: no port on the host and no fixed name', () => {
  expect(service('worker')).not.toMatch(/ports:|container_name:/);
});

test('every port is on the loopback interface and moved by a variable', () => {
  const ports = [...compose.matchAll(/ports: \['(.*)'\]/g)].map((match) => match[1]);
  expect(ports).toHaveLength(6);
  for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\$\{[A-Z_]+_PORT:-\d+\}:\d+$/);
});
