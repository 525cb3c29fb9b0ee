// What an owner has over HTTP: the statement of a month, checked with the programs of the documentation; the choice of
// bookmakers, and the betslip of a price.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { publicKeyId } from '../../src/plans/key-id';
import { createStores } from '../../src/store/create-stores';
import { hashApiKey } from '../../src/store/keys/keys';
import { CHECK_NODE, CHECK_PYTHON } from '../../src/web/account/credits/check';
import { addRace } from '../support/races/board';
import { feedRunner } from '../support/races/builders';
import { type AccountWorld, createAccountWorld } from './account-world';

const run = promisify(execFile);
const DAY_MS = 86_400_000;
const LINES = 2600;

let world: AccountWorld;
beforeAll(async () => {
  world = await createAccountWorld();
});
afterAll(() => world.close());

async function signedUp(email: string) {
  const send = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(world.url + path, {
      ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams(form) },
      headers: { Origin: world.url, ...headers },
    });
  await send('/signup', { email, terms_accepted: 'yes' });
  const verified = await send('/verify', { token: (await world.link(email)).split('token=')[1]! });
  const key = /pe_live_\w+/.exec(await verified.text())![0];
  const Cookie = verified.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const get = async (path: string) => (await fetch(world.url + path, { headers: { Cookie } })).text();
  const post = (path: string, form = {}, headers = {}) => send(path, form, { Cookie, ...headers });
  return { key, cookie: Cookie, get, post };
}

const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

/** In one month, days ago: many lines of one instant, a grant, and a return after the close. */
async function use(key: string) {
  const stores = createStores(world.db.pool);
  const keyHash = hashApiKey(key);
  const { accountId, keyId } = (await stores.keys.find([keyHash]))[0]!;
  const { nowMs } = world.stripe.world;
  const thenMs = nowMs - 3 * DAY_MS;
  const period = `${monthOf(thenMs)}-01`;
  const at = (i: number): string =>
    new Date(Math.max(Date.parse(period), thenMs - (i % 2) * DAY_MS) + (i >> 9)).toISOString();
  await stores.credits.grant({ accountId, credits: 50, reason: 'good "will",\r\n=A1 ü', period, at: at(0) });
  const { epoch } = (await stores.keys.find([keyHash]))[0]!;
  const charges = Array.from({ length: LINES }, (_, i) => ({
    ...{ id: randomUUID(), keyHash, epoch, endpoint: `/v1/racing/${i % 3}`, cost: 1 },
    ...{ allowance: LINES - 10, overage: 1_000_000, period, at: at(i) },
  }));
  for (const { verdict } of await stores.credits.charge(charges)) expect(verdict).toBe('charged');
  await world.closeDays(nowMs);
  await stores.credits.giveBack([{ ...charges[0]!, accountId, keyId }]);
  await world.closeDays(nowMs + 3 * DAY_MS);
  return { accountId, keyId, month: period.slice(0, 7) };
}

/** With a checking program; resolves to what it prints, or null if it refuses the file. */
async function checked(program: 'python3' | 'node', csv: string): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'statement-'));
  const name = join(folder, program === 'node' ? 'check.mjs' : 'check.py');
  writeFileSync(name, program === 'node' ? CHECK_NODE : CHECK_PYTHON);
  writeFileSync(join(folder, 'statement.csv'), csv);
  return run(program, [name, join(folder, 'statement.csv')]).then(
    ({ stdout }) => stdout,
    () => null,
  );
}
const hasPython = () =>
  run('python3', ['--version']).then(
    () => true,
    () => false,
  );

test('a statement adds up, is checked by the programs of the documentation, and refuses every change', async () => {
  const owner = await signedUp('statement@example.com');
  const { keyId, month } = await use(owner.key);
  const answer = await owner.post('/account/statement', { month }, { 'Accept-Encoding': 'gzip' });
  const of = ['content-type', 'content-encoding', 'cache-control', 'content-disposition'];
  expect([answer.status, ...of.map((name) => answer.headers.get(name))]).toEqual([
    ...[200, 'text/csv; charset=utf-8', 'gzip', 'no-store'],
    `attachment; filename="racing-odds-statement-${month}.csv"`,
  ]);
  const csv = await answer.text();
  const rows: Record<string, string>[] = parse(csv, { columns: true });
  const lines = rows.filter(({ record }) => record === 'line');
  expect(lines).toHaveLength(LINES + 2);
  const total = rows.at(-1)!;
  expect(total).toMatchObject({
    record: 'month',
    used: `${LINES - 1}`,
    granted: '50',
    balance_effect: `${51 - LINES}`,
  });
  // The grant came before the allowance was used up; the return takes back what was used last.
  expect(total).toMatchObject({ from_grants: '9', overage: '0', lines: `${LINES + 2}` });
  const [line, late] = [lines.find(({ kind }) => kind === 'charge')!, lines.find(({ kind }) => kind === 'return')!];
  expect(line).toMatchObject({ key_id: publicKeyId(keyId), key_last4: owner.key.slice(-4) });
  expect(late.day! > late.at!.slice(0, 10)).toBe(true);
  expect(await owner.get(`/account/credits?month=${month}&by=key`)).toContain(
    `<b>${(LINES - 1).toLocaleString('en-AU')} credits</b> used`,
  );

  const docs = readFileSync('docs/accounts.md', 'utf8');
  const heads: Record<string, string>[] = parse(await (await owner.post('/account/statement/heads')).text(), {
    columns: true,
  });
  expect(heads.map(({ day, head }) => [day, head])).toEqual(
    rows.filter(({ record }) => record === 'day').map(({ day, head }) => [day, head]),
  );
  const changes = [
    csv.replace(',charge,', ',return,'),
    csv.replace(/^line,.*\r\n/m, ''),
    csv.replace(/^(line,.*\r\n)(line,.*\r\n)/m, '$2$1'),
    csv.replace(/\r\nday,/, '\r\nline,'),
  ];
  for (const program of (await hasPython()) ? (['node', 'python3'] as const) : (['node'] as const)) {
    expect(docs).toContain(program === 'node' ? CHECK_NODE : CHECK_PYTHON);
    expect(await checked(program, csv)).toBe(`complete up to ${total.day} head ${total.head}\n`);
    for (const changed of changes) expect([program, await checked(program, changed)]).toEqual([program, null]);
    expect(await checked(program, csv.slice(0, csv.lastIndexOf('month,')))).toBe('');
  }
});

