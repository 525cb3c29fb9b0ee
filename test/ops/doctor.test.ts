// `ops doctor`: each finding in every state, and the whole command over real servers with planted faults.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  addressFinding,
  backupFinding,
  clockFinding,
  imageFinding,
  loginFinding,
  secretFindings,
  transportFinding,
} from '../../src/ops/doctor/findings';
import { runCommand } from '../../src/ops/run-command';
import { createTestDatabase, type TestDatabase } from '../support/servers/database';
import { asLogin, throughPooler } from '../support/servers/roles';
import { createTestNamespace, type TestNamespace } from '../support/servers/temporal';

const NOW = '2026-11-28T03:00:00.000Z';
const FACTS = {
  login: 'odds_api',
  isOwner: false,
  groups: ['racing_api'],
  archives: true,
  lastArchivedAt: '2026-11-28T02:58:00.000Z',
  lastFailedAt: null,
  now: NOW,
} as const;

test.each([
  [{ isEncrypted: true, isHere: false }, false, 'ok'],
  [{ isEncrypted: false, isHere: true }, false, 'ok'],
  [{ isEncrypted: false, isHere: false }, true, 'note'],
  [{ isEncrypted: false, isHere: false }, false, 'fails'],
])('a hop %j, private network %p: %s', (reached, isPrivate, is) => {
  expect(transportFinding('Redis', reached, isPrivate).is).toBe(is);
});

test.each([
  [{}, false, 'ok'],
  [{}, true, 'fails'],
  [{ isOwner: true }, false, 'fails'],
  [{ groups: [] }, false, 'fails'],
  [{ groups: ['racing_api', 'racing_worker'] }, false, 'fails'],
])('a login with %j, superuser %p: %s', (over, isSuperuser, is) => {
  expect(loginFinding({ ...FACTS, ...over }, isSuperuser).is).toBe(is);
});

test.each([
  [{}, 'ok'],
  [{ archives: false }, 'note'],
  [{ lastArchivedAt: null }, 'fails'],
  [{ lastFailedAt: '2026-11-28T02:59:00.000Z' }, 'fails'],
  [{ lastFailedAt: '2026-11-28T02:57:00.000Z' }, 'ok'],
  [{ lastArchivedAt: '2026-11-28T01:59:00.000Z' }, 'fails'],
])('an archive of the log with %j: %s', (over, is) => {
  expect(backupFinding({ ...FACTS, ...over }).is).toBe(is);
});

test('clocks, the image and the public address', () => {
  expect([-251, -250, 0, 250, 251].map((ms) => clockFinding(ms).is)).toEqual(['fails', 'ok', 'ok', 'ok', 'fails']);
  expect(clockFinding(-3200).sentence).toContain('3.2 s behind');
  expect([imageFinding(null).is, imageFinding('sha256:0').is]).toEqual(['note', 'ok']);
  const of = (url: string, reply: number | string) => addressFinding(url, reply).is;
  expect([of('https://a.example', 200), of('https://a.example', 502), of('https://a.example', 'refused')]).toEqual([
    'ok',
    'fails',
    'fails',
  ]);
  expect(of('http://a.example', 200)).toBe('fails');
});

test.each([
  [null, {}, [], ['note']],
  [null, { '': 3 }, ['k1'], ['note']],
  [null, { '': 3, k0: 1 }, ['k1'], ['note', 'fails']],
  ['k1', { k1: 3 }, ['k1'], ['ok']],
  ['k1', { k1: 3, k2: 1 }, ['k1', 'k2'], ['fails']],
  ['k1', { k1: 3, '': 1 }, ['k1'], ['fails']],
  ['k1', {}, ['k2'], ['ok', 'fails']],
])('secrets under %j with %j, keys %j: %j', (keyId, counts, keyIds, is) => {
  const byKey = new Map(Object.entries(counts));
  expect(secretFindings({ keyId, byKey }, keyIds).map((finding) => finding.is)).toEqual(is);
});

