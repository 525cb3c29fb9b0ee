import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ConfigError,
  DEVELOPMENT_SIGNING_KEY,
  loadConfig,
  SIMULATED_ODDS_KEY,
  SIMULATED_TOPAZ_KEY,
} from '../src/config';
import { BOOKMAKERS, SPORT_BOOKS } from '../src/domain/bookmakers';
import { REAL_TIME } from '../src/domain/time/clock';
import { CONNECTED_BOOKS } from '../src/feeds/registry';

test('an empty environment is a laptop: loopback servers, all roles, real time, every active book at the simulator', () => {
  const config = loadConfig({});
  expect(config.clock).toEqual(REAL_TIME);
  expect(config.worker.roles.join()).toBe('workflows,poll,exchange,io,decisions,forms,backfill,webhooks');
  expect(Object.keys(config.feeds).sort()).toEqual([...CONNECTED_BOOKS].sort());
  expect(config.feeds.neds?.baseUrl).toBe('http://127.0.0.1:8090/neds');
  expect(Object.isFrozen(config.temporal)).toBe(true);
});

test('one book may be pointed at its real host while the others stay where they are', () => {
  const config = loadConfig({ FEED_NEDS_URL: 'https://api.neds.example/', SIMULATOR_URL: 'http://sim:1/' });
  expect(config.feeds.neds?.baseUrl).toBe('https://api.neds.example');
  expect(config.feeds.tab?.baseUrl).toBe('http://sim:1/tab');
});

test('the greyhound registry is at the simulator with the simulator’s key, which goes to no other host', () => {
  const simulated = loadConfig({}).topaz!;
  expect(simulated).toMatchObject({
    baseUrl: 'http://127.0.0.1:8090/topaz',
    settings: { api_key: SIMULATED_TOPAZ_KEY },
  });
  expect(loadConfig({ FEED_TOPAZ_API_KEY: 'mine' }).topaz!.settings).toEqual({ api_key: 'mine' });
  const FEED_TOPAZ_URL = 'https://topaz.example/api/';
  const real = loadConfig({ FEED_TOPAZ_URL }).topaz!;
  expect([real.baseUrl, real.settings]).toEqual(['https://topaz.example/api', {}]);
});

test('the sports feed is the simulator’s, or an address with a key and a monthly budget; otherwise it is off', () => {
  const simulated = loadConfig({}).sportsFeed!;
  expect(simulated.endpoint).toMatchObject({
    baseUrl: 'http://127.0.0.1:8090/the_odds_api',
    settings: { key: SIMULATED_ODDS_KEY },
  });
  const FEED_THE_ODDS_API_URL = 'https://odds.example/';
  expect(loadConfig({ FEED_THE_ODDS_API_URL }).sportsFeed).toBeNull();
  const given = { FEED_THE_ODDS_API_URL, FEED_THE_ODDS_API_KEY: 'mine', FEED_THE_ODDS_API_MONTHLY_CREDITS: '500' };
  expect(loadConfig(given).sportsFeed).toMatchObject({
    endpoint: { baseUrl: 'https://odds.example', settings: { key: 'mine' } },
    monthlyCredits: 500,
  });
  for (const name of ['KEY', 'MONTHLY_CREDITS'])
    expect(() => loadConfig({ ...given, [`FEED_THE_ODDS_API_${name}`]: '' })).toThrow('go together');
  for (const credits of ['0', '-1', '1.5', 'many'])
    expect(() => loadConfig({ ...given, FEED_THE_ODDS_API_MONTHLY_CREDITS: credits })).toThrow(
      'a whole number above 0',
    );
});

test('a fast clock takes its anchor as an instant or as epoch milliseconds, and refuses to run without one', () => {
  const anchorMs = Date.parse('2026-11-21T00:00:00Z');
  expect(loadConfig({ CLOCK_SPEED: '60', CLOCK_ANCHOR: '2026-11-21T00:00:00Z' }).clock).toEqual({
    anchorMs,
    speed: 60,
  });
  expect(loadConfig({ CLOCK_SPEED: '60', CLOCK_ANCHOR: String(anchorMs) }).clock.anchorMs).toBe(anchorMs);
  expect(() => loadConfig({ CLOCK_SPEED: '60' })).toThrow(/CLOCK_ANCHOR/);
});

