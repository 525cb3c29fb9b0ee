// Replaced keys, over two API processes on one database: by rotation, and by showing a new one in the console.
import { ENDPOINTS } from '../../../../src/api/operations';
import { createStores } from '../../../../src/store/create-stores';
import { hashApiKey } from '../../../../src/store/keys/keys';
import type { Answer } from '../../../support/api/api';
import { expectConforms } from '../../../support/api/conforms';

import { DAY_MS, HOUR_MS, keyProcesses } from './key-processes';

const lab = keyProcesses();
const { announced, call, statuses, info, addKey, minted, rotated, accountOf, signIn, noKeyIsElsewhere } = lab;

describe('rotate', () => {
  test('a new key keeps id, issue instant, label, allow-list, limit window and usage, and the old one works for another day', async () => {
    const old = await addKey({ plan: 'standard', issuedAt: '2026-09-01T00:00:00.000Z', label: 'production' });
    await call('POST', '/v1/keys/ip-whitelist', { key: old, body: ['127.0.0.1'] });
    await announced();
    const before = await call('GET', '/v1/paid', { key: old });
    const body = await rotated(old);
    expectConforms('rotate_key', body);
    const until = new Date(lab.here.now + DAY_MS).toISOString();
    expect(body).toMatchObject({
      api_key: body.new_key,
      old_key_hint: `pe_live_…${old.slice(-4)}`,
      key_version: 2,
      rotated_at: new Date(lab.here.now).toISOString(),
      previous_key_valid_until: until,
    });
    const after = await call('GET', '/v1/keys/info', { key: body.new_key });
    expectConforms('key_info', after.body);
    expect(after.body).toMatchObject({
      key_hint: `pe_live_…${body.new_key.slice(-4)}`,
      label: 'production',
      key_version: 2,
      is_primary: true,
      created_at: '2026-09-01T00:00:00.000Z',
      rotated_at: body.rotated_at,
      ip_whitelist: ['127.0.0.1/32'],
      credits_used: 2,
      last_used_at: new Date(lab.here.now).toISOString(),
      valid_until: null,
      last_used_ip: null,
    });
    const left = ({ headers }: Answer) => Number(headers.get('x-ratelimit-remaining'));
    expect(left(before) - left(after)).toBe(2);
    expect(await info(old)).toMatchObject({ key_id: after.body.key_id, key_version: 1, valid_until: until });
    lab.here.now += DAY_MS - 1;
    expect(await statuses(old)).toEqual([200, 200]);
    lab.here.now += 1;
    expect(await statuses(old)).toEqual([401, 401]);
    lab.here.now -= DAY_MS;
  });

  test('an older key’s right survives rotation, another plan and the way back (D11)', async () => {
    const key = await addKey({ plan: 'standard', issuedAt: '2026-09-01T00:00:00.000Z' });
    const { new_key: next } = await rotated(key);
    const { keyRegister } = createStores(lab.served.db.pool);
    const marketsOf = async (plan: string) => {
      await keyRegister.setPlan(await accountOf(next), plan);
      await announced();
      return (await call('GET', '/v1/racing/markets?race_id=00000000-0000-5000-8000-000000000000', { key: next }))
        .status;
    };
    // 404: the gate is passed, and there is no such race.
    for (const [plan, status] of [
      ['standard', 404],
      ['plus', 404],
      ['standard', 404],
      ['hobby', 403],
    ] as const)
      expect([plan, await marketsOf(plan)]).toEqual([plan, status]);
  });

  test('at most one previous key lives, and immediate=true ends both', async () => {
    const first = await addKey();
    const { new_key: second } = await rotated(first);
    const { new_key: third } = await rotated(second);
    expect([await statuses(first), await statuses(second), await statuses(third)]).toEqual([
      [401, 401],
      [200, 200],
      [200, 200],
    ]);
    const body = await rotated(third, '?immediate=true');
    expect(body).toMatchObject({ previous_key_valid_until: null, key_version: 4 });
    for (const ended of [first, second, third]) expect(await statuses(ended)).toEqual([401, 401]);
    expect(await statuses(body.new_key)).toEqual([200, 200]);
  });

  test('a request whose response was lost makes no second key: the replaced key is refused', async () => {
    const key = await addKey();
    const { new_key: next } = await rotated(key);
    for (const query of ['', '?immediate=true'])
      expect((await call('POST', `/v1/keys/rotate${query}`, { key })).body).toMatchObject({
        status: 409,
        code: 'conflict',
        detail: expect.stringContaining('console'),
      });
    expect(await statuses(next)).toEqual([200, 200]);
  });

  test('a replaced key can still read, and cannot change the account or its keys', async () => {
    const old = await addKey({ plan: 'business' });
    const { new_key: next } = await rotated(old);
    const { body: worker } = await call('POST', '/v1/keys/team', { key: next, body: { label: 'worker' } });
    minted.push(worker.key);
    for (const path of ['/v1/paid', '/v1/keys/info', '/v1/keys/team', '/v1/usage', '/v1/account'])
      expect([path, (await call('GET', path, { key: old })).status]).toEqual([path, 200]);
    for (const { method, path, body } of ENDPOINTS.filter((one) => one.currentKeyOnly)) {
      const named = path.replace('{key_id}', worker.key_id);
      const refused = await call(method.toUpperCase(), named, { key: old, body: body?.examples?.[0] });
      expect([path, refused.body]).toEqual([path, expect.objectContaining({ status: 409, code: 'conflict' })]);
      expect(refused.body.detail).toContain('Send its replacement');
    }
    expect((await call('GET', '/v1/keys/team', { key: next })).body.keys).toMatchObject([
      { ip_whitelist: [], key_version: 2 },
      { key_id: worker.key_id, label: 'worker' },
    ]);
    // The same for a team key.
    await rotated(worker.key);
    const list = await call('POST', '/v1/keys/ip-whitelist', { key: worker.key, body: ['127.0.0.1'] });
    expect(list.body.code).toBe('conflict');
  });

  test('exactly one of many simultaneous rotations of a key succeeds', async () => {
    const key = await addKey();
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, i) => call('POST', '/v1/keys/rotate', { key, api: i % 2 ? lab.here : lab.there })),
    );
    const won = all.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(all.filter(({ status }) => status === 409)).toHaveLength(11);
    minted.push(won[0]!.body.new_key);
    const text = `SELECT version, expires_at IS NULL AS current FROM api_keys
      WHERE account_id = $1 AND revoked_at IS NULL ORDER BY version`;
    const { rows } = await lab.served.db.pool.query(text, [await accountOf(key)]);
    expect(rows).toEqual([
      { version: 1, current: false },
      { version: 2, current: true },
    ]);
  });

  test('a call is charged once when its key is replaced meanwhile, and free when the key ends', async () => {
    const key = await addKey();
    let next = '';
    lab.meanwhile = async () => {
      lab.meanwhile = async () => {};
      next = (await rotated(key)).new_key;
    };
    expect((await call('GET', '/v1/paid', { key })).headers.get('x-credits-used')).toBe('2');
    let last = '';
    lab.meanwhile = async () => {
      lab.meanwhile = async () => {};
      last = (await rotated(next, '?immediate=true')).new_key;
    };
    expect((await call('GET', '/v1/paid', { key: next })).status).toBe(401);
    expect(await info(last)).toMatchObject({ credits_used: 2 });
  });
});

