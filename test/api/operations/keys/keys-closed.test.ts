// Closed accounts on two API processes: nothing of one works again, nothing personal is left of it, and no mail follows
// its farewell, whatever is under way while it is closed.
import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { createAccounts } from '../../../../src/accounts/accounts';
import { mailboxOf } from '../../../../src/accounts/email/mailbox';
import { closeAccount } from '../../../../src/accounts/leaving/close-account';
import { mailTo } from '../../../../src/accounts/mail/texts';
import { mailDisabledWebhooks } from '../../../../src/accounts/notices/webhook-notices';
import { mailNearMonthLimits } from '../../../../src/accounts/notices/widget-notices';
import { createPasswords } from '../../../../src/accounts/passwords';
import { createAddressCount } from '../../../../src/api/kernel/limits/address-count';
import { settingsOf } from '../../../../src/api/operations/widgets/settings';
import { createStores } from '../../../../src/store/create-stores';
import { hashApiKey } from '../../../../src/store/keys/keys';
import { LEGAL_VERSIONS } from '../../../../src/web/plain/legal-pages';
import { keyRow, newKey } from '../../../support/api/api';
import { noticeAt } from '../../../support/api/notices';
import { addBackfillJob } from '../../../support/api/served';
import { runs } from '../../../support/property';
import { keyProcesses } from './key-processes';

const lab = keyProcesses();
const { call, statuses, addKey, rotated, accountOf, announced } = lab;

const BASE_URL = 'https://api.example.com';
const stores = () => createStores(lab.pool);
const wallMs = () => lab.here.now;
const at = () => new Date(wallMs()).toISOString();
const close = (accountId: string) =>
  closeAccount({ closures: stores().closures, wallMs, baseUrl: BASE_URL }, accountId);
const rows = async (text: string, values: unknown[] = []) => (await lab.served.db.pool.query(text, values)).rows;
const CLOSED = /is closed/;

const accounts = () =>
  createAccounts({
    ...stores(),
    ...{ passwords: createPasswords(), receivesMail: async () => 'yes', random: randomBytes, wallMs },
    counts: createAddressCount(null, wallMs),
    baseUrl: BASE_URL,
    versions: LEGAL_VERSIONS,
    mailWritten: () => {},
  });
const visitor = () => {
  const address = randomBytes(4).join('.');
  return { address, network: address, userAgent: '', cookies: {} };
};
const PASSWORD = 'correct horse battery';
const FORM = {
  ...{ password: PASSWORD, plan: 'free', label: 'Label of Zelda', marketingOptIn: true },
  ...{ useCase: null, useCaseNote: null, referral: null },
};

/** Of the link in the last mail. */
async function tokenTo(email: string): Promise<string> {
  const text = 'SELECT body FROM mails WHERE recipient = $1 ORDER BY created_at DESC LIMIT 1';
  return /\?token=([\w-]+)/.exec((await rows(text, [email]))[0].body)![1]!;
}

/** Signed up and confirmed in one browser. */
async function owner(email: string) {
  lab.here.now += 1000;
  const service = accounts();
  const { token: signup } = await service.signUp({ ...FORM, email }, visitor());
  const { key } = await service.verify(await tokenTo(email), { ...visitor(), cookies: { signup } });
  return { key, accountId: await accountOf(key), keyId: (await stores().keys.find([hashApiKey(key)]))[0]!.keyId };
}

const webhook = (accountId: string, webhookId = `wh_${randomBytes(6).toString('hex')}`) => {
  const filters = {
    ...{ events: [], sports: [], countries: [], venues: [] },
    ...{ minEdgePct: null, bookmakers: [], minMovePct: null },
  };
  const draft = { ...filters, webhookId, accountId, url: 'https://zelda.example/hook', secret: 'whsec_of_zelda' };
  return stores().ownedWebhooks.create(draft, at(), 100);
};

