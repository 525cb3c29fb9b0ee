// Files, jobs and team keys in the console, over real HTTP and PostgreSQL, without a browser. Never: a charge without
// its file or a file without its charge, a form that acts twice, or anything of another account.
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createFolderStore } from '../../src/file-store/folder';
import { periodAt } from '../../src/plans/credits';
import { publicKeyId } from '../../src/plans/key-id';
import { monthlyCreditsOf } from '../../src/plans/overage';
import { hashApiKey } from '../../src/store/keys/keys';
import { signedManifest } from '../support/manifests';
import { horseForm } from '../support/races/horse-form';
import { until } from '../support/races/stream-lab';
import { type AccountWorld, createAccountWorld } from './account-world';

interface Owner {
  readonly accountId: string;
  readonly keyId: string;
  readonly key: string;
  readonly cookie: string;
}

const folder = mkdtempSync(join(tmpdir(), 'console-'));
const files = createFolderStore(folder);
/** Of the service, which stands still. */
const nowMs = (): number => world.stripe.world.nowMs;
const now = (): string => new Date(nowMs()).toISOString();
const DAY = '/account/files/results/2026-08-20';
const MONTH = '/account/files/results/2026-08';
const SUBJECT = '/v1/bulk/{dataset}/{period}';

let world: AccountWorld;
let stores: AccountWorld['stores'];

