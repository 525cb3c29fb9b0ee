// The outbox and its senders, with a real SMTP server that comes, goes and refuses.
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { startHousekeeping } from '../../../../src/accounts/housekeeping';
import { startMailSender } from '../../../../src/accounts/mail/sender';
import {
  createFolderTransport,
  createSmtpTransport,
  type MailTransport,
  removeMailFiles,
} from '../../../../src/accounts/mail/transport';
import { mailDisabledWebhooks } from '../../../../src/accounts/notices/webhook-notices';
import { createStores } from '../../../../src/store/create-stores';
import type { Stores } from '../../../../src/store/stores';
import { until } from '../../../support/races/stream-lab';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database';
import { freePort } from '../../../support/servers/free-port';
import { poolAs } from '../../../support/servers/roles';

const FROM = 'Racing odds <no-reply@odds.example>';
const START = Date.parse('2024-11-21T03:00:00.000Z');
const DAY_MS = 86_400_000;

let db: TestDatabase;
let pool: ReturnType<typeof poolAs>;
let stores: Stores;
let nowMs = START;
let port: number;
let server: SMTPServer | null = null;
const received: { readonly to: string; readonly text: string }[] = [];
const warnings: object[] = [];
const log = { warn: (fields: object) => void warnings.push(fields) };

const notices = (atMs: number) =>
  mailDisabledWebhooks(
    { store: stores.ownedWebhooks, baseUrl: 'https://odds.example', mailWritten: () => undefined },
    atMs,
  );

beforeAll(async () => {
  [db, port] = await Promise.all([createTestDatabase(), freePort()]);
  pool = poolAs(db, 'racing_api');
  stores = createStores(pool);
});
beforeEach(() => {
  received.length = 0;
  warnings.length = 0;
});
afterEach(async () => {
  await stopServer();
  await db.pool.query('DELETE FROM mails');
});
afterAll(async () => {
  await pool.end();
  await db.drop();
});