test('every wrong variable is named, all at once', () => {
  const load = () => loadConfig({ API_PORT: 'x', DATABASE_URL: 'mysql://x', LOG_LEVEL: 'loud' });
  expect(load).toThrow(ConfigError);
  expect(load).toThrow(/DATABASE_URL.*API_PORT.*LOG_LEVEL/s);
  expect(load).toThrow(expect.objectContaining({ stack: expect.not.stringContaining('    at ') }));
  expect(() => loadConfig({ WORKER_ROLES: 'io,foo' })).toThrow(/foo.*workflows, poll, exchange, io, decisions/);
});

test('other origins are as encrypted as the public one, and complete', () => {
  const origins = (BASE_URL: string, OTHER_ORIGINS?: string) =>
    loadConfig({ BASE_URL, OTHER_ORIGINS }).api.otherOrigins;
  expect(origins('https://a.example')).toEqual([]);
  expect(origins('https://a.example', 'https://b.example, https://c.example:8443')).toEqual([
    'https://b.example',
    'https://c.example:8443',
  ]);
  for (const wrong of ['http://b.example', 'b.example', 'https://b.example/', 'https://B.example'])
    expect(() => origins('https://a.example', wrong)).toThrow(/OTHER_ORIGINS/);
});

test('trusted proxies are a count or a list, and a wrong list is refused by name', () => {
  const proxies = (TRUSTED_PROXIES?: string) => loadConfig({ TRUSTED_PROXIES }).api.trustedProxies;
  expect([proxies(), proxies('2')]).toEqual([0, 2]);
  expect(proxies('10.0.0.0/8, 2001:db8::/32,loopback')).toEqual(['10.0.0.0/8', '2001:db8::/32', 'loopback']);
  expect(proxies('::1,fd00::/8,2001:db8::1, 192.0.2.1')).toHaveLength(4);
  for (const all of [
    '0.0.0.0/1,128.0.0.0/1',
    '0.0.0.0/2,64.0.0.0/2',
    '::/1,8000::/1',
    '2000::/3',
    '::ffff:0:0/96',
    '::/90',
  ])
    expect(() => proxies(all)).toThrow(/TRUSTED_PROXIES/);
  const eighths = Array.from({ length: 256 }, (_, n) => `${n}.0.0.0/8`);
  expect(() => proxies(eighths.join())).toThrow(/TRUSTED_PROXIES/);
  for (const wrong of ['everybody', '0.0.0.0/0', '10.0.0.0/33', '10.1/16', '10.0.0.1,', '-1', '1.5', '11'])
    expect(() => proxies(wrong)).toThrow(/TRUSTED_PROXIES/);
});

test('the limits of the API’s connections are settings, with the unit of the server', () => {
  expect(loadConfig({}).api.limits).toEqual({ connections: 2000, connectionsPerAddress: 256, keepAliveMs: 65_000 });
  const given = { API_MAX_CONNECTIONS_PER_ADDRESS: '2', API_KEEP_ALIVE_SECONDS: '90' };
  expect(loadConfig(given).api.limits).toMatchObject({ connectionsPerAddress: 2, keepAliveMs: 90_000 });
  expect(() => loadConfig({ API_KEEP_ALIVE_SECONDS: '0' })).toThrow(/API_KEEP_ALIVE_SECONDS/);
  for (const ms of ['499', '5001'])
    expect(() => loadConfig({ DATABASE_READ_MAX_AGE_MS: ms })).toThrow(/DATABASE_READ_MAX_AGE_MS/);
});

