// The export of an account: everything that its operations and pages show of it, no secret, and no more in memory than
// a page of rows.
import { randomUUID } from 'node:crypto';
import { exportAccount } from '../../../../src/accounts/leaving/export-account';
import { publicKeyId } from '../../../../src/plans/key-id';
import { createStores } from '../../../../src/store/create-stores';
import { hashApiKey } from '../../../../src/store/keys/keys';
import { LEGAL, type Owners, serveOwners } from '../../../support/api/owners';

let owners: Owners;
beforeAll(async () => {
  owners = await serveOwners();
});
afterAll(() => owners.stop());

const EMAIL = 'export@example.com';
const PASSWORD = 'correct horse battery';
const LINES = 2500;
const SECRET_OF_RECEIVER = 'token-of-the-receiver';

const at = () => new Date(owners.api.now).toISOString();
const json = { 'content-type': 'application/json' };
const send = async (key: string, method: string, path: string, body?: object) => {
  const answer = await owners.api.send(method, path, {
    key,
    ...(body && { headers: json, body: JSON.stringify(body) }),
  });
  expect([path, answer.status, answer.body]).toEqual([path, 200, answer.body]);
  return answer.body;
};

async function exported(accountId: string): Promise<{ pieces: readonly string[]; document: Exported }> {
  const pieces: string[] = [];
  for await (const piece of await exportAccount(createStores(owners.db.pool), accountId, owners.api.now))
    pieces.push(piece);
  return { pieces, document: JSON.parse(pieces.join('')) };
}
// biome-ignore lint/suspicious/noExplicitAny: a JSON document, read freely.
type Exported = any;

/** 2,500 calls, of which many share an instant. */
async function charge(key: string): Promise<void> {
  const stores = createStores(owners.db.pool);
  const keyHash = hashApiKey(key);
  const { epoch } = (await stores.keys.find([keyHash]))[0]!;
  const of = { keyHash, epoch, cost: 1, allowance: 1e9, overage: 0, period: at().slice(0, 8).concat('01') };
  const charges = Array.from({ length: LINES }, (_, i) => {
    const instant = new Date(owners.api.now - Math.floor(i / 400) * 1000).toISOString();
    return { ...of, id: randomUUID(), endpoint: `/v1/racing/${i % 3}`, at: instant };
  });
  for (const charged of await stores.credits.charge(charges)) expect(charged.verdict).toBe('charged');
}

const REFUSED = {
  ...{ keyId: randomUUID(), requestId: 'a'.repeat(32), operation: 'GET /v1/x' },
  ...{ code: 'validation', status: 422, detail: 'no' },
};

