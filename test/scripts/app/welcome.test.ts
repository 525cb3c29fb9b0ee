const { welcome } = require('../../../scripts/app/welcome.mjs') as { welcome(status: Record<string, unknown>): string };
const { readStatus, statusText } = require('../../../scripts/instance/status.mjs') as {
  statusText(status: Record<string, unknown>): string;
  readStatus(instance: object): Promise<Record<string, unknown>>;
};

const nothingRuns = { read: () => ({ urls: {}, processes: [] }), owner: () => null };

test('every address and customer’s key of the status is on the screen', async () => {
  const all = Object.keys(await readStatus(nothingRuns));
  const names = all.filter((name) => /_(url|address|key|file|folder)$/.test(name) && name !== 'internal_key');
  const status = Object.fromEntries(names.map((name, i) => [name, `http://127.0.0.1:${9000 + i}`]));
  const screen = welcome(status);
  expect(names.length).toBeGreaterThan(10);
  for (const address of Object.values(status)) expect(screen).toContain(address);
  for (const path of ['/docs', '/openapi.json', '/faults', '/world/races', '/healthz', '/metrics'])
    expect(screen).toContain(path);
});

test('the internal key is neither on the screen nor in the text of the status', () => {
  const status = { internal_key: 'pe_live_internal', keys_file: '/keys.json', processes: [] };
  for (const screen of [welcome(status), statusText(status)]) {
    expect(screen).not.toContain('pe_live_internal');
    expect(screen).toContain('/keys.json');
  }
});

test('the settings of the clients are a line to paste, once there is a key for them', () => {
  const status = { api_url: 'http://127.0.0.1:8080', plus_key: 'pe_live_plus' };
  expect(welcome(status)).toContain('\n  export ODDS_API_URL=http://127.0.0.1:8080 ODDS_API_KEY=pe_live_plus\n');
  expect(welcome({ ...status, plus_key: null })).not.toMatch(/export/);
});

test('a password in an address is not printed', () => {
  const screen = welcome({
    database_url: 'postgres://odds:secret@db:5432/racing',
    redis_url: 'redis://:secret@cache:6379',
  });
  expect(screen).toContain('postgres://odds:***@db:5432/racing');
  expect(screen).not.toContain('secret');
});

test('a missing value has no line', () => {
  const screen = welcome({ api_url: 'http://127.0.0.1:8080', simulator_url: null, sdk_metrics_url: null });
  expect(screen).not.toMatch(/Simulator|Faults|SDK|null/);
});
