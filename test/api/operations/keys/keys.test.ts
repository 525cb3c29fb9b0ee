// Keys of operators, and hostile texts in every operation, over two API processes on one database.
import { ENDPOINTS } from '../../../../src/api/operations';
import { hashApiKey } from '../../../../src/store/keys/keys';
import { expectConforms } from '../../../support/api/conforms';

import { keyProcesses } from './key-processes';

const lab = keyProcesses();
const { call, info, addKey, minted, noKeyIsElsewhere } = lab;

describe('operators', () => {
  const open = (query: string, key: string) => call('POST', `/v1/keys?${query}`, { key });
  let operator: string;
  beforeAll(async () => {
    operator = await addKey({ role: 'internal', plan: 'enterprise' });
  });

  test('open accounts with a customer’s key, and with an owner whose address has one account', async () => {
    const { status, body } = await open('label=Acme&plan=business&email=Owner%40Acme.EXAMPLE', operator);
    expect(status).toBe(200);
    expectConforms('create_key', body);
    expect(body).toMatchObject({ plan: 'business', label: 'Acme', credits_limit: 300_000 });
    minted.push(body.key);
    const { rows } = await lab.served.db.pool.query(
      `SELECT role, is_primary, o.email, o.email_key FROM api_keys JOIN account_owners o USING (account_id) WHERE key_hash = $1`,
      [hashApiKey(body.key)],
    );
    expect(rows).toEqual([
      { role: 'customer', is_primary: true, email: 'Owner@acme.example', email_key: 'owner@acme.example' },
    ]);
    expect(await info(body.key)).toMatchObject({
      plan: 'business',
      is_primary: true,
      created_at: new Date(lab.here.now).toISOString(),
    });
    const accounts = async () => (await lab.served.db.pool.query('SELECT count(*) AS n FROM accounts')).rows[0].n;
    const before = await accounts();
    expect((await open('label=Acme&email=owner%40ACME.example', operator)).body).toMatchObject({
      status: 409,
      code: 'conflict',
    });
    const twins = await Promise.all([1, 2, 3].map(() => open('label=Twin&email=twin%40acme.example', operator)));
    minted.push(...twins.flatMap((one) => one.body.key ?? []));
    expect(twins.map((one) => one.status).sort()).toEqual([200, 409, 409]);
    expect(await accounts()).toBe(before + 1);
  });

  test('send the members in a body, which takes precedence over the query, or send none', async () => {
    const order = (body: object | undefined, query = '') => call('POST', `/v1/keys${query}`, { key: operator, body });
    const sent = await order({ label: 'Body', plan: 'plus', email: 'body@acme.example' }, '?label=Query&plan=free');
    expect([sent.status, sent.body]).toMatchObject([200, { label: 'Body', plan: 'plus' }]);
    const none = await order(undefined);
    expect([none.status, none.body]).toMatchObject([200, { label: 'My Key', plan: 'free' }]);
    minted.push(sent.body.key, none.body.key);
    expect((await order({ label: 'x', plan: 'pro' })).body).toMatchObject({
      status: 422,
      errors: [{ pointer: '/plan' }],
    });
    expect((await order({ label: 'x', role: 'internal' })).status).toBe(422);
  });

  test('customers may not, no parameter sets another role, and only plans on sale are accepted', async () => {
    expect((await open('label=x&plan=free', await addKey())).body).toMatchObject({
      status: 403,
      code: 'plan_required',
    });
    for (const query of [
      'label=&plan=free',
      'label=x&plan=pro',
      'label=x&plan=internal',
      'label=x&role=internal',
      'label=x&email=x',
      'label=x&email=a..b%40acme.example',
      'label=x&email=a%40b.example%0d%0aBcc%3a%20c%40d.example',
      'label=a%0d%0ab',
    ])
      expect([query, (await open(query, operator)).status]).toEqual([query, 422]);
  });

  test('are not metered; their keys are not rotated and have no team', async () => {
    const answer = await call('GET', '/v1/paid', { key: operator });
    expect(answer.headers.get('x-credits-remaining')).toBe('unlimited');
    const use = await call('GET', '/v1/usage', { key: operator });
    expect([use.status, use.body.credits_limit, use.body.credits_remaining]).toEqual([200, null, null]);
    expect((await call('POST', '/v1/keys/rotate', { key: operator })).status).toBe(409);
    expect((await call('POST', '/v1/keys/team', { key: operator, body: { label: 'x' } })).status).toBe(409);
    expect((await call('GET', '/v1/keys/team', { key: operator })).body).toMatchObject({ keys: [] });
    const list = await call('POST', '/v1/keys/ip-whitelist', { key: operator, body: ['127.0.0.1'] });
    expect(list.body.ip_whitelist).toEqual(['127.0.0.1/32']);
  });
});

