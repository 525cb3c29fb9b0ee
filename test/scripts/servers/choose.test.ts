type Choice = Record<'database' | 'redis' | 'temporal', 'environment' | 'docker' | 'local'>;
const { chooseServers } = require('../../../scripts/servers/choose.mjs') as {
  chooseServers(env: Record<string, string>, dockerAnswers: boolean): Choice;
};
const { placeOf, requireNamedServers } = require('../../../scripts/servers/named-servers.mjs') as {
  placeOf(variable: string, value: string): { hostname: string; port: number };
  requireNamedServers(env: Record<string, string>, choice: Partial<Choice>): Promise<void>;
};

test('the environment comes first, server by server, then Docker, then our own process', () => {
  const env = { REDIS_URL: 'redis://cache', TEMPORAL_ADDRESS: '' };
  expect(chooseServers(env, true)).toEqual({ database: 'docker', redis: 'environment', temporal: 'docker' });
  expect(chooseServers(env, false)).toEqual({ database: 'local', redis: 'environment', temporal: 'local' });
});

test.each([
  ['postgres://u:secret@db.internal/racing', 'db.internal', 5432],
  ['redis://127.0.0.1:6400/2', '127.0.0.1', 6400],
  ['temporal.internal:7233', 'temporal.internal', 7233],
  ['redis://[::1]:6400', '::1', 6400],
])('%s is at %s, port %d', (value, hostname, port) => {
  expect(placeOf('X', value)).toEqual({ hostname, port });
});

test('a named server that does not answer is reported without its password', async () => {
  const named = requireNamedServers({ DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/x' }, { database: 'environment' });
  await expect(named).rejects.toThrow(
    'DATABASE_URL names PostgreSQL with TimescaleDB at 127.0.0.1:1, and nothing answers there.',
  );
});