describe('over real servers', () => {
  let db: TestDatabase;
  let temporal: TestNamespace;
  let site: Server;
  beforeAll(async () => {
    [db, temporal] = await Promise.all([createTestDatabase(), createTestNamespace()]);
    site = createServer((_, response) => void response.end('{}'));
    await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
  });
  afterAll(async () => {
    site.closeAllConnections();
    site.close();
    await Promise.all([db.drop(), temporal.close()]);
  });

  const doctor = (over: Record<string, string> = {}) =>
    runCommand(['doctor'], {
      DATABASE_URL: asLogin(db.url, 'racing_api'),
      REDIS_URL: process.env.REDIS_URL,
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: temporal.namespace,
      BASE_URL: `http://127.0.0.1:${(site.address() as AddressInfo).port}`,
      LOG_LEVEL: 'silent',
      ...over,
    });
  const findings = ({ out, err }: { out: string; err: string }) => (out || err).trim().split('\n');

  test('a least-privilege login passes; an address without https fails', async () => {
    const result = await doctor();
    expect(result.code).toBe(1);
    const failing = findings(result).filter((line) => line.startsWith('fails'));
    expect(failing).toEqual([expect.stringContaining('is not https')]);
    expect(findings(result)).toEqual(
      expect.arrayContaining([
        'ok     The login racing_api_test has the rights of racing_api and no more.',
        'ok     Redis answers.',
        'ok     Temporal answers.',
      ]),
    );
  });

  test('while the pooler is down, what is found without it is still reported', async () => {
    const login = asLogin(db.url, 'racing_api');
    const lines = findings(await doctor({ DATABASE_URL: throughPooler(login, 9), DATABASE_DIRECT_URL: login }));
    expect(lines).toContain('ok     The login racing_api_test has the rights of racing_api and no more.');
    expect(lines).toContainEqual(expect.stringMatching(/^fails {2}The PostgreSQL of DATABASE_URL does not answer: /));
    expect(findings(await doctor())).toContain(
      'ok     DATABASE_DIRECT_URL leads past any pooler, to the database of DATABASE_URL.',
    );
  });

  test('a superuser, an unavailable Redis and an unavailable site are each a sentence, with exit code 1', async () => {
    const result = await doctor({
      DATABASE_URL: db.url,
      REDIS_URL: 'redis://127.0.0.1:9',
      BASE_URL: 'https://127.0.0.1:9',
    });
    expect([result.code, result.out]).toEqual([1, '']);
    const failing = findings(result).filter((line) => line.startsWith('fails'));
    expect(failing).toEqual([
      expect.stringMatching(/is a superuser/),
      expect.stringMatching(/Redis does not answer/),
      expect.stringMatching(/does not answer at https:\/\/127\.0\.0\.1:9/),
    ]);
  });

  test('a repeatable command seals secrets; unsealed secrets and a missing key are a sentence each', async () => {
    const key = (id: string) => `${id}:${Buffer.alloc(32, id).toString('base64')}`;
    const seal = (SECRET_KEYS: string, ...more: string[]) =>
      runCommand(['secrets', 'seal', ...more], { DATABASE_URL: db.url, SECRET_KEYS, LOG_LEVEL: 'silent' });
    const ofSecrets = async (SECRET_KEYS: string, group: 'racing_api' | 'racing_worker' = 'racing_api') =>
      findings(await doctor({ SECRET_KEYS, DATABASE_URL: asLogin(db.url, group) })).filter((line) =>
        /secrets/.test(line),
      );
    expect(await ofSecrets('')).toEqual(['note   Secrets are stored as they are: ops secrets seal has not been run.']);
    expect(await seal('')).toMatchObject({ code: 2, err: 'SECRET_KEYS is not set: there is no key to seal under.\n' });
    const under = (id: string, now: number, again: number) =>
      `secrets are sealed under the key ${id}; sealed now: ${now}, sealed again: ${again}\n`;
    expect(await seal(key('k1'))).toEqual({ code: 0, out: under('k1', 1, 0), err: '' });
    expect(await seal(key('k1'))).toEqual({ code: 0, out: under('k1', 0, 0), err: '' });
    expect(await ofSecrets(key('k1'))).toEqual([
      'ok     All 1 stored secrets that this login may read are sealed under the key k1.',
    ]);
    expect(await ofSecrets(key('k2'), 'racing_worker')).toEqual([
      'ok     All 0 stored secrets that this login may read are sealed under the key k1.',
      'fails  SECRET_KEYS of this process lacks the key k1: 0 stored secrets are sealed under it, and so is every new one.',
    ]);
    await db.pool.query(`INSERT INTO service_secrets VALUES ('late', '\\x00ff')`);
    expect(await ofSecrets(key('k1'))).toEqual([
      'fails  Of 2 stored secrets that this login may read 1 are not sealed, and 0 are under another key than k1: run ops secrets seal again.',
    ]);
    expect(await seal(`${key('k2')},${key('k1')}`)).toEqual({ code: 0, out: under('k2', 1, 1), err: '' });
    expect(await seal(key('k3'))).toMatchObject({ code: 2, err: expect.stringContaining('add --lost k2.') });
    const lost = await seal(key('k3'), '--lost', 'k2');
    expect(lost).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^2 secrets cannot be opened and stay as they are/),
    });
    expect(lost.err).not.toContain(key('k3').slice(5));
  });
});
