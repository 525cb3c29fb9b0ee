// How Temporal is reached, by its own variables and profile files, which are never looked for.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, loadConfig } from '../src/config';

const TLS = join(__dirname, 'fixtures/tls');
const target = (variables: Record<string, string>) => loadConfig(variables).temporal;

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'temporal-'));
  writeFileSync(
    join(home, 'profiles.toml'),
    '[profile.default]\naddress = "default.example:7233"\n' +
      '[profile.cloud]\naddress = "cloud.example:7233"\nnamespace = "racing.acc"\napi_key = "of the file"\n',
  );
});
afterAll(() => rmSync(home, { recursive: true }));

test('without settings it is the local server, without TLS', () => {
  expect(target({})).toMatchObject({ namespace: 'default', connection: { address: '127.0.0.1:7233' } });
  expect(target({}).connection).not.toHaveProperty('tls');
});

test('an API key turns TLS on; a client certificate comes with its key and its authority', () => {
  const cloud = target({ TEMPORAL_API_KEY: 'k', TEMPORAL_ADDRESS: 'x:7233', TEMPORAL_NAMESPACE: 'a.b' });
  expect(cloud).toMatchObject({ namespace: 'a.b', connection: { address: 'x:7233', apiKey: 'k', tls: true } });
  const mtls = target({
    TEMPORAL_TLS_CLIENT_CERT_PATH: join(TLS, 'client.pem'),
    TEMPORAL_TLS_CLIENT_KEY_PATH: join(TLS, 'client.key'),
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: join(TLS, 'ca.pem'),
    TEMPORAL_TLS_SERVER_NAME: 'temporal.test',
  });
  expect(mtls.connection.tls).toMatchObject({
    serverNameOverride: 'temporal.test',
    clientCertPair: { crt: expect.any(Uint8Array), key: expect.any(Uint8Array) },
  });
  expect(() => target({ TEMPORAL_TLS_CLIENT_CERT_PATH: join(TLS, 'client.pem') })).toThrow(/go together/);
  expect(() => target({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/no/such/file' })).toThrow(ConfigError);
});

test('a profile is read from the named file, and a variable overrides it', () => {
  const file = { TEMPORAL_CONFIG_FILE: join(home, 'profiles.toml') };
  expect(target(file).connection.address).toBe('default.example:7233');
  expect(target({ ...file, TEMPORAL_PROFILE: 'cloud' })).toMatchObject({
    namespace: 'racing.acc',
    connection: { address: 'cloud.example:7233', apiKey: 'of the file', tls: true },
  });
  expect(target({ ...file, TEMPORAL_ADDRESS: 'here:1' }).connection.address).toBe('here:1');
  expect(() => target({ ...file, TEMPORAL_PROFILE: 'other' })).toThrow(/other/);
  expect(() => target({ TEMPORAL_CONFIG_FILE: join(home, 'none.toml') })).toThrow(/there is no file/);
});

test('no other file is read, wherever a developer keeps one', () => {
  writeFileSync(join(home, 'temporal.toml'), '[profile.default]\naddress = "developer.example:7233"\n');
  expect(target({ HOME: home, XDG_CONFIG_HOME: home, APPDATA: home }).connection.address).toBe('127.0.0.1:7233');
  expect(() => target({ TEMPORAL_PROFILE: 'cloud' })).toThrow(/TEMPORAL_PROFILE needs TEMPORAL_CONFIG_FILE/);
});

test('heartbeats come often enough for their timeout', () => {
  const worker = (every: string | undefined, timeout: string) =>
    loadConfig({ WORKER_HEARTBEAT_SECONDS: every, HEARTBEAT_TIMEOUT_SECONDS: timeout }).worker;
  expect(worker('15', '60')).toMatchObject({ heartbeatMs: 15_000, heartbeatTimeoutMs: 60_000 });
  // One may be lost before another worker takes the race.
  expect(loadConfig({}).worker).toMatchObject({ heartbeatMs: 10_000, heartbeatTimeoutMs: 20_000 });
  for (let timeout = 10; timeout <= 120; timeout++) {
    const heartbeatMs = Math.min(10_000, timeout * 500);
    expect(worker(undefined, `${timeout}`)).toMatchObject({ heartbeatMs, heartbeatTimeoutMs: timeout * 1000 });
  }
  expect(worker('30', '60')).toMatchObject({ heartbeatMs: 30_000 });
  expect(() => worker('11', '20')).toThrow(/at most half/);
  expect(() => worker('31', '60')).toThrow(/at most half/);
});

test('a port for operators is a number, off, or a free one', () => {
  const port = (WORKER_HEALTH_PORT: string) => loadConfig({ WORKER_HEALTH_PORT }).worker.healthPort;
  expect(['8081', '0', 'auto'].map(port)).toEqual([8081, null, 0]);
  expect(() => port('65536')).toThrow(/WORKER_HEALTH_PORT/);
  expect(() => port('any')).toThrow(/WORKER_HEALTH_PORT/);
});