test('a betslip route is in the table, in the configuration, or absent', () => {
  expect(Object.keys(loadConfig({}).betslip).sort()).toEqual(['ladbrokes_au', 'neds']);
  const given = loadConfig({ BETSLIP_TAB_TEMPLATE: 'https://tab.example/{race}/{runner}' }).betslip;
  expect(given).toMatchObject({ tab: 'https://tab.example/{race}/{runner}', neds: '{source_url}/{runner}/{market}' });
  expect(() => loadConfig({ BETSLIP_TAB_TEMPLATE: 'https://tab.example/{horse}' })).toThrow(
    /BETSLIP_TAB_TEMPLATE.*horse/,
  );
});

test('an unknown or malformed variable of a source is refused in every environment, with the nearest name', () => {
  const refusal = (variables: Record<string, string>): string => {
    try {
      loadConfig(variables);
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
    }
    throw new Error(`not refused: ${JSON.stringify(variables)}`);
  };
  expect(refusal({ FEED_NEDS_ULR: 'https://api.neds.example' })).toBe(
    'FEED_NEDS_ULR is not a setting. Did you mean FEED_NEDS_URL?',
  );
  expect(refusal({ FEED_UNIBET_EVENTS_HASH: 'x' })).toContain('Did you mean FEED_UNIBET_EVENT_HASH?');
  expect(refusal({ BETSLIP_TAP_TEMPLATE: 'https://tab.example/' })).toContain('Did you mean BETSLIP_TAB_TEMPLATE?');
  expect(refusal({ FEED_TAB_SESSION: 'x' })).toBe('FEED_TAB_SESSION is not a setting.');
  expect(refusal({ FEED_BOOSTBET_URL: 'https://boostbet.example' })).toContain('boostbet is not polled');
  for (const url of ['notaurl', 'ftp://x', 'http://', 'https:x y'])
    expect(refusal({ FEED_TAB_URL: url })).toContain(url);
  expect(refusal({ FEED_TAB_URL: 'x', FEED_NEDS_PER_SECOND: '0' })).toMatch(/FEED_TAB_URL .*FEED_NEDS_PER_SECOND /);
  for (const stream of ['tcp://stream.example:443', 'stream.example:443', 'tls://stream.example'])
    expect(refusal({ FEED_BETFAIR_EX_AU_STREAM: stream })).toContain('tls://host:port');
  for (const stream of ['tls://stream.example:443', 'tcp://127.0.0.1:8091', 'tcp://localhost:8091'])
    expect(loadConfig({ FEED_BETFAIR_EX_AU_STREAM: stream }).feeds.betfair_ex_au!.settings).toEqual({ stream });
});

test('a betslip link leads to an https site, or to the simulator', () => {
  const linked = (template: string, SIMULATOR_URL?: string) =>
    loadConfig({ BETSLIP_TAB_TEMPLATE: template, SIMULATOR_URL }).betslip.tab;
  for (const template of ['{source_url}/{runner}', 'https://tab.example/{race}', 'http://127.0.0.1:8090/tab/{race}'])
    expect(linked(template)).toBe(template);
  expect(linked('http://simulator:8090/tab/{race}', 'http://simulator:8090')).toContain('simulator');
  for (const template of [
    'javascript:alert({race})',
    'http://tab.example/{race}',
    '//tab.example/{race}',
    'https://{race}',
  ])
    expect(() => linked(template)).toThrow(/BETSLIP_TAB_TEMPLATE .*https/);
});

test('vulnerability reports have a URI, or none', () => {
  const contact = (SECURITY_CONTACT?: string) => loadConfig({ SECURITY_CONTACT }).api.securityContact;
  expect([contact(), contact('mailto:security@odds.example'), contact('https://odds.example/report')]).toEqual([
    null,
    'mailto:security@odds.example',
    'https://odds.example/report',
  ]);
  for (const wrong of ['security@odds.example', 'http://odds.example', 'mailto:a b@c'])
    expect(() => contact(wrong)).toThrow(/^SECURITY_CONTACT /);
});

