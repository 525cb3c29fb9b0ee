// Keys that work from listed addresses only, over two API processes on one database.
import { hashApiKey } from '../../../../src/store/keys/keys';
import type { TestApi } from '../../../support/api/api';
import { expectConforms } from '../../../support/api/conforms';

import { keyProcesses, type Sending } from './key-processes';

const lab = keyProcesses();
const { announced, call, info, addKey, rotated, noKeyIsElsewhere } = lab;

describe('ip-whitelist', () => {
  const restrict = (key: string, body: unknown, more: Sending = {}) =>
    call('POST', '/v1/keys/ip-whitelist', { key, body, ...more });

  test('takes effect at once in every process, for the replaced key too, and [] clears it', async () => {
    const old = await addKey();
    const { new_key: key } = await rotated(old);
    const { status, body } = await restrict(key, ['127.0.0.1', '::ffff:127.0.0.1', '2001:db8::/32']);
    expect(status).toBe(200);
    expectConforms('set_ip_whitelist', body);
    expect(body.ip_whitelist).toEqual(['127.0.0.1/32', '2001:db8::/32']);
    await announced();
    expect(await info(old)).toMatchObject({ ip_whitelist: body.ip_whitelist });
    const from = (address: string) => ({ api: lab.there, headers: { 'X-Forwarded-For': address } });
    for (const each of [old, key]) {
      const elsewhere = await call('GET', '/v1/keys/info', { key: each, ...from('203.0.113.9') });
      expect(elsewhere.body).toMatchObject({ status: 403, code: 'ip_not_allowed' });
      expect((await call('GET', '/v1/keys/info', { key: each, ...from('2001:db8:7::1') })).status).toBe(200);
    }
    expect((await restrict(key, [])).body).toMatchObject({ ip_whitelist: [] });
    await announced();
    expect((await call('GET', '/v1/keys/info', { key: old, ...from('203.0.113.9') })).status).toBe(200);
  });

  test('X-Forwarded-For has no effect unless a trusted proxy wrote it', async () => {
    const key = await addKey();
    await restrict(key, ['198.51.100.7', '127.0.0.1']);
    const only = `UPDATE api_keys SET allowed_addresses = '{198.51.100.7/32}' WHERE key_hash = $1`;
    await lab.served.db.pool.query(only, [hashApiKey(key)]);
    await announced();
    const sends = async (api: TestApi, ...forged: string[]) =>
      Promise.all(
        forged.map(
          async (value) =>
            (await call('GET', '/v1/keys/info', { key, api, headers: { 'X-Forwarded-For': value } })).status,
        ),
      );
    // No proxy is trusted here: whatever the header has, the connection's own address counts.
    expect(await sends(lab.here, '198.51.100.7', '198.51.100.7, 127.0.0.1', "' OR 1=1", '::ffff:198.51.100.7')).toEqual(
      [403, 403, 403, 403],
    );
    // One is trusted there: the last address is the one that it wrote.
    expect(await sends(lab.there, '198.51.100.7', '203.0.113.9, 198.51.100.7', '::ffff:198.51.100.7')).toEqual([
      200, 200, 200,
    ]);
    expect(await sends(lab.there, '198.51.100.7, 203.0.113.9', '198.51.100.7, unknown', '')).toEqual([403, 403, 403]);
  });

  test('an invalid list, or one that excludes its own caller, is a 422 that changes nothing', async () => {
    const key = await addKey();
    expect((await restrict(key, ['203.0.113.0/24'])).body).toMatchObject({
      status: 422,
      errors: [{ pointer: '', detail: expect.stringContaining('127.0.0.1') }],
    });
    expect((await restrict(key, ['127.0.0.1/8', '127.0.0.1', 'x'])).body.errors).toMatchObject([
      { pointer: '/0' },
      { pointer: '/2' },
    ]);
    for (const body of [{}, ['127.0.0.1', 7], 'x', Array(101).fill('127.0.0.1'), null])
      expect((await restrict(key, body)).status).toBe(422);
    expect((await restrict(key, Array(100).fill('127.0.0.1'))).body.ip_whitelist).toEqual(['127.0.0.1/32']);
  });

  test('a call is judged again, and not charged, when its key’s list changes meanwhile', async () => {
    const key = await addKey();
    lab.meanwhile = () => restrict(key, ['127.0.0.1']);
    const refused = await call('GET', '/v1/paid', { key });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    lab.meanwhile = async () => {};
    expect((await call('GET', '/v1/paid', { key })).headers.get('x-credits-used')).toBe('2');
  });
});

noKeyIsElsewhere(1);