async function widget(accountId: string) {
  const letters = randomBytes(26)
    .map((byte) => 97 + (byte % 26))
    .toString();
  const asked = { name: 'Widget of Zelda', allowed_origins: ['https://zelda.example'], max_fills_per_month: 10 };
  const settings = settingsOf(asked);
  const ids = { widgetId: `wg_${letters}`, embedId: `we_${letters}`, accountId, once: null };
  await stores().ownedWidgets.create({ ...settings, ...ids }, at(), 100);
  await lab.served.db.pool.query(
    `INSERT INTO widget_months (widget_id, period, fills, singles) VALUES ($1, date_trunc('month', $2::date), 9, 0)`,
    [ids.widgetId, at()],
  );
}

/** Every row of the database, as text. */
async function everything(): Promise<readonly string[]> {
  const tables = await rows(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1`,
  );
  const all = await Promise.all(
    tables.map(async ({ name }) =>
      (await rows(`SELECT t::text AS row FROM "${name}" t`)).map(({ row }) => `${name} ${row}`),
    ),
  );
  return all.flat().sort();
}

test('no key answers again at either process, and a call that is under way is neither answered nor charged', async () => {
  const first = await addKey();
  const accountId = await accountOf(first);
  const team = newKey();
  const byOperator = createStores(lab.served.db.pool);
  await byOperator.keys.insert(hashApiKey(team), keyRow(team), accountId);
  const { new_key: primary } = await rotated(first);
  const all = [first, primary, team];
  for (const key of all) expect(await statuses(key)).toEqual([200, 200]);
  lab.meanwhile = () => close(accountId);
  const underWay = await call('GET', '/v1/paid', { key: primary });
  expect([underWay.status, await rows('SELECT FROM credit_ledger WHERE account_id = $1', [accountId])]).toEqual([
    401,
    [],
  ]);
  await announced();
  for (const key of all) expect(await statuses(key)).toEqual([401, 401]);

  const { keyRegister, keyReplacement, teamKeys, credits } = stores();
  const fresh = () => ({ newHash: randomBytes(32), last4: 'last', at: at() });
  expect(
    await keyReplacement.replaceKey({ accountId, graceUntil: null, notice: noticeAt(at()), ...fresh() }),
  ).toBeNull();
  await expect(keyRegister.replaceRevoked({ accountId, ...fresh() })).rejects.toThrow(CLOSED);
  await expect(byOperator.keys.insert(randomBytes(32), keyRow(newKey()), accountId)).rejects.toThrow(CLOSED);
  const draft = {
    hash: randomBytes(32),
    last4: 'last',
    label: 'x',
    allowedAddresses: [],
    scopes: null,
    notice: noticeAt(at()),
  };
  await expect(teamKeys.add({ accountId }, draft, at(), () => 100)).rejects.toThrow(CLOSED);
  // What operators may still do to it opens nothing.
  await keyRegister.setPlan(accountId, 'business');
  await credits.grant({ accountId, credits: 5, reason: 'goodwill', period: '2026-11-01', at: at() });
  await announced();
  for (const key of all) expect(await statuses(key)).toEqual([401, 401]);
});

test('nothing personal is left but the farewell, and closing again changes nothing', async () => {
  const email = 'Zelda.Person@example.com';
  const { key, accountId } = await owner(email);
  await stores().keyRegister.setPlan(accountId, 'business');
  const { keyId } = (await stores().keys.find([hashApiKey(key)]))[0]!;
  await stores().teamKeys.restrict({ accountId }, keyId, {
    allowedAddresses: ['198.51.100.77/32'],
    notice: noticeAt(at()),
  });
  const { webhookId } = (await webhook(accountId))!;
  await stores().ownedWebhooks.insertTest(webhookId, '{}', at());
  await widget(accountId);
  await addBackfillJob(lab.served.db, key);
  await lab.served.db.pool.query(`UPDATE backfill_jobs SET label = 'Job of Zelda' WHERE account_id = $1`, [accountId]);
  const refusal = { accountId, keyId: randomUUID(), at: at(), operation: 'GET /v1/x', status: 422, code: 'validation' };
  await stores().refusedCalls.save(
    randomUUID(),
    [],
    [{ ...refusal, requestId: 'a', detail: 'The venue is no Zelda.' }],
  );
  await accounts().askLogin(email, visitor());
  const PERSONAL = /zelda|198\.51\.100\.77|argon2id/i;
  const isOfAccount = (row: string) => PERSONAL.test(row) || row.includes('argon2id');
  expect(new Set((await everything()).filter(isOfAccount).map((row) => row.split(' ')[0]))).toEqual(
    new Set([
      'account_owners',
      'api_keys',
      'backfill_jobs',
      'mailed_links',
      'mails',
      'refused_calls',
      'webhooks',
      'widgets',
    ]),
  );
  expect(await close(accountId)).toBe('closed');
  const after = await everything();
  const left = after.filter(isOfAccount);
  expect(left).toEqual([expect.stringMatching(/^mails .*Zelda\.Person@example\.com,"Your account is closed"/)]);
  expect(await rows('SELECT status FROM webhook_deliveries WHERE webhook_id = $1', [webhookId])).toEqual([
    { status: 'cancelled' },
  ]);
  expect(await rows('SELECT state FROM backfill_items WHERE account_id = $1', [accountId])).toEqual([
    { state: 'cancelled' },
  ]);
  lab.here.now += 60_000;
  expect(await close(accountId)).toBe('closed_before');
  expect(await everything()).toEqual(after);
});

test('no mail follows the farewell: neither notices nor links that were begun before', async () => {
  const email = 'last@example.com';
  const { accountId } = await owner(email);
  const { webhookId } = (await webhook(accountId))!;
  await widget(accountId);
  await lab.served.db.pool.query(
    `UPDATE webhooks SET disabled_at = now(), disabled_reason = 'gone' WHERE webhook_id = $1`,
    [webhookId],
  );
  const period = `${at().slice(0, 8)}01`;
  const near = (await stores().widgetMonths.near(period)).find((one) => one.email === email)!;
  await close(accountId);
  const late = mailTo(email, { subject: 'late', body: 'late' }, wallMs());
  const notice = { mail: late, event: noticeAt(at()).event() };
  await stores().ownedWebhooks.mailed({ accountId, webhookId, disabledAt: at() }, notice, at());
  await stores().widgetMonths.mailed(near, period, notice);
  const link = {
    purpose: 'login',
    accountId,
    email,
    mailbox: mailboxOf(email),
    signup: null,
    browserHash: null,
  } as const;
  const bounds = { most: 9, since: at(), ofDay: { most: 9, mostWithoutAccount: 9, since: at() } };
  const times = { tokenHash: randomBytes(32), at: at(), expiresAt: at() };
  expect(await stores().links.request({ ...link, ...times }, late, bounds)).toBe(false);
  const notices = { baseUrl: BASE_URL, mailWritten: () => {} };
  await mailDisabledWebhooks({ ...notices, store: stores().ownedWebhooks }, wallMs());
  await mailNearMonthLimits({ ...notices, store: stores().widgetMonths }, wallMs());
  expect(await rows('SELECT subject FROM mails WHERE recipient = $1', [email])).toEqual([
    { subject: 'Your account is closed' },
  ]);
});

test('whatever happens at the same moment, nothing of the account is left open', async () => {
  const acts = ['key', 'rotate', 'webhook', 'widget', 'sign in', 'link', 'password', 'grant', 'plan', 'close'] as const;
  let made = 0;
  const property = fc.asyncProperty(fc.shuffledSubarray([...acts], { minLength: 3 }), async (chosen) => {
    const email = `race${made++}@example.com`;
    const { key, accountId } = await owner(email);
    const service = accounts();
    const signedIn = await service.login({ email, password: PASSWORD }, visitor());
    const cookies = { session: signedIn.session.token };
    const { teamKeys, keyReplacement, credits, keyRegister } = stores();
    const draft = {
      hash: randomBytes(32),
      last4: 'last',
      label: 'x',
      allowedAddresses: [],
      scopes: null,
      notice: noticeAt(at()),
    };
    const grant = { accountId, credits: 5, reason: 'x', period: '2026-11-01', at: at() };
    const now: Record<(typeof acts)[number], () => Promise<unknown>> = {
      key: () => teamKeys.add({ accountId }, draft, at(), () => 100),
      rotate: () =>
        keyReplacement.replaceKey({
          accountId,
          newHash: randomBytes(32),
          last4: 'last',
          at: at(),
          graceUntil: null,
          notice: noticeAt(at()),
        }),
      webhook: () => webhook(accountId),
      widget: () => widget(accountId),
      'sign in': () => service.login({ email, password: PASSWORD }, visitor()),
      link: () => service.askLogin(email, visitor()),
      password: () =>
        service.setPassword({ accountId, current: PASSWORD, password: 'staple of horses' }, { ...visitor(), cookies }),
      grant: () => credits.grant(grant),
      plan: () => keyRegister.setPlan(accountId, 'business'),
      close: () => close(accountId),
    };
    await Promise.allSettled([...chosen.map((act) => now[act]()), close(accountId)]);
    const open = `
      SELECT (SELECT count(*) FROM api_keys WHERE account_id = $1 AND revoked_at IS NULL) AS keys,
             (SELECT count(*) FROM webhooks WHERE account_id = $1 AND deleted_at IS NULL) AS webhooks,
             (SELECT count(*) FROM widgets WHERE account_id = $1) AS widgets,
             (SELECT count(*) FROM sessions WHERE account_id = $1) AS sessions,
             (SELECT count(*) FROM mailed_links WHERE account_id = $1) AS links,
             (SELECT count(*) FROM account_owners WHERE account_id = $1) AS owners`;
    const none = { keys: 0, webhooks: 0, widgets: 0, sessions: 0, links: 0, owners: 0 };
    expect([chosen, (await rows(open, [accountId]))[0]]).toEqual([chosen, none]);
    const mails = (await rows('SELECT subject FROM mails WHERE recipient = $1', [email])).map(({ subject }) => subject);
    // A visitor who asks for a link once the address has no account is answered so, as anybody is.
    expect(mails.filter((subject) => subject !== 'No account has this address')).toEqual(['Your account is closed']);
    await announced();
    expect(await statuses(key)).toEqual([401, 401]);
  });
  await fc.assert(property, { numRuns: runs(100) });
});

const used = async (accountId: string) =>
  (await rows('SELECT used::int FROM credit_balances WHERE account_id = $1', [accountId]))[0]?.used ?? 0;

test('the address signs up again as a new account, which has what is left of the month’s free credits', async () => {
  const email = 'again@example.com';
  const earlier = await owner(email);
  for (let i = 0; i < 5; i++) expect((await call('GET', '/v1/paid', { key: earlier.key })).status).toBe(200);
  await close(earlier.accountId);
  const second = await owner(email);
  expect(second.accountId).not.toBe(earlier.accountId);
  expect([await used(earlier.accountId), await used(second.accountId)]).toEqual([10, 10]);
  // Another spelling, and once more: the use is carried on, and not added up.
  await close(second.accountId);
  const third = await owner(email);
  expect(await used(third.accountId)).toBe(10);
  await close(third.accountId);
  // Of the month alone.
  const digests = async () => (await rows('SELECT count(*)::int AS all FROM closed_mailboxes'))[0].all;
  const all = await digests();
  const lastMonth = `UPDATE closed_mailboxes SET period = '2026-10-01' WHERE account_id = $1`;
  await lab.served.db.pool.query(lastMonth, [earlier.accountId]);
  await stores().expired.remove(at());
  expect(await digests()).toBe(all - 1);
  lab.here.now = Date.parse('2026-12-01T00:00:01Z');
  expect(await used((await owner(email)).accountId)).toBe(0);
});

async function move(accountId: string, email: string): Promise<void> {
  lab.here.now += 1000;
  await accounts().askAddressChange({ accountId, email, password: PASSWORD }, visitor());
  await accounts().confirmAddress(await tokenTo(email), accountId);
}

test('an account that arrives at a mailbox has what is left there, by a change, a change back and an undo', async () => {
  const [home, away] = ['arrives@example.com', 'burnt@example.com'];
  const use = async (key: string, calls: number) => {
    for (let i = 0; i < calls; i++) expect((await call('GET', '/v1/paid', { key })).status).toBe(200);
  };
  /** An account of this mailbox brings its use to a total, and closes. */
  const burn = async (email: string, total: number) => {
    const { key, accountId } = await owner(email);
    await use(key, (total - (await used(accountId))) / 2);
    await close(accountId);
  };
  await burn(away, 10);
  const one = await owner(home);
  await use(one.key, 2);
  await move(one.accountId, away);
  expect(await used(one.accountId)).toBe(10);
  await move(one.accountId, home);
  expect(await used(one.accountId)).toBe(10);
  // Each arrival counts what was used since the last one.
  await burn(away, 12);
  await move(one.accountId, away);
  expect(await used(one.accountId)).toBe(12);
  const undo = await tokenTo(home);
  await burn(home, 16);
  await accounts().undoAddress(undo);
  expect(await used(one.accountId)).toBe(16);
});

test('an account that moves between two mailboxes leaves its use of the month at both, and closes', async () => {
  const [first, second] = ['home@example.com', 'away@example.com'];
  const one = await owner(first);
  for (let i = 0; i < 5; i++) expect((await call('GET', '/v1/paid', { key: one.key })).status).toBe(200);
  await move(one.accountId, second);
  const atFirst = await owner(first);
  expect(await used(atFirst.accountId)).toBe(10);
  await close(atFirst.accountId);
  for (const email of [first, second, first]) await move(one.accountId, email);
  expect(await used((await owner(second)).accountId)).toBe(10);
  // What is over goes, and what is of this month stays.
  const left = `UPDATE closed_mailboxes SET period = '2026-10-01' WHERE account_id = $1 AND mailbox_digest = sha256(convert_to($2, 'UTF8'))`;
  await lab.served.db.pool.query(left, [one.accountId, mailboxOf(second)]);
  await stores().expired.remove(at());
  const count = async () =>
    (await rows('SELECT count(*)::int AS n FROM closed_mailboxes WHERE account_id = $1', [one.accountId]))[0].n;
  expect(await count()).toBe(1);
  await close(one.accountId);
  expect([await count(), await used((await owner(first)).accountId)]).toEqual([1, 10]);
});

test('a link to verify the address that is pressed while its account closes finds nothing, and neither waits for the other', async () => {
  const email = 'pressed@example.com';
  lab.here.now += 1000;
  const { token: signup } = await accounts().signUp({ ...FORM, email }, visitor());
  const unused = await tokenTo(email);
  const { accountId } = await owner(email);
  const { pool } = lab.served.db;
  const blocker = await pool.connect();
  const waiting = async (n: number) => {
    const text = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while ((await rows(text))[0].n < n) await new Promise((resume) => setTimeout(resume, 10));
  };
  try {
    await blocker.query('BEGIN');
    await blocker.query('SELECT FROM accounts WHERE account_id = $1 FOR UPDATE', [accountId]);
    const closing = close(accountId);
    await waiting(1);
    const pressing = accounts().verify(unused, { ...visitor(), cookies: { signup } });
    const refused = expect(pressing).rejects.toMatchObject({ code: expect.stringMatching(/^[a-z_]+$/) });
    await waiting(2);
    await blocker.query('ROLLBACK');
    await closing;
    await refused;
  } finally {
    blocker.release();
  }
  expect(await rows('SELECT FROM account_owners WHERE email = $1', [email])).toEqual([]);
});
