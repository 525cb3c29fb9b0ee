// Keys that share the credits of an account, over two API processes on one database.
import { keyIdOf } from '../../../../src/plans/key-id';
import { createStores } from '../../../../src/store/create-stores';
import { hashApiKey } from '../../../../src/store/keys/keys';
import { createReads } from '../../../../src/store/reads/reads';
import { type Answer, startApi } from '../../../support/api/api';
import { expectConforms, expectProblemConforms } from '../../../support/api/conforms';

import { DAY_MS, keyProcesses, type Sending } from './key-processes';

const lab = keyProcesses();
const { announced, call, statuses, info, addKey, minted, rotated, accountOf, noKeyIsElsewhere } = lab;

describe('team keys', () => {
  const team = (key: string, more: Sending = {}) => call('GET', '/v1/keys/team', { key, ...more });
  const add = async (key: string, body: unknown = { label: 'worker' }, api = lab.here) => {
    const answer = await call('POST', '/v1/keys/team', { key, body, api });
    if (answer.status === 200) minted.push(answer.body.key);
    return answer;
  };
  const change = (key: string, id: string, body: unknown) => call('PATCH', `/v1/keys/team/${id}`, { key, body });
  const remove = (key: string, id: string) => call('DELETE', `/v1/keys/team/${id}`, { key });

  test('need Business; a 403 names it', async () => {
    const key = await addKey({ plan: 'plus' });
    for (const answer of [
      await team(key),
      await add(key),
      await remove(key, 'tk_x'),
      await change(key, 'tk_x', { label: 'x' }),
    ])
      expect(answer.body).toMatchObject({
        status: 403,
        code: 'plan_required',
        required_plan: 'business',
        upgrade_url: 'https://api.example.com/account',
      });
  });

  test('are limited to exactly the plan’s number, however many are created simultaneously', async () => {
    const key = await addKey({ plan: 'platform' });
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) => add(key, { label: `worker ${i}` }, i % 2 ? lab.here : lab.there)),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([...Array(4).fill(200), ...Array(16).fill(409)]);
    const { body } = await team(key);
    expectConforms('list_team_keys', body);
    expect([body.limit, body.keys.length, body.keys[0].is_primary]).toEqual([5, 5, true]);
    const refused = all.find(({ status }) => status === 409)!;
    expect(refused.body).toMatchObject({
      code: 'conflict',
      required_plan: 'scale',
      detail: expect.stringContaining('Scale plan has 10'),
    });
  });

  test('share the credits of the account, each with its own usage line, limit and rights', async () => {
    const key = await addKey({ plan: 'business', issuedAt: '2026-09-01T00:00:00.000Z' });
    const { body: worker } = await add(key, { label: 'pricing worker', ip_whitelist: ['127.0.0.0/8', '2001:db8::1'] });
    expectConforms('create_team_key', worker);
    expect(worker).toMatchObject({
      is_primary: false,
      label: 'pricing worker',
      ip_whitelist: ['127.0.0.0/8', '2001:db8::1/128'],
      created_at: new Date(lab.here.now).toISOString(),
      requests_per_minute: 750,
      key_version: 1,
      credits_used: 0,
    });
    const first = await call('GET', '/v1/paid', { key: worker.key });
    expect(first.headers.get('x-ratelimit-remaining')).toBe('749');
    await call('GET', '/v1/paid', { key: worker.key });
    expect((await call('GET', '/v1/paid', { key })).headers.get('x-credits-used')).toBe('6');
    const { keys } = (await team(key)).body;
    expect(keys.map((one: Answer['body']) => [one.label, one.calls_used, one.credits_used])).toEqual([
      ['test', 1, 2],
      ['pricing worker', 2, 4],
    ]);
    expect(await info(worker.key)).toMatchObject({ key_id: worker.key_id, is_primary: false, credits_used: 6 });
    // In the next month its line starts again.
    lab.here.now += 10 * DAY_MS;
    expect((await team(key)).body.keys[1]).toMatchObject({
      calls_used: 0,
      credits_used: 0,
      last_used_at: first.headers.get('date') && keys[1].last_used_at,
    });
    lab.here.now -= 10 * DAY_MS;
  });

  test('are not refused because of another key’s cached balance', async () => {
    const key = await addKey({ plan: 'business' });
    const { body: worker } = await add(key);
    await change(key, (await info(key)).key_id, { label: 'changed once' });
    await announced();
    expect((await call('GET', '/v1/all', { key })).status).toBe(200);
    expect((await call('GET', '/v1/paid', { key: worker.key })).status).toBe(402);
    expect((await call('GET', '/v1/paid', { key })).status).toBe(402);
    const grant = { credits: 10, reason: 'test', period: '2026-11-01', at: new Date(lab.here.now).toISOString() };
    await createStores(lab.served.db.pool).credits.grant({ ...grant, accountId: await accountOf(key) });
    await announced();
    expect((await call('GET', '/v1/paid', { key: worker.key })).headers.get('x-credits-remaining')).toBe('8');
  });

  test('are managed by the primary key only; a team key may replace itself', async () => {
    const key = await addKey({ plan: 'business' });
    const { body: worker } = await add(key);
    for (const answer of [await team(worker.key), await add(worker.key), await remove(worker.key, worker.key_id)])
      expect(answer.body).toMatchObject({ status: 403, detail: expect.stringContaining('primary key') });
    const { new_key: next } = await rotated(worker.key);
    expect(await info(next)).toMatchObject({ key_id: worker.key_id, key_version: 2, is_primary: false });
    expect((await team(key)).body.keys).toMatchObject([
      { key_version: 1 },
      { key_version: 2, previous_key_valid_until: expect.any(String) },
    ]);
  });

  test('PATCH changes the sent members at once, DELETE ends a key and its previous one', async () => {
    const key = await addKey({ plan: 'business' });
    const { body: worker } = await add(key);
    const { new_key: next } = await rotated(worker.key);
    const renamed = await change(key, worker.key_id, { label: 'Melbourne' });
    expectConforms('update_team_key', renamed.body);
    expect(renamed.body).toMatchObject({ label: 'Melbourne', ip_whitelist: [] });
    expect((await change(key, worker.key_id, { ip_whitelist: ['203.0.113.7'] })).body).toMatchObject({
      label: 'Melbourne',
      ip_whitelist: ['203.0.113.7/32'],
    });
    await announced();
    for (const each of [worker.key, next]) expect(await statuses(each)).toEqual([403, 403]);
    const { key_id: own } = await info(key);
    expect((await change(key, own, { ip_whitelist: ['203.0.113.7'] })).status).toBe(422);
    expect((await change(key, own, { label: 'main' })).body).toMatchObject({ label: 'main', is_primary: true });
    for (const body of [
      {},
      { label: '' },
      { label: 'a\u0000b' },
      { plan: 'scale' },
      { label: 'x'.repeat(101) },
      { ip_whitelist: null },
    ])
      expect((await change(key, worker.key_id, body)).status).toBe(422);
    const gone = await remove(key, worker.key_id);
    expectConforms('delete_team_key', gone.body);
    await announced();
    for (const each of [worker.key, next]) expect(await statuses(each)).toEqual([401, 401]);
    expect((await remove(key, worker.key_id)).status).toBe(404);
    expect((await remove(key, own)).body).toMatchObject({ status: 409, code: 'conflict' });
    expect(await statuses(key)).toEqual([200, 200]);
  });

  test('scopes take effect at once in every process, for the replaced key too, until null clears them', async () => {
    const key = await addKey({ plan: 'business' });
    const { body: worker } = await add(key, { label: 'archivist', scopes: ['archive', 'read'] });
    expectConforms('create_team_key', worker);
    expect(worker.scopes).toEqual(['archive', 'read']);
    const { new_key: next } = await rotated(worker.key);
    const judged = async () => {
      await announced();
      const all = [worker.key, next].flatMap((each) => [lab.here, lab.there].map((api) => ({ key: each, api })));
      return new Set(await Promise.all(all.map(async (more) => (await call('GET', '/v1/sports', more)).status)));
    };
    expect(await judged()).toEqual(new Set([200]));
    const narrowed = await change(key, worker.key_id, { scopes: ['archive'] });
    expectConforms('update_team_key', narrowed.body);
    expect(narrowed.body).toMatchObject({ label: 'archivist', scopes: ['archive'] });
    expect(await judged()).toEqual(new Set([403]));
    expect(await info(next)).toMatchObject({ scopes: ['archive'] });
    const refused = (await call('GET', '/v1/sports', { key: next })).body;
    expect(refused).toMatchObject({ code: 'scope_required', required_scope: 'read' });
    expectProblemConforms(refused);
    expect((await change(key, worker.key_id, { label: 'renamed' })).body.scopes).toEqual(['archive']);
    expect((await change(key, worker.key_id, { scopes: null })).body.scopes).toBeNull();
    expect(await judged()).toEqual(new Set([200]));
    for (const scopes of [[], ['write'], ['read', 'read'], 'read', [null]])
      expect((await change(key, worker.key_id, { scopes })).status).toBe(422);
    const { key_id: own } = await info(key);
    expect((await change(key, own, { scopes: ['read'] })).body).toMatchObject({ status: 409, code: 'conflict' });
    expect((await change(key, own, { scopes: null })).status).toBe(200);
  });

  test('a call is judged again, and not charged, when its key loses the scope meanwhile', async () => {
    const key = await addKey({ plan: 'business' });
    const { body: worker } = await add(key);
    lab.meanwhile = () => change(key, worker.key_id, { scopes: ['archive'] });
    expect((await call('GET', '/v1/paid', { key: worker.key })).status).toBe(503);
    lab.meanwhile = async () => {};
    await announced();
    expect((await call('GET', '/v1/paid', { key: worker.key })).body).toMatchObject({ code: 'scope_required' });
    expect((await team(key)).body.keys[1]).toMatchObject({ calls_used: 0, credits_used: 0 });
  });

  test('of other accounts and of operators are not found', async () => {
    const key = await addKey({ plan: 'business' });
    const other = await addKey({ plan: 'business' });
    const { body: worker } = await add(other);
    const operator = await addKey({ role: 'internal', plan: 'enterprise' });
    const { keyId } = (await createStores(lab.pool).keys.find([hashApiKey(operator)]))[0]!;
    await lab.served.db.pool.query('UPDATE api_keys SET account_id = $2 WHERE key_hash = $1', [
      hashApiKey(operator),
      await accountOf(key),
    ]);
    expect(keyIdOf((await info(operator)).key_id)).toBe(keyId);
    for (const id of [worker.key_id, (await info(operator)).key_id, 'tk_nothing', encodeURIComponent("' OR '1'='1")]) {
      expect((await change(key, id, { label: 'mine' })).status).toBe(404);
      expect((await remove(key, id)).status).toBe(404);
    }
    expect((await team(key)).body.keys).toHaveLength(1);
    expect(await statuses(worker.key)).toEqual([200, 200]);
  });

  test('are not managed by a key that ended, even if its end was not announced', async () => {
    const key = await addKey({ plan: 'business' });
    const { body: worker } = await add(key);
    const stores = createStores(lab.pool);
    const unannounced = await startApi({
      ...stores,
      reads: createReads(lab.pool),
      keyStores: stores,
      now: () => lab.here.now,
      wallMs: () => lab.here.now,
    });
    try {
      expect((await team(key, { api: unannounced })).status).toBe(200);
      const { new_key: next } = await rotated(key, '?immediate=true');
      const refused = [
        await add(key, { label: 'thief' }, unannounced),
        await call('PATCH', `/v1/keys/team/${worker.key_id}`, { key, api: unannounced, body: { label: 'thief' } }),
        await call('DELETE', `/v1/keys/team/${worker.key_id}`, { key, api: unannounced }),
        await call('POST', '/v1/keys/ip-whitelist', { key, api: unannounced, body: ['127.0.0.1'] }),
      ];
      expect(refused.map(({ status, body }) => [status, body.code])).toEqual(Array(4).fill([409, 'conflict']));
      const { body } = await team(next);
      expect(body.keys).toMatchObject([{ ip_whitelist: [] }, { label: 'worker' }]);
    } finally {
      await unannounced.close();
    }
  });

  test('continue after a downgrade with the limits of the new plan; they can be ended, but not added', async () => {
    const key = await addKey({ plan: 'business' });
    const { body: worker } = await add(key);
    await createStores(lab.served.db.pool).keyRegister.setPlan(await accountOf(key), 'hobby');
    await announced();
    expect((await call('GET', '/v1/paid', { key: worker.key })).headers.get('x-ratelimit-limit')).toBe('60');
    expect((await add(key)).body).toMatchObject({ status: 403, required_plan: 'business' });
    expect((await team(key)).body).toMatchObject({ limit: 1, keys: [{}, { requests_per_minute: 60 }] });
    expect((await remove(key, worker.key_id)).status).toBe(200);
    expect((await team(key)).status).toBe(403);
  });
});

noKeyIsElsewhere(17);
