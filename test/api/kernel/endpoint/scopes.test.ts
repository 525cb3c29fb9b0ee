// Scopes of team keys (D68) over every operation: each requires one scope or none, as in test/fixtures/access.tsv, and
// a key without it is refused before any work.
import * as fc from 'fast-check';
import type { Endpoint } from '../../../../src/api/kernel/endpoint/endpoint';
import { ENDPOINTS } from '../../../../src/api/operations';
import { AppError } from '../../../../src/errors';
import { SCOPES, type Scope } from '../../../../src/plans/scopes';
import { hashApiKey } from '../../../../src/store/keys/keys';
import { scopesByOperation } from '../../../support/api/access/table';
import { type Answer, UNCOUNTED } from '../../../support/api/api';
import { requestFor, type Seeded } from '../../../support/api/operation-requests';
import { type Served, serve } from '../../../support/api/served';
import { runs } from '../../../support/property';

/** Those that a customer's key can call. */
const CALLABLE = ENDPOINTS.filter(({ auth }) => auth === 'key' || auth === 'primary_key' || auth === 'session_or_key');
const TABLE = scopesByOperation();
/** Undefined: the table does not have the operation. */
const scopeOf = ({ method, path }: Endpoint): Scope | null | undefined => TABLE.get(`${method.toUpperCase()} ${path}`);
const RACE = '0d5a1f9e-6f4c-5b6e-9a53-3d9e4f6a7b10';

/** Operations that did work. */
const worked: string[] = [];
/** Each returns its example; one whose response is a file or a stream returns an error. */
const examples = ENDPOINTS.map((one) => ({
  ...one,
  async handler() {
    worked.push(one.operationId);
    if (one.servesFile || one.sendsEvents) throw new AppError('gone', 'It was called.');
    return { body: one.ok.example };
  },
})) as readonly Endpoint<unknown>[];

let served: Served;
beforeAll(async () => {
  served = await serve({ endpoints: examples, addressBudget: UNCOUNTED });
});
afterAll(() => served.stop());

/** A team key with these scopes; null: the primary key. */
async function keyWith(scopes: readonly Scope[] | null): Promise<string> {
  const key = await served.addKey({ plan: 'platform', issuedAt: '2026-11-01T00:00:00.000Z' });
  const text = 'UPDATE api_keys SET is_primary = $2, scopes = $3 WHERE key_hash = $1';
  await served.db.pool.query(text, [hashApiKey(key), scopes === null, scopes]);
  return key;
}

type Declared = Readonly<Record<string, { readonly examples?: readonly unknown[] }>>;
const WITHOUT_EXAMPLE: Readonly<Record<string, string>> = { dataset: 'results', period: '2026-11-20' };

function send(one: Endpoint, method: string, key: string): Promise<Answer> {
  const params = (one.params ?? {}) as Declared;
  const request = requestFor(one, { next: RACE, match: RACE } as unknown as Seeded);
  const exampleOf = (name: string) => String(WITHOUT_EXAMPLE[name] ?? params[name]?.examples?.[0] ?? RACE);
  const path = request.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(exampleOf(name)));
  if (!one.body) return served.api.send(method, path, { key });
  const headers = { 'Content-Type': 'application/json' };
  return served.api.send(method, path, { key, headers, body: JSON.stringify(one.body.examples[0]) });
}

/** A team key is refused for operations of the primary key, and the 403 of HEAD names no reason. */
const methodsOf = ({ method, auth }: Endpoint): string[] =>
  method === 'get' && auth !== 'primary_key' ? ['GET', 'HEAD'] : [method.toUpperCase()];

/** Whether a call is refused only for its scope. A 403 of HEAD has no body to name it. */
async function isRefused(one: Endpoint, method: string, key: string): Promise<boolean> {
  worked.length = 0;
  const { status, body, headers } = await send(one, method, key);
  const did = worked.length;
  if (status !== 403) {
    expect([one.operationId, [200, 202, 410].includes(status) || body]).toEqual([one.operationId, true]);
    return false;
  }
  expect([did, headers.get('x-credits-cost') ?? '0']).toEqual([0, '0']);
  if (method === 'HEAD') return true;
  if (body.code === 'plan_required') {
    // For the primary key only.
    expect([one.auth, one.operationId, body.detail]).toEqual([
      'primary_key',
      one.operationId,
      expect.stringContaining('primary key'),
    ]);
    return false;
  }
  expect(body).toMatchObject({ code: 'scope_required', required_scope: scopeOf(one) });
  expect(body.detail).toContain(`\`${scopeOf(one)}\``);
  return true;
}

test('every operation that a key can call has a row in the table, and each scope has operations', () => {
  const required = CALLABLE.map((one) => [one.operationId, scopeOf(one)] as const);
  expect(required.filter(([, scope]) => scope === undefined)).toEqual([]);
  for (const scope of SCOPES) expect(required.map(([, one]) => one)).toContain(scope);
});

const bySent = CALLABLE.flatMap((one) =>
  methodsOf(one).map((method) => [`${method} ${one.operationId}`, one, method] as const),
);

test.each(bySent)('%s needs its scope and no other', async (_, one, method) => {
  const scope = scopeOf(one) ?? null;
  const others = SCOPES.filter((each) => each !== scope);
  expect(await isRefused(one, method, await keyWith(others))).toBe(scope !== null);
  if (scope !== null) expect(await isRefused(one, method, await keyWith([scope]))).toBe(false);
  expect(await isRefused(one, method, await keyWith(null))).toBe(false);
});

test('a refusal depends on the scopes alone, whatever was cached and sent before', async () => {
  const cases = fc.record({
    sent: fc.constantFrom(...bySent.map(([name]) => name)),
    scopes: fc.subarray([...SCOPES], { minLength: 1 }),
    /** Another key has just had the response, which this one would share. */
    isCached: fc.boolean(),
    /** The key itself is cached, with the scopes that it still has. */
    isKnown: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ sent, scopes, isCached, isKnown }) => {
      const [, one, method] = bySent.find(([name]) => name === sent)!;
      const key = await keyWith(scopes);
      if (isKnown) await served.api.get('/v1/keys/info', key);
      if (isCached) await send(one, method, await keyWith(null));
      const scope = scopeOf(one) ?? null;
      expect(await isRefused(one, method, key)).toBe(scope !== null && !scopes.includes(scope));
    }),
    { numRuns: runs(400) },
  );
});