/** By place, each text of an example replaced in turn. */
function* spoilt(value: unknown, text: string): Generator<unknown> {
  if (typeof value === 'string') yield text;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value))
    for (const other of spoilt(member, text))
      yield Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other };
}

/** What a request needs besides a parameter so that the parameter is used: the other names of a race, an instant. */
function beside(name: string): Record<string, string> {
  if (name === 'race_id') return {};
  const since = new Date(Date.now() - 60_000).toISOString();
  return { venue: 'Flemington', meeting_date: '2026-11-21', race_number: '1', label: 'test', since };
}

const HOSTILE = ["' OR '1'='1", "x'; DROP TABLE api_keys; --", '$1::uuid{}\\"%_'];

test('SQL is data in every parameter and member of every operation', async () => {
  const key = await addKey({ role: 'internal', plan: 'enterprise' });
  const customer = await addKey();
  const requests = ENDPOINTS.flatMap((one) => {
    const method = one.method.toUpperCase();
    const example = one.body?.examples?.[0];
    const named = one.path.replace(/\{(\w+)\}/g, 'tab');
    const as = one.auth === 'primary_key' ? customer : key;
    return HOSTILE.flatMap((text) => [
      ...Object.keys(one.query ?? {}).map((name) => {
        const others = Object.entries(beside(name)).filter(([other]) => other in (one.query ?? {}));
        const query = new URLSearchParams({ ...Object.fromEntries(others), [name]: text });
        return [method, `${named}?${query}`, as, example];
      }),
      ...(one.params ? [[method, one.path.replace(/\{(\w+)\}/g, encodeURIComponent(text)), as, example]] : []),
      ...[...spoilt(example, text)].map((body) => [method, named, as, body]),
    ]) as [string, string, string, unknown][];
  });
  expect(requests.length).toBeGreaterThan(200);
  const failed: string[] = [];
  const lane = async (): Promise<void> => {
    for (let one = requests.pop(); one; one = requests.pop()) {
      const [method, path, as, body] = one;
      const { status, body: answer } = await call(method, path, { key: as, body });
      if (status === 200 && answer?.key) minted.push(answer.key);
      // No registry was read for this database: a premiership is a 503 whatever its name.
      if (status >= 500 && answer?.code !== 'store_filling')
        failed.push(`${method} ${path} ${JSON.stringify(body)}: ${status}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  for (const text of HOSTILE)
    for (const name of ['X-API-Key', 'Cookie', 'X-Forwarded-For', 'If-None-Match', 'X-Request-Id', 'Origin']) {
      const value = name === 'Cookie' ? `__Host-session=${encodeURIComponent(text)}` : text;
      const { status, headers } = await call('POST', '/v1/keys/reveal', { headers: { [name]: value } });
      if (status >= 500 || JSON.stringify([...headers]).includes(text)) failed.push(`${name}: ${text}`);
    }
  expect(failed).toEqual([]);
});

test('a request header never becomes a response header', async () => {
  const { headers } = await call('GET', '/v1/keys/info', {
    headers: { 'X-Request-Id': 'a%0d%0aSet-Cookie: x=1', 'X-API-Key': 'pe_live_%0d%0aX-Injected: 1' },
  });
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{32,36}$/);
  expect([headers.get('set-cookie'), headers.get('x-injected')]).toEqual([null, null]);
});

noKeyIsElsewhere(2);