test('has what every operation and page shows of the account, whole and once, and no secret', async () => {
  const { browser, key } = await owners.signedUp(EMAIL, PASSWORD);
  const { account_id: accountId } = (await browser.get('/v1/account')).body;
  const stores = createStores(owners.db.pool);
  await stores.keyRegister.setPlan(accountId, 'scale');
  const team = await send(key, 'POST', '/v1/keys/team', { label: 'Backtests', scopes: ['read'] });
  const url = `https://127.0.0.1:9/hook?key=${SECRET_OF_RECEIVER}`;
  const webhook = await send(key, 'POST', '/v1/webhooks', { url, events: ['race.result'] });
  for (let i = 0; i < 450; i++) await stores.ownedWebhooks.insertTest(webhook.id, '{}', at());
  await send(key, 'POST', '/v1/widgets', { name: 'Home page', allowed_origins: ['https://www.example.com'] });
  await stores.credits.grant({
    accountId,
    credits: 500,
    reason: 'goodwill',
    period: at().slice(0, 8).concat('01'),
    at: at(),
  });
  await charge(key);
  await stores.referralCodes.referral(accountId, 'mycode1234');

  await stores.refusedCalls.save(randomUUID(), [], [{ ...REFUSED, accountId, at: at() }]);

  const { pieces, document } = await exported(accountId);
  expect(document.refused_calls).toEqual([
    {
      at: at(),
      key_id: publicKeyId(REFUSED.keyId),
      request_id: REFUSED.requestId,
      operation: 'GET /v1/x',
      status: 422,
      code: 'validation',
      detail: 'no',
    },
  ]);
  expect(document).toMatchObject({ format: 'racing-odds-account', format_version: 1, exported_at: at() });
  const shown = (await browser.get('/v1/account')).body;
  const { email_masked: _, ...members } = shown;
  expect(document.account).toMatchObject(members);
  expect(document.account).toMatchObject({
    terms_version: LEGAL.terms,
    privacy_version: LEGAL.privacy,
    closed_at: null,
  });
  expect(document.referral).toEqual({ code: 'mycode1234', payout: 'credits' });

  const { keys } = await send(key, 'GET', '/v1/keys/team');
  const named = (list: readonly Record<string, unknown>[]) =>
    list.map((one) => [one.key_id, one.label, one.is_primary, one.scopes]).sort();
  expect(named(document.keys)).toEqual(named(keys));
  const webhooks = await send(key, 'GET', '/v1/webhooks');
  expect(document.webhooks).toHaveLength(webhooks.length);
  expect(document.webhooks[0]).toMatchObject({
    webhook_id: webhook.id,
    events: ['race.result'],
    url: 'https://127.0.0.1:9/hook?…',
  });
  const { rows } = await owners.db.pool.query('SELECT delivery_id AS id FROM webhook_deliveries ORDER BY 1');
  const idsOf = (list: readonly Record<string, unknown>[], name: string) => list.map((one) => one[name]).sort();
  expect(idsOf(document.webhook_deliveries, 'delivery_id')).toEqual(idsOf(rows, 'id'));
  const { widgets } = await send(key, 'GET', '/v1/widgets');
  expect(document.widgets).toMatchObject([
    { widget_id: widgets[0].id, embed_id: widgets[0].embed_id, name: 'Home page' },
  ]);

  const usage = await send(key, 'GET', '/v1/usage');
  const sum = (list: readonly Record<string, number>[]) => list.reduce((all, { credits }) => all + credits!, 0);
  expect([sum(document.usage_by_day), document.months[0].used, document.granted_credits]).toEqual([LINES, LINES, 500]);
  expect(JSON.stringify(usage)).toContain(`${LINES}`);
  const lines = document.ledger.filter(({ kind }: { kind: string }) => kind === 'charge');
  expect([lines.length, new Set(lines.map((line: Record<string, string>) => line.charge_id)).size]).toEqual([
    LINES,
    LINES,
  ]);
  expect(document.ledger).toContainEqual(expect.objectContaining({ kind: 'grant', credits: 500, subject: 'goodwill' }));
  expect(document.sessions).toHaveLength(1);

  const stored = await owners.db.pool.query(
    `SELECT encode(key_hash, 'hex') AS secret FROM api_keys UNION ALL SELECT password_hash FROM account_owners UNION ALL SELECT secret FROM webhooks`,
  );
  const secrets = [key, team.key, webhook.secret, PASSWORD, SECRET_OF_RECEIVER, ...browser.cookies.values()];
  for (const secret of [...secrets, ...stored.rows.map((row) => row.secret)]) {
    expect(typeof secret).toBe('string');
    expect(pieces.join('')).not.toContain(secret);
  }
  // A page of rows at a time, ties of one instant included.
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(pieces.join('').length / 2);
});

test('nothing is read before it is wanted, another account is not in it, and an unknown one is a 404', async () => {
  const { browser } = await owners.signedUp('other@example.com', PASSWORD);
  const { account_id: accountId } = (await browser.get('/v1/account')).body;
  const { document } = await exported(accountId);
  expect([document.ledger, document.webhooks, document.widgets]).toEqual([[], [], []]);
  expect(JSON.stringify(document)).not.toContain(EMAIL);
  const stores = createStores(owners.db.pool);
  let reads = 0;
  const accountExport = {
    ...stores.accountExport,
    pages: (...of: Parameters<typeof stores.accountExport.pages>) => {
      reads++;
      return stores.accountExport.pages(...of);
    },
  };
  const pieces = await exportAccount({ ...stores, accountExport }, accountId, owners.api.now);
  await pieces.next();
  expect(reads).toBe(0);
  await pieces.return(undefined);
  expect(reads).toBe(0);
  await expect(exportAccount(stores, randomUUID(), owners.api.now)).rejects.toMatchObject({ code: 'not_found' });
});