test('belongs to its owner alone, ten times an hour, and to a month whose lines stand', async () => {
  const owner = await signedUp('limited@example.com');
  const { accountId, month } = await use(owner.key);
  const deleted = `INSERT INTO credit_usage SELECT $1, $2, gen_random_uuid(), 'x', 1, 1, now() FROM generate_series(1, 3)`;
  await world.db.pool.query(deleted, [accountId, `${month}-01`]);
  const page = await owner.get(`/account/credits?month=${month}&by=key`);
  expect(page).toMatch(/<\/span>deleted keys<\/th><td>3<\/td><td>3<\/td>/);
  const other = await signedUp('other@example.com');
  expect((await other.post('/account/statement', { month })).status).toBe(404);
  expect((await (await other.post('/account/statement/heads')).text()).split('\r\n')).toHaveLength(2);
  const anonymous = await owner.post('/account/statement', { month }, { Cookie: '' });
  expect([anonymous.status, anonymous.headers.get('location')]).toEqual([303, '/login']);
  expect((await owner.post('/account/statement', { month }, { Origin: 'https://evil.example' })).status).toBe(403);
  for (const wrong of ['', "2026-11'; --", '2026-13', 'x'])
    expect([wrong, (await owner.post('/account/statement', { month: wrong })).status]).toEqual([wrong, 404]);

  const summed = `INSERT INTO credit_closed (account_id, period, kind, subject, lines, credits, from_grants, overage)
                  VALUES ($1, $2, 'charge', 'x', 1, 1, 0, 0)`;
  await world.db.pool.query(summed, [accountId, `${month}-01`]);
  expect((await owner.post('/account/statement', { month })).status).toBe(410);
  expect((await (await owner.post('/account/statement/heads')).text()).split('\r\n').length).toBeGreaterThan(2);
  await world.db.pool.query('DELETE FROM credit_closed WHERE account_id = $1', [accountId]);
  const statuses: number[] = [];
  for (let i = 0; i < 10; i++) {
    const { status, body } = await owner.post('/account/statement', { month });
    await body?.cancel();
    statuses.push(status);
  }
  expect(statuses).toEqual([...Array(9).fill(200), 429]);
});

test('a statement whose lines were changed is cut off', async () => {
  const owner = await signedUp('changed@example.com');
  const { accountId, month } = await use(owner.key);
  await world.db.pool.query(
    `UPDATE credit_ledger SET subject = 'y' WHERE account_id = $1 AND subject = '/v1/racing/1'`,
    [accountId],
  );
  const { status, body } = await owner.post('/account/statement', { month });
  expect(status).toBe(200);
  await expect(new Response(body).text()).rejects.toThrow();
  expect(world.logged.join()).toContain('are not those of its head');
});

test('bookmakers are stored with the account, and a price leads to the betslip from Plus on, which costs nothing', async () => {
  const email = 'chooser@example.com';
  const { cookie: Cookie } = await signedUp(email);
  const choose = async (order: string) => {
    const body = new URLSearchParams({ order, hidden: 'tab', version: '' });
    const headers = { Cookie, Origin: world.url };
    return (await fetch(`${world.url}/account/bookmakers`, { method: 'PUT', body, headers })).status;
  };
  expect([await choose('neds,tab'), await choose('neds,tab'), await choose('tab')]).toEqual([200, 200, 409]);
  const { nowMs } = world.stripe.world;
  const instant = (ms: number) => new Date(nowMs + ms).toISOString();
  const sourceUrl = 'https://www.ladbrokes.com.au/racing/flemington/e1';
  const runners = [feedRunner(1, { win: 5, sourceIds: { win: 'a1', place: null } }), feedRunner(2, { win: 3 })];
  const { raceId } = await addRace(
    world.db.pool,
    { startTime: instant(600_000) },
    { ladbrokes_au: { sourceUrl, runners, at: instant(-10_000) } },
  );
  const phone = { 'User-Agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)' };
  const click = async (number: number, headers: Record<string, string>) => {
    const to = `${world.url}/go/${raceId}/${number}/ladbrokes_au/win`;
    return (await fetch(to, { redirect: 'manual', headers: { ...phone, ...headers } })).headers.get('location');
  };
  expect(await click(1, { Cookie })).toBe(sourceUrl);
  await world.setPlan(email, 'plus');
  expect([await click(1, { Cookie }), await click(2, { Cookie }), await click(1, {})]).toEqual([
    `${sourceUrl}/a1/fw`,
    sourceUrl,
    sourceUrl,
  ]);
  const used = 'SELECT count(*)::int AS n FROM credit_ledger JOIN account_owners USING (account_id) WHERE email = $1';
  expect((await world.db.pool.query(used, [email])).rows).toEqual([{ n: 0 }]);
});