async function startServer(): Promise<void> {
  server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _, done) =>
      username === 'odds' && password === 'p@ss/word' ? done(null, { user: username }) : done(new Error('no')),
    onRcptTo: ({ address }, _, done) =>
      done(address.startsWith('gone') ? Object.assign(new Error('no such user'), { responseCode: 550 }) : null),
    onData(stream, { envelope }, done) {
      let text = '';
      stream.on('data', (chunk) => {
        text += chunk;
      });
      stream.on('end', () => {
        received.push({ to: envelope.rcptTo.map(({ address }) => address).join(), text });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  await once(server.listen(port, '127.0.0.1'), 'listening');
  expect((server.server.address() as AddressInfo).port).toBe(port);
}

async function stopServer(): Promise<void> {
  const open = server;
  server = null;
  if (open) await new Promise<void>((done) => open.close(() => done()));
}

const smtp = () => createSmtpTransport(`smtp://odds:p%40ss%2Fword@127.0.0.1:${port}`, FROM);

const write = async (recipient: string, { body = 'Hello\n', lifeMs = 3 * DAY_MS } = {}): Promise<void> => {
  const [at, giveUpAt] = [nowMs, nowMs + lifeMs].map((ms) => new Date(ms).toISOString());
  await db.pool.query(
    `INSERT INTO mails (mail_id, recipient, subject, body, created_at, due_at, give_up_at) VALUES ($1, $2, 'Sign in', $3, $4, $4, $5)`,
    [randomUUID(), recipient, body, at, giveUpAt],
  );
};
const rows = async () =>
  (
    await db.pool.query(
      'SELECT recipient, subject, body, attempts, sent_at, problem, due_at FROM mails ORDER BY recipient',
    )
  ).rows;

const sender = (transport: MailTransport) =>
  startMailSender({ mails: stores.mails, transport, wallMs: () => nowMs, log, random: () => 0.5, pollMs: 3_600_000 });

test('a mail is sent once, in plain text, and its text is then deleted', async () => {
  await startServer();
  await write('jo@example.com', { body: 'Open https://api.example.com/verify?token=abc\n' });
  const sending = sender(smtp());
  await until(async () => (await rows())[0].sent_at !== null);
  await sending.stop();
  expect(await rows()).toMatchObject([{ recipient: 'jo@example.com', body: null, attempts: 1, problem: null }]);
  expect(received).toHaveLength(1);
  const [{ to, text }] = received as [(typeof received)[number]];
  expect(to).toBe('jo@example.com');
  for (const line of [
    `From: ${FROM}`,
    'To: jo@example.com',
    'Subject: Sign in',
    'Auto-Submitted: auto-generated',
    /^Message-ID: <[\w-]+@odds\.example>/m,
  ])
    expect(text).toMatch(line);
  expect(text).toContain('Open https://api.example.com/verify?token=abc');
});

test('while the server is away a mail waits, longer each time, and is sent when it returns', async () => {
  await write('jo@example.com');
  const sending = sender(smtp());
  await until(async () => (await rows())[0].problem !== null);
  const [first] = await rows();
  expect(first.attempts).toBe(1);
  expect(Date.parse(first.due_at)).toBe(nowMs + 10_000);
  expect(await stores.mails.waiting()).toEqual({ count: 1, oldestAt: new Date(nowMs).toISOString() });
  nowMs += 10_000;
  sending.nudge();
  await until(async () => (await rows())[0].attempts === 2);
  await until(async () => Date.parse((await rows())[0].due_at) === nowMs + 20_000);
  await startServer();
  nowMs += 20_000;
  sending.nudge();
  await until(async () => (await rows())[0].sent_at !== null);
  await sending.stop();
  expect(received).toHaveLength(1);
  expect(await stores.mails.waiting()).toEqual({ count: 0, oldestAt: null });
  // Neither an address nor a text.
  expect(JSON.stringify(warnings)).not.toMatch(/example|Hello/);
});

test('several processes send each mail once', async () => {
  await startServer();
  const recipients = Array.from({ length: 25 }, (_, i) => `n${String(i).padStart(2, '0')}@example.com`);
  await Promise.all(recipients.map((recipient) => write(recipient)));
  const senders = [sender(smtp()), sender(smtp()), sender(smtp())];
  await until(async () => (await stores.mails.waiting()).count === 0);
  await Promise.all(senders.map((one) => one.stop()));
  expect(received.map(({ to }) => to).sort()).toEqual(recipients);
});

test('when a process dies, another sends its mail after the lease ends', async () => {
  await startServer();
  await write('jo@example.com');
  const iso = (ms: number) => new Date(ms).toISOString();
  expect(await stores.mails.claim(iso(nowMs), iso(nowMs + 120_000), 10)).toHaveLength(1);
  expect(await stores.mails.claim(iso(nowMs + 119_999), iso(nowMs + 240_000), 10)).toEqual([]);
  nowMs += 120_000;
  const sending = sender(smtp());
  await until(async () => received.length === 1);
  await sending.stop();
});

test('a mail to a recipient that does not exist, and a mail that is too late, are given up', async () => {
  await startServer();
  await write('gone@example.com');
  await write('late@example.com', { lifeMs: -1 });
  const sending = sender(smtp());
  await until(async () => (await stores.mails.waiting()).count === 0);
  await sending.stop();
  expect(await rows()).toMatchObject([
    { recipient: 'gone@example.com', body: null, sent_at: null, problem: expect.stringContaining('no such user') },
    { recipient: 'late@example.com', body: null, sent_at: null, problem: 'not sent in time' },
  ]);
  expect(received).toEqual([]);
});

test('a stop waits for the mail being sent', async () => {
  await write('jo@example.com');
  let release = () => {};
  let hasBegun = false;
  const sent = new Promise<void>((done) => {
    release = done;
  });
  const transport: MailTransport = {
    send: () => {
      hasBegun = true;
      return sent;
    },
    close: () => undefined,
  };
  const sending = sender(transport);
  await until(() => hasBegun);
  const stopped = sending.stop();
  release();
  await stopped;
  expect((await rows())[0].sent_at).not.toBeNull();
});

test('without a server a mail is a file that only its owner can read', async () => {
  const folder = join(await mkdtemp(join(tmpdir(), 'mails-')), 'inbox');
  const link = `https://api.example.com/login/link?token=${'a'.repeat(43)}`;
  await write('jo@example.com', { body: `Your account’s link:\n\n${link}\n` });
  const sending = sender(createFolderTransport(folder, FROM));
  await until(async () => (await rows())[0].sent_at !== null);
  await sending.stop();
  const [name, ...others] = await readdir(folder);
  expect(others).toEqual([]);
  expect(name).toMatch(/^2024-11-21T.* [\w-]+\.eml$/);
  expect(await readFile(join(folder, name!), 'utf8')).toMatch(
    new RegExp(`^Content-Transfer-Encoding: 8bit$[^]*\n\nYour account’s link:\n\n${link.replace('?', '\\?')}\n$`, 'm'),
  );
  expect([(await stat(folder)).mode & 0o777, (await stat(join(folder, name!))).mode & 0o777]).toEqual([0o700, 0o600]);
  await rm(folder, { recursive: true });
});

test('expired rows are removed, and nothing else', async () => {
  const { rows: made } = await db.pool.query(
    `INSERT INTO accounts (plan, created_at) VALUES ('free', now()) RETURNING account_id`,
  );
  const accountId = made[0].account_id;
  const add = (table: string, columns: string, values: unknown[]) =>
    db.pool.query(`INSERT INTO ${table} (${columns}) VALUES (${values.map((_, i) => `$${i + 1}`).join()})`, values);
  const at = (ms: number) => new Date(nowMs + ms);
  for (const [n, ms] of [-8 * DAY_MS, -1, DAY_MS].entries()) {
    const hash = Buffer.from([n]);
    await add('sessions', 'token_hash, account_id, created_at, expires_at', [
      hash,
      accountId,
      at(-30 * DAY_MS),
      at(ms),
    ]);
    await add('known_browsers', 'token_hash, account_id, expires_at', [hash, accountId, at(ms)]);
    const link = [hash, 'login', accountId, 'jo@example.com', at(-30 * DAY_MS), at(ms)];
    await add('mailed_links', 'token_hash, purpose, account_id, email, created_at, expires_at', link);
    const mail = [randomUUID(), `${n}@example.com`, 's', n === 2 ? 'waits' : null, at(ms), at(ms)];
    await add('mails', 'mail_id, recipient, subject, body, created_at, due_at', mail);
  }
  const counts = async () => {
    const tables = ['sessions', 'known_browsers', 'mailed_links', 'mails'];
    const all = await Promise.all(tables.map((table) => db.pool.query(`SELECT count(*) AS n FROM ${table}`)));
    return all.map(({ rows }) => rows[0].n);
  };
  const keeping = startHousekeeping({ expired: stores.expired, folder: null, notices, wallMs: () => nowMs, log });
  await until(async () => (await counts()).join() === '1,1,2,2');
  keeping.stop();
  expect(warnings).toEqual([]);
});

test('rows valid by the database’s clock are kept, however far ahead a process is (D37)', async () => {
  const text = `INSERT INTO accounts (plan, created_at) VALUES ('free', now()) RETURNING account_id`;
  const { account_id: accountId } = (await db.pool.query(text)).rows[0];
  const session = `INSERT INTO sessions (token_hash, account_id, created_at, expires_at) VALUES ($1, $2, now(), now() + $3::interval)`;
  for (const lasts of ['-1 second', '1 hour']) await db.pool.query(session, [randomBytes(32), accountId, lasts]);
  const download = `INSERT INTO bulk_downloads (account_id, name, charge_id, begun_at) VALUES ($1, $2, gen_random_uuid(), now() - $2::text::interval)`;
  for (const ago of ['23 hours', '25 hours']) await db.pool.query(download, [accountId, ago]);
  const ahead = new Date(Date.now() + 365 * DAY_MS).toISOString();
  await stores.expired.remove(ahead);
  await createStores(db.pool).bulkFiles.forget(ahead, ahead);
  const left = async (table: string) =>
    (await db.pool.query(`SELECT FROM ${table} WHERE account_id = $1`, [accountId])).rowCount;
  expect([await left('sessions'), await left('bulk_downloads')]).toEqual([1, 1]);
});

test('an unconfirmed sign-up keeps no password, an unsent mail keeps no link, and mail files are deleted after a week', async () => {
  const at = (ms: number) => new Date(nowMs + ms).toISOString();
  const link = `INSERT INTO mailed_links (token_hash, purpose, email, signup, created_at, expires_at) VALUES ($1, 'verify', 'jo@example.com', $2, $3, $4)`;
  for (const ms of [-1, 1000])
    await db.pool.query(link, [randomBytes(32), { label: 'x', passwordHash: 'hash' }, at(-DAY_MS), at(ms)]);
  await write('late@example.com', { lifeMs: -3_600_000 });
  await write('claimed@example.com', { lifeMs: -3_599_999 });
  const folder = await mkdtemp(join(tmpdir(), 'mails-'));
  const names = [-7 * DAY_MS - 1, -7 * DAY_MS].map((ms) => `${at(ms).replaceAll(':', '-')} ${randomUUID()}.eml`);
  for (const name of [...names, `.${names[0]}`, 'notes.eml', '2020-01-01 photo.jpg'])
    await writeFile(join(folder, name), 'x');
  let done = false;
  const removeBefore = async (before: string) => {
    await removeMailFiles(folder, before);
    await removeMailFiles(join(folder, 'missing'), before);
    done = true;
  };
  const keeping = startHousekeeping({
    expired: stores.expired,
    folder: { removeBefore },
    notices,
    wallMs: () => nowMs,
    log,
  });
  await until(() => done);
  keeping.stop();
  expect(warnings).toEqual([]);
  const signups = `SELECT signup ? 'passwordHash' AS kept, signup->>'label' AS label FROM mailed_links WHERE purpose = 'verify' ORDER BY expires_at`;
  expect((await db.pool.query(signups)).rows).toEqual([
    { kept: false, label: 'x' },
    { kept: true, label: 'x' },
  ]);
  expect(await rows()).toMatchObject([
    { recipient: 'claimed@example.com', body: 'Hello\n' },
    { recipient: 'late@example.com', body: null, sent_at: null, problem: 'not sent in time' },
  ]);
  expect((await readdir(folder)).sort()).toEqual(['2020-01-01 photo.jpg', names[1], 'notes.eml'].sort());
  await rm(folder, { recursive: true });
});

test('the owner of a disabled webhook is mailed once; a deleted webhook, or one without an owner, causes no mail', async () => {
  const account = `INSERT INTO accounts (plan, created_at) VALUES ('plus', now()) RETURNING account_id AS id`;
  const owned = (await db.pool.query(account)).rows[0].id;
  const ownerless = (await db.pool.query(account)).rows[0].id;
  const owner = `INSERT INTO account_owners (account_id, email, email_key, verified_at, terms_accepted_at) VALUES ($1, 'owner@example.com', 'owner@example.com', now(), now())`;
  await db.pool.query(owner, [owned]);
  const add = `
    INSERT INTO webhooks (webhook_id, account_id, url, secret, created_at, disabled_at, disabled_reason, deleted_at)
    VALUES ($1, $2, 'https://hooks.example.com/token', 'whsec_x', now(), $3, $4, $5)`;
  const at = new Date(nowMs).toISOString();
  await db.pool.query(add, ['wh_000000000001', owned, at, 'gone', null]);
  await db.pool.query(add, ['wh_000000000002', owned, at, 'failing', at]);
  await db.pool.query(add, ['wh_000000000003', owned, null, null, null]);
  await db.pool.query(add, ['wh_000000000004', ownerless, at, 'failing', null]);
  await Promise.all([notices(nowMs), notices(nowMs)]);
  await notices(nowMs);
  const mails = await rows();
  expect(mails).toMatchObject([{ recipient: 'owner@example.com', subject: 'A webhook was disabled' }]);
  expect(mails[0].body).toMatch(/wh_000000000001 any more: its receiver responded with 410/);
  expect(mails[0].body).toMatch(/stored for 30 days, but for odds\.change.* at most 24 hours and 10,000 events/);
  expect(mails[0].body).not.toMatch(/hooks\.example|whsec/);
  const left = await stores.ownedWebhooks.unmailed();
  expect(left).toEqual([]);
  await db.pool.query('DELETE FROM webhooks');
});

test('of keys that ended three months ago only the last row of an id with use is kept, without its hash', async () => {
  const text = `INSERT INTO accounts (plan, created_at) VALUES ('business', now()) RETURNING account_id`;
  const { account_id: accountId } = (await db.pool.query(text)).rows[0];
  const [primary, used, unused, recent, operator] = Array.from({ length: 5 }, () => randomUUID());
  const ended = new Date(nowMs - 90 * DAY_MS);
  const add = (
    keyId: string,
    version: number,
    of: { revoked?: Date | null; expires?: Date; role?: string; first?: boolean },
  ) =>
    db.pool.query(
      `INSERT INTO api_keys (key_hash, last4, label, plan, issued_at, account_id, key_id, version, is_primary, role, revoked_at, expires_at)
       VALUES ($1, 'last', $2, 'business', '2024-01-01', $3, $4, $5, $6, $7, $8, $9)`,
      [
        randomBytes(32),
        `v${version}`,
        accountId,
        keyId,
        version,
        of.first ?? false,
        of.role ?? 'customer',
        of.revoked,
        of.expires,
      ],
    );
  await add(primary!, 1, { first: true, expires: ended });
  await add(primary!, 2, { first: true, expires: new Date(nowMs - 90 * DAY_MS + 1) });
  await add(primary!, 3, { first: true });
  await add(used!, 1, { expires: ended, revoked: ended });
  await add(used!, 2, { revoked: ended });
  await add(unused!, 1, { revoked: ended });
  await add(recent!, 1, { revoked: new Date(nowMs - 89 * DAY_MS) });
  await add(operator!, 1, { revoked: ended, role: 'internal' });
  const use = `INSERT INTO credit_usage (account_id, day, key_id, subject, calls, credits, last_at) VALUES ($1, '2024-08-01', $2, '/v1/x', 1, 1, '2024-08-01')`;
  await db.pool.query(use, [accountId, used]);
  await stores.expired.remove(new Date(nowMs).toISOString());
  const left = `SELECT key_id, version, octet_length(key_hash) AS bytes FROM api_keys WHERE account_id = $1 ORDER BY key_id, version`;
  const kept = [
    { key_id: primary!, version: 2, bytes: 32 },
    { key_id: primary!, version: 3, bytes: 32 },
    { key_id: used!, version: 2, bytes: 16 },
    { key_id: recent!, version: 1, bytes: 32 },
    { key_id: operator!, version: 1, bytes: 32 },
  ];
  expect((await db.pool.query(left, [accountId])).rows).toEqual(
    kept.sort((a, b) => (`${a.key_id} ${a.version}` < `${b.key_id} ${b.version}` ? -1 : 1)),
  );
  expect(await stores.expired.remove(new Date(nowMs).toISOString())).toBe(false);
  // No process writes a hash by itself.
  await expect(pool.query(`UPDATE api_keys SET key_hash = 'x'`)).rejects.toThrow(/permission denied/);
});