beforeAll(async () => {
  world = await createAccountWorld({ TRUSTED_PROXIES: '1', BULK_FOLDER: folder });
  stores = world.stores;
  for (const period of ['2026-08-20', '2026-08']) await publish(period);
});
afterEach(async () => {
  expect(await stores.credits.audit()).toEqual([]);
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

const contentOf = (period: string, format: string): string => `${format} of ${period}\n`.repeat(500);
const nameOf = (period: string, format: string): string => `results/${period}.v1.${format}`;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

async function publish(period: string): Promise<void> {
  const built = (['parquet', 'csv'] as const).map(async (format) => {
    const content = contentOf(period, format);
    const name = nameOf(period, format);
    const { bytes } = await files.put(name, Readable.from([Buffer.from(content)]));
    return { format, name, bytes, sha256: sha256(content), rows: 500 };
  });
  const facts = { dataset: 'results', period, version: 1, checksum: 'x', columnsKey: 'x', at: '2026-08-21T00:00:00Z' };
  const all = await Promise.all(built);
  const manifest = signedManifest({ dataset: 'results', period, files: all });
  await stores.bulkFiles.publish({ ...facts, files: all, manifest });
}

async function send(method: string, path: string, cookie: string, form?: Record<string, string>, more = {}) {
  const response = await fetch(world.url + path, {
    method,
    redirect: 'manual',
    headers: { Cookie: cookie, ...(form && { Origin: world.url }), ...more },
    ...(form && { body: new URLSearchParams(form) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
const page = async ({ cookie }: Owner, path: string) => (await send('GET', path, cookie)).text;
const post = ({ cookie }: Owner, path: string, form: Record<string, string> = {}) => send('POST', path, cookie, form);
const call = (key: string, path: string, method = 'GET') =>
  fetch(world.url + path, { method, headers: { 'X-API-Key': key } });

let signups = 0;

async function signUp(plan: string): Promise<Owner> {
  const email = `owner${signups++}@example.com`;
  // One network may open five accounts a day.
  const network = { 'X-Forwarded-For': `198.18.0.${signups}` };
  await send('POST', '/signup', '', { email, terms_accepted: 'yes' }, network);
  const token = (await world.link(email)).split('token=')[1]!;
  const verified = await send('POST', '/verify', '', { token }, network);
  const cookie = verified.headers.getSetCookie().map((one) => one.split(';')[0]);
  await world.setPlan(email, plan);
  const key = shownKey(verified.text);
  const [row] = await stores.keys.find([hashApiKey(key)]);
  return { accountId: row!.accountId, keyId: row!.keyId, key, cookie: cookie.join('; ') };
}

const shownKey = (text: string): string => /pe_live_\w{38}/.exec(text)![0];

/** By the ledger, without what was given back. */
async function charged({ accountId }: Owner): Promise<number> {
  const text = `SELECT COALESCE(sum(CASE kind WHEN 'return' THEN -credits ELSE credits END), 0)::int AS sum
                  FROM credit_ledger WHERE account_id = $1`;
  return (await world.db.pool.query<{ sum: number }>(text, [accountId])).rows[0]!.sum;
}

/** As if by other calls. */
async function spend({ key }: Owner, credits: number, allowance: number): Promise<void> {
  const [row] = await stores.keys.find([hashApiKey(key)]);
  const rest = { endpoint: '/v1/test', allowance, overage: 0, period: periodAt(nowMs()).id, cost: credits };
  const charge = { id: randomUUID(), keyHash: hashApiKey(key), epoch: row!.epoch, at: now() };
  expect(await stores.credits.charge([{ ...charge, ...rest }])).toMatchObject([{ verdict: 'charged' }]);
}

describe('archive files', () => {
  test('a plan sees its files with size, SHA-256 and price; another sees which plan has them, and gets none', async () => {
    const [plus, business] = [await signUp('plus'), await signUp('business')];
    const refused = await page(plus, '/account/files');
    expect(refused).toContain('Your plan does not include bulk files of a day. The Business plan and above do.');
    expect(refused).toContain('A day costs 20 credits, a month 100.');
    expect(refused).not.toContain(sha256(contentOf('2026-08-20', 'csv')));
    for (const [owner, path] of [
      [plus, DAY],
      [business, MONTH],
    ] as const) {
      const { status, headers, text } = await post(owner, `${path}?format=csv&version=1`);
      expect([status, headers.get('content-disposition')]).toEqual([403, null]);
      expect(text).toMatch(/role="alert"[^>]*>The \w+ plan of this key does not include bulk files of a/);
    }
    const shown = await page(business, '/account/files?dataset=results');
    for (const format of ['parquet', 'csv']) expect(shown).toContain(sha256(contentOf('2026-08-20', format)));
    expect(shown.match(/20 credits<\/span>/g)).toHaveLength(2);
    expect(shown).toMatch(/500 rows · version 1/);
    expect(shown).not.toMatch(/pe_live_|api_key/i);
    expect(await page(business, '/account/files?dataset=closing_lines')).toContain('No files yet.');
    expect(await page(business, '/account/files?kind=month')).toContain('The Platform plan and above do.');
    expect(await page(await signUp('platform'), '/account/files?kind=month')).toContain('100 credits</span>');
    expect([await charged(plus), await charged(business)]).toEqual([0, 0]);
  });

  test('a download is charged as the operation is, under the primary key, and shares its day with every key', async () => {
    const [owner, other] = [await signUp('business'), await signUp('business')];
    const { status, headers, text } = await post(owner, `${DAY}?format=parquet&version=1`);
    expect([status, text, headers.get('content-disposition')]).toEqual([
      200,
      contentOf('2026-08-20', 'parquet'),
      'attachment; filename="results-2026-08-20.parquet"',
    ]);
    const { rows } = await world.db.pool.query(
      'SELECT key_id AS "keyId", subject, credits FROM credit_ledger WHERE account_id = $1',
      [owner.accountId],
    );
    expect(rows).toEqual([{ keyId: owner.keyId, subject: SUBJECT, credits: 20 }]);
    const api = await call(owner.key, '/v1/bulk/results/2026-08-20');
    expect([api.status, api.headers.get('x-credits-cost')]).toEqual([200, '0']);
    const csv = await call(owner.key, '/v1/bulk/results/2026-08-20?format=csv');
    expect([csv.headers.get('x-credits-cost'), await csv.text()]).toEqual(['20', contentOf('2026-08-20', 'csv')]);
    expect((await post(owner, `${DAY}?format=csv&version=1`)).text).toBe(contentOf('2026-08-20', 'csv'));
    expect(await charged(owner)).toBe(40);
    expect((await page(owner, '/account/files')).match(/paid for: free until/g)).toHaveLength(2);
    expect(await page(other, '/account/files')).not.toContain('paid for');
    const left = await page(owner, '/account/files');
    expect(left).toContain('299,960 credits left.');
  });

  test('a form that is sent twice charges once, and no other request starts a download', async () => {
    const owner = await signUp('business');
    const path = `${DAY}?format=csv&version=1`;
    const twice = await Promise.all([post(owner, path), post(owner, path), post(owner, path)]);
    expect(twice.map(({ status, text }) => [status, text.length])).toEqual(
      Array(3).fill([200, contentOf('2026-08-20', 'csv').length]),
    );
    expect(await charged(owner)).toBe(20);
    const foreign = await send('POST', `${DAY}?format=parquet`, owner.cookie, {}, { Origin: 'https://evil.example' });
    expect([foreign.status, foreign.text.includes('came from another site')]).toEqual([403, true]);
    expect((await send('GET', `${DAY}?format=parquet`, owner.cookie)).status).toBe(405);
    const stranger = await send('POST', `${DAY}?format=parquet`, '', {});
    expect([stranger.status, stranger.headers.get('location')]).toEqual([303, '/login']);
    for (const wrong of ['/account/files/nothing/2026-08-20', '/account/files/results/2026-02-30', `${DAY}?version=0`])
      expect([wrong, (await post(owner, wrong)).status]).toEqual([wrong, 422]);
    const gone = await post(owner, `${DAY}?version=9`, { kind: 'day', dataset: 'results' });
    expect([gone.status, gone.text.includes('a replaced version stays for 48 hours')]).toEqual([404, true]);
    expect(await charged(owner)).toBe(20);
  });

  test('without the file, enough credits or a primary key nothing is sent or charged', async () => {
    const owner = await signUp('business');
    await files.delete(nameOf('2026-08-20', 'parquet'));
    const missing = await post(owner, `${DAY}?version=1`);
    expect([missing.status, missing.headers.get('content-disposition')]).toEqual([503, null]);
    expect(missing.text).toContain('The file is not there at the moment.');
    await files.put(nameOf('2026-08-20', 'parquet'), Readable.from([Buffer.from(contentOf('2026-08-20', 'parquet'))]));
    expect([await charged(owner), (await page(owner, '/account/files')).includes('paid for')]).toEqual([0, false]);
    await spend(owner, 299_990, 300_000);
    const { status, headers, text } = await post(owner, `${DAY}?version=1`, { kind: 'day', dataset: 'results' });
    expect([status, headers.get('content-disposition')]).toEqual([402, null]);
    expect(text).toMatch(/role="alert"[^>]*>[^<]*20 credits/);
    expect(text).toContain('That is too few for a day');
    expect(text).toContain('<option value="results" selected>');
    expect(await charged(owner)).toBe(299_990);
    await world.db.pool.query('UPDATE api_keys SET revoked_at = now() WHERE key_id = $1', [owner.keyId]);
    const withdrawn = await post(owner, `${DAY}?version=1`);
    expect([withdrawn.status, withdrawn.text.includes('The primary key of the account was revoked.')]).toEqual([
      409,
      true,
    ]);
  });

  test('a download works from every address, and after the key was replaced', async () => {
    const owner = await signUp('business');
    await post(owner, '/account/addresses', { ip_whitelist: '192.0.2.1' });
    await until(async () => (await call(owner.key, '/v1/usage')).status === 403);
    expect((await post(owner, `${DAY}?version=1`)).status).toBe(200);
    await post(owner, '/account/key/rotate', { immediate: 'yes' });
    expect((await post(owner, `${DAY}?version=1&format=csv`)).status).toBe(200);
    expect(await charged(owner)).toBe(40);
  });
});

describe('backfill jobs', () => {
  let numbered = 0;

  /** Places of the first `delivered` horses have a stored page. */
  async function addJob({ accountId, keyId }: Owner, horses: readonly string[], delivered = 0): Promise<string> {
    const n = numbered++;
    const jobId = `bf_20261121_${n.toString(36).padStart(6, '0')}`;
    const at = new Date(nowMs() + n * 1000).toISOString();
    const listed = horses.map((name, i) => ({
      ...{ input: name, key: `${n} ${i}`, name, refs: [`ra:${n * 1000 + i}`] },
      pageRef: i < delivered ? `ra:${n * 1000 + i}` : null,
    }));
    for (const { refs, pageRef, name } of listed)
      if (pageRef) await stores.forms.save(horseForm({ name, runnerCode: refs[0]!.slice(3) }), at);
    const order = { jobId, accountId, keyId, price: 3, label: `Job <${n}>`, at, repeatedSince: at, repeated: 0 };
    const request = n.toString(16).padStart(64, '0');
    await stores.backfill.submit({ ...order, request, horses: listed, notFound: ['<b>Never</b> Seen'] });
    for (let place = 0; place < delivered; place++)
      await stores.backfill.deliver(
        { jobId, place },
        { at, wall: now(), period: periodAt(nowMs()).id },
        monthlyCreditsOf,
      );
    return jobId;
  }
  const jobsOn = (text: string): string[] => [...new Set(text.match(/bf_\d{8}_\w{6}(?=<\/code>)/g))];

  test('are listed newest first in pages of 20, without those of another account', async () => {
    const [owner, other] = [await signUp('plus'), await signUp('plus')];
    expect(await page(owner, '/account/backfill')).toContain('No jobs yet.');
    const ids: string[] = [];
    for (let i = 0; i < 23; i++) ids.unshift(await addJob(owner, [`Horse ${i}`]));
    const foreign = await addJob(other, ['Theirs']);
    const first = await page(owner, '/account/backfill');
    expect(jobsOn(first)).toEqual(ids.slice(0, 20));
    const older = /href="(\/account\/backfill\?before=[^"]+)"/.exec(first)![1]!;
    expect(jobsOn(await page(owner, older))).toEqual(ids.slice(20));
    expect(jobsOn(await page(other, '/account/backfill'))).toEqual([foreign]);
    expect(jobsOn(await page(owner, `/account/backfill?before=${foreign}`))).toEqual([]);
    for (const path of [`${foreign}/cancel`, 'bf_20261121_zzzzzz/cancel'])
      expect((await post(owner, `/account/backfill/${path}`)).status).toBe(404);
    const results = await send('GET', `/account/backfill/${foreign}/results`, owner.cookie);
    expect([results.status, results.headers.get('content-disposition')]).toEqual([404, null]);
    expect((await stores.backfill.job(foreign, other.accountId))!.queued).toBe(1);
  });

  test('show progress, credits and failures, and a repeated cancel changes nothing', async () => {
    const owner = await signUp('plus');
    const id = await addJob(owner, ['One', 'Two', '<i>Three</i>', 'Four', 'Five'], 2);
    await world.db.pool.query(
      `UPDATE backfill_items SET state = 'failed', settled_at = $2 WHERE job_id = $1 AND place = 2`,
      [id, new Date(nowMs() + 1e6).toISOString()],
    );
    const running = await page(owner, '/account/backfill');
    expect(running).toMatch(/<progress aria-labelledby="progress-[\w-]+" max="5" value="2"><\/progress>/);
    expect(running).toContain('2 of 5 horses delivered, 2 queued, 1 failed · 6 credits charged');
    expect(running).toContain('brought no page: <q>&lt;i&gt;Three&lt;/i&gt;</q>.');
    expect(running).toContain('no feed has reported such a horse: <q>&lt;b&gt;Never&lt;/b&gt; Seen</q>.');
    await stores.backfill.setBlocked(owner.accountId, true);
    expect(await page(owner, '/account/backfill')).toMatch(/Waiting for credits.*fewer than 3 credits/s);
    const twice = await Promise.all([1, 2].map(() => post(owner, `/account/backfill/${id}/cancel`)));
    expect(twice.map(({ status, headers }) => [status, headers.get('location')])).toEqual(
      Array(2).fill([303, '/account/backfill?done=cancelled']),
    );
    const ended = await page(owner, '/account/backfill?done=cancelled');
    expect(ended).toContain('2 of 5 horses delivered, 1 failed, 2 cancelled · 6 credits charged');
    expect(ended).not.toContain('Cancel the job');
    expect(await charged(owner)).toBe(6);
  });

  test('have their results as a file, free, with the rows that the operation returns', async () => {
    const owner = await signUp('plus');
    const id = await addJob(
      owner,
      Array.from({ length: 27 }, (_, i) => `Winner ${i}`),
      26,
    );
    const { status, headers, text } = await send('GET', `/account/backfill/${id}/results`, owner.cookie);
    expect([status, headers.get('content-disposition')]).toEqual([200, `attachment; filename="backfill-${id}.json"`]);
    const api = await call(owner.key, `/v1/racing/horses/backfill/${id}/results?limit=200`);
    const { rows } = (await api.json()) as { rows: unknown[] };
    expect(rows).toHaveLength(26);
    expect(JSON.parse(text)).toEqual({ job_id: id, rows, rows_returned: 26 });
    expect(await charged(owner)).toBe(78);
    const shown = await page(owner, '/account/backfill');
    expect(shown).toContain(`href="/account/backfill/${id}/results"`);
    const login = await send('GET', `/account/backfill/${id}/results`, '');
    expect([login.status, login.headers.get('location')]).toEqual([303, '/login']);
  });
});

describe('team keys', () => {
  const SOME = { access: 'some', scope_read: 'yes' };
  const teamOf = async ({ accountId }: Owner) =>
    (await stores.teamKeys.list({ accountId, at: now(), period: periodAt(nowMs()).id })).slice(1);
  const panel = async (owner: Owner) => /<section[^>]*id="team".*?<\/section>/s.exec(await page(owner, '/account'))![0];

  test('a form that is sent twice adds one key, which may do what was ticked and no more', async () => {
    const owner = await signUp('business');
    expect((await post(owner, '/account/team', { label: 'Ops', access: 'some' })).text).toContain(
      'Tick what the key may do',
    );
    const twice = await Promise.all([1, 2, 3].map(() => post(owner, '/account/team', { label: 'Ops', ...SOME })));
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(twice.find(({ status }) => status === 409)!.text).toContain('A key of the account has this label.');
    expect(await teamOf(owner)).toMatchObject([{ label: 'Ops', scopes: ['read'] }]);
    const key = shownKey(twice.find(({ status }) => status === 200)!.text);
    expect((await call(key, '/v1/racing/next-to-go')).status).toBe(200);
    const refused = await call(key, '/v1/bulk/datasets');
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, 'scope_required']);
    await until(async () => (await panel(owner)).includes('refused call</a>'));
    const shown = await panel(owner);
    expect(shown).toContain('May use prices, races, results, form and matches');
    expect(shown).toMatch(/2 credits in 1 call this month · last used/);
    expect(shown).toMatch(/calls\?key=tk_\w{26}">1 refused call<\/a> in seven days: [^<]+ 1</);
  });

  test('scopes change with the form that names them, and stay with one that does not', async () => {
    const owner = await signUp('business');
    await post(owner, '/account/team', { label: 'Ops', ...SOME });
    const { keyId } = (await teamOf(owner))[0]!;
    const path = `/account/team/${publicKeyId(keyId)}`;
    await post(owner, path, { label: 'Old page' });
    expect(await teamOf(owner)).toMatchObject([{ label: 'Old page', scopes: ['read'] }]);
    expect((await post(owner, path, { label: 'None', access: 'some' })).status).toBe(422);
    await post(owner, path, { label: 'Two', ...SOME, scope_backfill: 'yes' });
    expect(await teamOf(owner)).toMatchObject([{ label: 'Two', scopes: ['read', 'backfill'] }]);
    await post(owner, path, { label: 'All', access: 'all', scope_read: 'yes' });
    expect(await teamOf(owner)).toMatchObject([{ label: 'All', scopes: null }]);
    expect(await panel(owner)).toContain('May use everything');
  });

  test('a form that replaces a key twice leaves the key in use its day, and no other owner can send it', async () => {
    const [owner, other] = [await signUp('business'), await signUp('business')];
    const key = shownKey((await post(owner, '/account/team', { label: 'Ops', ...SOME })).text);
    const { keyId } = (await teamOf(owner))[0]!;
    const path = `/account/team/${publicKeyId(keyId)}`;
    for (const act of ['', '/rotate', '/delete'])
      expect([act, (await post(other, path + act, { label: 'x' })).status]).toEqual([act, 404]);
    const first = shownKey((await post(owner, `${path}/rotate`, { immediate: 'no' })).text);
    const second = shownKey((await post(owner, `${path}/rotate`, { immediate: 'no' })).text);
    const statuses = async () =>
      Promise.all([key, first, second].map(async (one) => (await call(one, '/v1/usage')).status));
    await until(async () => (await statuses()).join() === '200,401,200');
    expect(await teamOf(owner)).toMatchObject([{ keyId, label: 'Ops', scopes: ['read'] }]);
    expect(await panel(owner)).toContain('The key before this one works until');
    const last = shownKey((await post(owner, `${path}/rotate`, { immediate: 'yes' })).text);
    await until(async () => (await statuses()).join() === '401,401,401');
    expect((await call(last, '/v1/usage')).status).toBe(200);
  });
});