test('payments need Stripe’s key, and a refusal does not show its secrets', () => {
  expect(loadConfig({}).stripe).toBeNull();
  const STRIPE_SECRET_KEY = 'sk_test_1';
  const stripe = (STRIPE_TAX: string) => loadConfig({ STRIPE_SECRET_KEY, STRIPE_TAX }).stripe;
  expect(stripe('none')).toEqual({
    secretKey: 'sk_test_1',
    webhookSecret: null,
    apiBase: null,
    tax: { kind: 'none' },
  });
  expect(stripe('automatic')!.tax).toEqual({ kind: 'automatic' });
  expect(stripe('rate:txr_1GST')!.tax).toEqual({ kind: 'rate', rate: 'txr_1GST' });
  for (const wrong of ['yes', 'rate:', 'rate:10', 'txr_1']) expect(() => stripe(wrong)).toThrow(/^STRIPE_TAX must/);
  expect(() => loadConfig({ STRIPE_SECRET_KEY })).toThrow('STRIPE_TAX goes with STRIPE_SECRET_KEY: automatic, ');
  const STRIPE_WEBHOOK_SECRET = 'whsec_1';
  expect(() => loadConfig({ STRIPE_WEBHOOK_SECRET })).toThrow('STRIPE_WEBHOOK_SECRET goes with STRIPE_SECRET_KEY');
  for (const wrong of ['pk_live_secret', 'sk_live_secret key'])
    expect(() => loadConfig({ STRIPE_SECRET_KEY: wrong })).toThrow(/^STRIPE_SECRET_KEY must match pattern [^l]*$/);
  const BASE_URL = 'https://odds.example';
  const open = { NODE_ENV: 'production', BASE_URL, STRIPE_SECRET_KEY, STRIPE_API_BASE: 'http://stripe.example' };
  expect(() => loadConfig(open)).toThrow(/^STRIPE_API_BASE must be https/);
});

const KEYS = ['2026-11', '2025'].map((id, i) => `${id}:${Buffer.alloc(32, i).toString('base64')}`).join();

