// A command and a process refuse a direct address of another database. With a real pooler: test/chaos/pooler.test.ts.
import { runCommand } from '../../../src/ops/run-command';
import { wrongDirect } from '../../../src/store/pg/sessions/direct';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { asLogin, throughPooler } from '../../support/servers/roles';

let one: TestDatabase;
let other: TestDatabase;
beforeAll(async () => {
  [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
});
afterAll(() => Promise.all([one.drop(), other.drop()]));

const keys = (databaseUrl: string, databaseDirectUrl: string) =>
  runCommand(['keys', 'list'], {
    DATABASE_URL: databaseUrl,
    DATABASE_DIRECT_URL: databaseDirectUrl,
    LOG_LEVEL: 'silent',
  });

test('a direct address of another database is refused by processes and by commands, before a statement', async () => {
  const sentence = 'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases';
  for (const group of ['racing_api', 'racing_worker'] as const) {
    const [databaseUrl, databaseDirectUrl] = [asLogin(one.url, group), asLogin(other.url, group)];
    expect(await wrongDirect({ databaseUrl, databaseDirectUrl })).toBe(sentence);
  }
  await other.pool.query('DROP TABLE api_keys CASCADE');
  expect(await keys(one.url, other.url)).toEqual({ code: 2, out: '', err: `${sentence}.\n` });
});

test('the same database under two addresses is none, and an empty setting is no setting', async () => {
  const login = asLogin(one.url, 'racing_api');
  const named = Object.assign(new URL(login), { hostname: 'localhost' }).href;
  expect(await wrongDirect({ databaseUrl: login, databaseDirectUrl: named })).toBeNull();
  expect(await wrongDirect({ databaseUrl: login, databaseDirectUrl: login })).toBeNull();
  expect((await keys(one.url, '')).code).toBe(0);
});

test('while DATABASE_URL does not answer a command is refused, and a process waits', async () => {
  const dead = throughPooler(one.url, 1);
  expect(await keys(dead, one.url)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^DATABASE_URL does not answer \(.*set DATABASE_URL to the direct address/),
  });
  await expect(wrongDirect({ databaseUrl: dead, databaseDirectUrl: one.url })).rejects.toThrow('does not answer');
});