describe('reveal', () => {
  const revealed = async (headers: Record<string, string>) => {
    const { status, body } = await call('POST', '/v1/keys/reveal', { headers });
    expect(status).toBe(200);
    expectConforms('reveal_key', body);
    minted.push(body.key);
    await announced();
    return body;
  };

  test('needs a session; shows a new primary key once, and the current one survives a second click', async () => {
    const inUse = await addKey();
    const headers = await signIn(inUse);
    expect((await call('POST', '/v1/keys/reveal', { key: inUse })).status).toBe(401);
    const lost = await revealed(headers);
    const until = new Date(lab.here.now + DAY_MS).toISOString();
    expect(lost).toMatchObject({ key_version: 2, previous_key_valid_until: until });
    lab.here.now += 60_000;
    const shown = await revealed(headers);
    expect(shown).toMatchObject({ key_version: 3, previous_key_valid_until: until });
    expect(shown.message).toContain('The key that was shown before it has ended; the key before that one works until');
    expect([await statuses(inUse), await statuses(lost.key), await statuses(shown.key)]).toEqual([
      [200, 200],
      [401, 401],
      [200, 200],
    ]);
    lab.here.now += HOUR_MS;
    const later = await revealed(headers);
    expect([await statuses(inUse), await statuses(shown.key), await statuses(later.key)]).toEqual([
      [401, 401],
      [200, 200],
      [200, 200],
    ]);
  });

  test('leaves a key made by rotation its day, however soon it follows', async () => {
    const first = await addKey();
    const { new_key: deployed } = await rotated(first);
    lab.here.now += 300_000;
    const shown = await revealed(await signIn(deployed));
    const until = new Date(lab.here.now + DAY_MS).toISOString();
    expect(shown).toMatchObject({
      previous_key_valid_until: until,
      message: expect.stringContaining('The key before it works'),
    });
    expect([await statuses(first), await statuses(deployed), await statuses(shown.key)]).toEqual([
      [401, 401],
      [200, 200],
      [200, 200],
    ]);
  });

  test('gives no new key to an account whose primary key an operator revoked', async () => {
    const key = await addKey();
    const headers = await signIn(key);
    await lab.served.db.pool.query('UPDATE api_keys SET revoked_at = now() WHERE key_hash = $1', [hashApiKey(key)]);
    const refused = (await call('POST', '/v1/keys/reveal', { headers })).body;
    expect(refused).toMatchObject({ status: 409, code: 'conflict', detail: expect.stringContaining('Contact us') });
  });
});

noKeyIsElsewhere(17);