describe('NODE_ENV=production', () => {
  const production = (more: Record<string, string> = {}) =>
    loadConfig({
      NODE_ENV: 'production',
      BULK_FOLDER: '/srv/bulk',
      BASE_URL: 'https://odds.example',
      SECRET_KEYS: KEYS,
      BULK_SIGNING_KEYS: KEYS,
      ...more,
    });

  test('nothing is assumed: a source without an address is not collected, unless SIMULATOR_URL is given', () => {
    const bare = production();
    expect([bare.feeds, bare.registry, bare.topaz]).toEqual([{}, null, null]);
    const FEED_RACING_AUSTRALIA_URL = 'https://registry.example';
    const some = production({ FEED_NEDS_URL: 'https://neds.example', FEED_RACING_AUSTRALIA_URL });
    expect(Object.keys(some.feeds)).toEqual(['neds']);
    expect(some.registry!.baseUrl).toBe(FEED_RACING_AUSTRALIA_URL);
    const SIMULATOR_URL = 'http://simulator:8090';
    const simulated = production({ SIMULATOR_URL, FEED_NEDS_URL: 'https://neds.example' });
    expect(Object.keys(simulated.feeds).sort()).toEqual([...CONNECTED_BOOKS].sort());
    expect(simulated.feeds.tab!.baseUrl).toBe('http://simulator:8090/tab');
    expect(simulated.topaz!.settings).toEqual({ api_key: SIMULATED_TOPAZ_KEY });
  });

  const ODDS_API = {
    FEED_THE_ODDS_API_URL: 'https://odds.example',
    FEED_THE_ODDS_API_KEY: 'mine',
    FEED_THE_ODDS_API_MONTHLY_CREDITS: '500',
  };

  test('the sports feed is off without its three settings', () => {
    expect(production({}).sportsFeed).toBeNull();
    expect(production(ODDS_API).sportsFeed).toMatchObject({ monthlyCredits: 500 });
  });

  const DATABASE = 'postgres://odds:secret@db.internal/racing';

  test.each<[string, Record<string, string>]>([
    ['DATABASE_URL', { DATABASE_URL: 'postgres://racing@db.internal/racing' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://racing@localhost/racing?host=db.internal' }],
    ['REDIS_URL', { REDIS_URL: 'redis://cache.internal:6379' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://racing@/racing?host=db.internal' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres:///racing', PGHOST: 'db.internal', PGSSLMODE: 'require' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://odds:racing@localhost/racing' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://odds@localhost/racing', PGPASSWORD: 'racing' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://odds:odds@localhost/racing' }],
    ['DATABASE_DIRECT_URL has no password', { DATABASE_DIRECT_URL: 'postgres://odds@db.internal/racing?ssl=true' }],
    ['DATABASE_DIRECT_URL must have', { DATABASE_DIRECT_URL: 'postgres://odds:secret@db.internal/racing' }],
    ['DATABASE_DIRECT_URL has a default', { DATABASE_DIRECT_URL: 'postgres://odds:racing@localhost/racing' }],
    ['DATABASE_DIRECT_URL has another login', { DATABASE_DIRECT_URL: 'postgres://owner:secret@localhost/racing' }],
    ['DATABASE_READ_URL has no password', { DATABASE_READ_URL: 'postgres://racing@standby.internal/racing?ssl=true' }],
    ['DATABASE_READ_URL must have', { DATABASE_READ_URL: 'postgres://racing:secret@standby.internal/racing' }],
    ['DATABASE_READ_URL has a default', { DATABASE_READ_URL: 'postgres://odds:racing@localhost/racing' }],
    ...[
      '',
      '?sslmode=disable',
      '?sslmode=prefer',
      '?sslmode=no-verify',
      '?ssl=0',
      '?uselibpqcompat=true&sslmode=require',
    ].map((query): [string, Record<string, string>] => ['DATABASE_URL', { DATABASE_URL: `${DATABASE}${query}` }]),
    ['REDIS_URL', { REDIS_URL: 'redis://:secret@cache.internal:6379' }],
    ['REDIS_URL', { REDIS_URL: 'redis://:racing@localhost:6379' }],
    ['TEMPORAL_TLS', { TEMPORAL_ADDRESS: 'temporal.internal:7233' }],
    ['TEMPORAL_TLS', { TEMPORAL_ADDRESS: 'temporal.internal:7233', TEMPORAL_API_KEY: 'k', TEMPORAL_TLS: 'false' }],
    ['BASE_URL', { BASE_URL: '' }],
    ['BASE_URL', { BASE_URL: 'http://odds.example' }],
    ['BULK_FOLDER', { BULK_FOLDER: '' }],
    ['SECRET_KEYS', { SECRET_KEYS: '' }],
    ['BULK_SIGNING_KEYS', { BULK_SIGNING_KEYS: '' }],
    ['BULK_SIGNING_KEYS', { BULK_SIGNING_KEYS: `${KEYS},${DEVELOPMENT_SIGNING_KEY}` }],
    ['CLOCK_SPEED', { CLOCK_SPEED: '2', CLOCK_ANCHOR: '0' }],
    ['WEBHOOKS_ALLOW_LOOPBACK', { WEBHOOKS_ALLOW_LOOPBACK: 'true' }],
    ['WEBHOOKS_ALLOW_HTTP', { WEBHOOKS_ALLOW_HTTP: 'true' }],
    ['WEBHOOKS_TEST_CA', { WEBHOOKS_TEST_CA: join(__dirname, 'fixtures/tls/ca.pem') }],
    ['STRIPE_WEBHOOK_SECRET', { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_TAX: 'none' }],
    ['FEED_TOPAZ_API_KEY', { FEED_TOPAZ_URL: 'https://topaz.example', FEED_TOPAZ_API_KEY: SIMULATED_TOPAZ_KEY }],
    ['FEED_THE_ODDS_API_KEY', { ...ODDS_API, FEED_THE_ODDS_API_KEY: SIMULATED_ODDS_KEY }],
    ['FEED_THE_ODDS_API_URL', { ...ODDS_API, FEED_THE_ODDS_API_URL: '' }],
    ['FEED_THE_ODDS_API_URL', { ...ODDS_API, FEED_THE_ODDS_API_URL: 'http://odds.example' }],
  ])('%s of a laptop is refused: %j', (name, variables) => {
    expect(() => production(variables)).toThrow(new RegExp(`${name} .*NODE_ENV=production`));
    expect(() => loadConfig(variables)).not.toThrow();
  });

  test.each<[Record<string, string>]>([
    [{ DATABASE_URL: `${DATABASE}?sslmode=verify-full`, REDIS_URL: 'rediss://:secret@cache.internal' }],
    [{ DATABASE_URL: `${DATABASE}?sslmode=require` }],
    [{ DATABASE_URL: 'postgres://racing@db.internal/racing?ssl=true', PGPASSWORD: 'secret' }],
    [{ DATABASE_URL: DATABASE, PGSSLMODE: 'verify-full' }],
    [{ DATABASE_URL: 'postgres://racing@/racing?host=/var/run/postgresql', REDIS_URL: 'redis://[::1]:6379' }],
    [{ DATABASE_URL: 'postgres://racing@db.internal/racing?sslkey=/key.pem&sslcert=/cert.pem' }],
    [{ TEMPORAL_ADDRESS: 'temporal.internal:7233', TEMPORAL_TLS: 'true' }],
    [{ TEMPORAL_ADDRESS: 'temporal.internal:7233', TEMPORAL_API_KEY: 'k' }],
    [{ TEMPORAL_ADDRESS: '[::1]:7233' }],
  ])('TLS with a password or a certificate, or this machine, is enough: %j', (variables) => {
    expect(() => production(variables)).not.toThrow();
  });

  test('a named private network needs no TLS, but still a password', () => {
    const INSECURE_TRANSPORT = 'private-network';
    const clear = { DATABASE_URL: DATABASE, REDIS_URL: 'redis://:secret@cache', TEMPORAL_ADDRESS: 'temporal:7233' };
    expect(() => production({ ...clear, INSECURE_TRANSPORT })).not.toThrow();
    for (const wrong of ['true', 'private', '1'])
      expect(() => production({ ...clear, INSECURE_TRANSPORT: wrong })).toThrow(/^INSECURE_TRANSPORT /);
    const open = { ...clear, REDIS_URL: 'redis://cache', INSECURE_TRANSPORT };
    expect(() => production(open)).toThrow('REDIS_URL has no password');
  });

  test('the settings of the Kubernetes manifests start with the secrets that they document', () => {
    const text = readFileSync(join(__dirname, '../deploy/kubernetes/settings.yaml'), 'utf8');
    const lines = text.slice(text.indexOf('\ndata:')).matchAll(/^ {2}([A-Z_\d]+): '?(.*?)'?$/gm);
    const settings = Object.fromEntries([...lines].map(([, name, value]) => [name!, value!]));
    const [, query] = /DATABASE_URL='postgres:\S+(\?\S+)'/.exec(text)!;
    const [, scheme] = /REDIS_URL='(\w+:)/.exec(text)!;
    const secrets = {
      DATABASE_URL: `${DATABASE}${query}`,
      REDIS_URL: `${scheme}//:secret@cache.internal`,
      SECRET_KEYS: KEYS,
      BULK_SIGNING_KEYS: KEYS,
    };
    for (const name of ['SECRET_KEYS', 'BULK_SIGNING_KEYS']) expect(text).toContain(`--from-literal=${name}=`);
    expect(loadConfig({ ...settings, ...secrets }).refusesSuperuser).toBe(true);
  });

  test('the refusal has every reason, one sentence each', () => {
    const REDIS_URL = 'redis://:racing@cache.internal';
    const TEMPORAL_ADDRESS = 'temporal.internal:7233';
    const load = () =>
      production({ DATABASE_URL: DATABASE, REDIS_URL, TEMPORAL_ADDRESS, BASE_URL: '', BULK_FOLDER: '' });
    const names = ['REDIS_URL', 'DATABASE_URL', 'REDIS_URL', 'TEMPORAL_TLS', 'BASE_URL', 'BULK_FOLDER'];
    expect(load).toThrow(new RegExp(`^${names.map((name) => `${name} [^;]*`).join('; ')}$`));
    expect(load).not.toThrow(/secret/);
  });
});

test('the address for pushes and its key must be set together', () => {
  const SIMULATOR_PUSH_URL = 'http://127.0.0.1:8080/';
  const SIMULATOR_PUSH_KEY = 'k';
  expect(loadConfig({}).simulator.push).toBeNull();
  expect(loadConfig({ SIMULATOR_PUSH_URL, SIMULATOR_PUSH_KEY }).simulator.push).toEqual({
    url: 'http://127.0.0.1:8080',
    keys: Object.fromEntries(SPORT_BOOKS.map((book) => [book, 'k'])),
  });
  const own = { SIMULATOR_PUSH_URL, SIMULATOR_PUSH_KEY: 'boostbet:a' };
  expect(loadConfig(own).simulator.push!.keys).toEqual({ boostbet: 'a' });
  expect(() => loadConfig({ ...own, SIMULATOR_PUSH_KEY: 'pinnacle:a' })).toThrow(/SIMULATOR_PUSH_KEY .*boostbet/);
  expect(() => loadConfig({ SIMULATOR_PUSH_URL })).toThrow(/go together/);
});

test('a book’s rate is the table’s, per racing second, unless a variable sets it; the burst stays in proportion', () => {
  const { rate } = BOOKMAKERS.find((book) => book.key === 'tab')!;
  expect(loadConfig({}).feedRates.tab).toEqual(rate);
  expect(loadConfig({ FEED_TAB_PER_SECOND: '0.5' }).feedRates.tab).toEqual({
    perSecond: 0.5,
    burst: Math.max(1, (0.5 * rate.burst) / rate.perSecond),
  });
  const fast = loadConfig({ CLOCK_SPEED: '60', CLOCK_ANCHOR: '0', FEED_NEDS_PER_SECOND: '7' }).feedRates;
  expect(fast.tab!.perSecond).toBe(60 * rate.perSecond);
  expect(fast.neds!.perSecond).toBe(7);
  expect(() => loadConfig({ FEED_TAB_PER_SECOND: 'many' })).toThrow(/FEED_TAB_PER_SECOND/);
});

test('the number of workers that share the budgets is a setting; without it they are counted', () => {
  expect(loadConfig({}).worker.count).toBeNull();
  expect(loadConfig({ WORKER_COUNT: '4' }).worker.count).toBe(4);
});

test('SIMULATOR_FAULTS names scenarios, each for one book or for all', () => {
  expect(loadConfig({}).simulator.faults).toEqual([]);
  expect(loadConfig({ SIMULATOR_FAULTS: 'rate_limited:sportsbet,venue_respelt' }).simulator.faults).toEqual([
    { scenario: 'rate_limited', book: 'sportsbet' },
    { scenario: 'venue_respelt', book: null },
  ]);
  expect(() => loadConfig({ SIMULATOR_FAULTS: 'rate_limited:,' })).toThrow('SIMULATOR_FAULTS');
});

test('a worker with the previous roles serves the queues that their work moved to', () => {
  expect(loadConfig({ WORKER_ROLES: 'io' }).worker.roles).toEqual(['io', 'decisions']);
  expect(loadConfig({ WORKER_ROLES: 'workflows,poll' }).worker.roles).toEqual(['workflows', 'poll', 'exchange']);
  expect(loadConfig({ WORKER_ROLES: 'decisions' }).worker.roles).toEqual(['decisions']);
});

test('a setting limits how much work a worker takes at once', () => {
  const { webhooks, webhookRetries, ...slots } = loadConfig({}).worker.slots;
  expect(slots).toEqual({ live: 200, io: 100, backfill: 5, cachedWorkflows: 5000 });
  expect([webhooks, webhookRetries]).toEqual([500, 100]);
  expect(loadConfig({ WORKER_LIVE_SLOTS: '40' }).worker.slots.live).toBe(40);
  expect(() => loadConfig({ WORKER_IO_SLOTS: '0' })).toThrow(/WORKER_IO_SLOTS/);
});
