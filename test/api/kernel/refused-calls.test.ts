// Refused calls as an account's owner sees them: two API processes, one database. Never: a call counted twice, whatever
// fails while counts are stored; a call of another account; a call that waits for it; memory without a bound.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { createRefusedCalls, type RefusedCallsDeps } from '../../../src/api/kernel/refusals/refused-calls';
import { RefusalTally } from '../../../src/api/kernel/refusals/tally';
import { KEPT_REFUSED_CALLS } from '../../../src/plans/limits';
import { createStores } from '../../../src/store/create-stores';
import { hashApiKey } from '../../../src/store/keys/keys';
import type { RefusedCall, RefusedCallStore } from '../../../src/store/keys/refused-calls';
import { createReads } from '../../../src/store/reads/reads';
import { keyRow, NOW, newKey, startApi, type TestApi } from '../../support/api/api';
import { runs } from '../../support/property';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { poolAs } from '../../support/servers/roles';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const NOW_MS = Date.parse(NOW);

let db: TestDatabase;
let store: RefusedCallStore;
const apis: TestApi[] = [];
const kept: ReturnType<typeof createRefusedCalls>[] = [];
const storeAll = () => Promise.all(kept.map((one) => one.stop()));
/** What the next save does after it has stored, or before. */
let fault: 'before' | 'after' | null = null;

beforeAll(async () => {
  db = await createTestDatabase();
  const pool = poolAs(db, 'racing_api');
  const stores = createStores(pool);
  store = stores.refusedCalls;
  for (let n = 0; n < 2; n += 1) {
    const wallMs = (): number => apis[n]!.now;
    const faulty: RefusedCallsDeps['store'] = {
      ...store,
      save: async (...what) => {
        if (fault === 'before') throw new Error('the database is away');
        await store.save(...what);
        if (fault === 'after') throw new Error('the connection broke');
      },
    };
    const refusals = createRefusedCalls({ store: faulty, process: randomUUID(), wallMs, log: { warn: () => {} } });
    kept.push(refusals);
    apis.push(await startApi({ reads: createReads(pool), keys: stores.keys, refusals }));
  }
});
afterAll(async () => {
  for (const api of apis) await api.close();
  await db.drop();
});

async function anAccount(over: Parameters<typeof keyRow>[1] = {}) {
  const key = newKey();
  await createStores(db.pool).keys.insert(hashApiKey(key), keyRow(key, over));
  const { accountId, keyId } = (await createStores(db.pool).keys.find([hashApiKey(key)]))[0]!;
  const sums = async (atMs = NOW_MS) => {
    const rows = await store.sums(accountId, new Date(atMs).toISOString());
    return Object.fromEntries(rows.map(({ code, lastDay, lastWeek }) => [code, [lastDay, lastWeek]]));
  };
  const newest = (of: Partial<Parameters<RefusedCallStore['newest']>[1]> = {}) =>
    store.newest(accountId, { keyId: null, code: null, requestId: null, ...of });
  return { key, keyId, accountId, sums, newest };
}

test('each refusal with a key is counted once in any process, with its request, and no other call is', async () => {
  const one = await anAccount();
  const other = await anAccount();
  const requestId = 'a'.repeat(32);
  const answers = [
    await apis[0]!.get('/v1/racing/next-to-go?num_races=0', one.key, { 'X-Request-Id': requestId }),
    await apis[1]!.get('/v1/racing/next-to-go?num_races%00=x', one.key),
    await apis[1]!.get('/v1/racing/closing-lines', one.key),
    await apis[0]!.get('/v1/racing/next-to-go', one.key),
    await apis[0]!.get('/v1/racing/next-to-go', newKey()),
    await apis[0]!.get(`/v1/nowhere/${one.key}`, one.key),
    await apis[0]!.send('POST', '/v1/nowhere', { key: newKey() }),
    await apis[1]!.get('/v1/racing/next-to-go?num_races=0', other.key),
  ];
  expect(answers.map(({ status }) => status)).toEqual([422, 422, 403, 200, 401, 404, 404, 422]);
  await storeAll();
  await storeAll();
  expect(await one.sums()).toEqual({ validation: [2, 2], [answers[2]!.body.code]: [1, 1], not_found: [1, 1] });
  expect(await other.sums()).toEqual({ validation: [1, 1] });
  const [found, ...more] = await one.newest({ requestId });
  expect(more).toEqual([]);
  expect(found).toEqual({
    ...{ accountId: one.accountId, keyId: one.keyId, code: 'validation', at: NOW, requestId, status: 422 },
    operation: 'GET /v1/racing/next-to-go',
    detail: answers[0]!.body.detail,
  });
  expect(await one.newest({ code: 'not_found' })).toEqual([
    expect.objectContaining({ operation: null, detail: 'There is no resource at /v1/nowhere/pe_live_….' }),
  ]);
  expect(await other.newest({ requestId })).toEqual([]);
  expect(await one.newest({ keyId: other.keyId })).toEqual([]);
  expect((await one.newest({ code: 'validation' })).map((call) => call.requestId)).toContain(
    answers[1]!.headers.get('x-request-id'),
  );
});

test('whatever fails while counts are stored, a call is counted once; the newest of each code stay, and old ones go', async () => {
  const { key, sums, newest } = await anAccount();
  const [api] = apis as [TestApi, TestApi];
  const refuse = (n: number, query: string) =>
    Promise.all(Array.from({ length: n }, () => api.get(`/v1/racing/next-to-go?${query}`, key)));
  await api.get('/v1/racing/closing-lines', key);
  for (const next of ['after', 'before', 'after', null] as const) {
    fault = next;
    await refuse(20, 'num_races=0');
    await storeAll();
  }
  expect((await sums()).validation).toEqual([80, 80]);
  expect(await newest({ code: 'validation' })).toHaveLength(KEPT_REFUSED_CALLS);
  const stored = await db.pool.query('SELECT count(*)::int AS n FROM refused_calls WHERE detail LIKE $1', [
    '%num_races%',
  ]);
  expect(stored.rows[0].n).toBeLessThanOrEqual(KEPT_REFUSED_CALLS * 4);
  expect((await newest()).length).toBe(KEPT_REFUSED_CALLS);
  // A flood of one code leaves the calls of another.
  expect(Object.keys(await sums()).length).toBe(2);
  expect(await newest({ code: Object.keys(await sums()).find((code) => code !== 'validation')! })).toHaveLength(1);
  expect((await sums(NOW_MS + 2 * DAY_MS)).validation).toEqual([0, 80]);
  expect(await sums(NOW_MS + 8 * DAY_MS)).toEqual({});
  const closed = await anAccount();
  await api.get('/v1/racing/closing-lines', closed.key);
  await db.pool.query('UPDATE accounts SET closed_at = $2 WHERE account_id = $1', [closed.accountId, NOW]);
  for (const one of apis) one.now += 2 * 3_600_000;
  await storeAll();
  expect(await closed.newest()).toEqual([]);
  expect(await newest()).toHaveLength(KEPT_REFUSED_CALLS);
  for (const one of apis) one.now += 31 * DAY_MS;
  await storeAll();
  expect(await newest()).toEqual([]);
  expect((await db.pool.query('SELECT count(*)::int AS n FROM refused_counts')).rows).toEqual([{ n: 0 }]);
  for (const one of apis) one.now = NOW_MS;
});

type Step =
  | { readonly does: 'call'; readonly key: number; readonly code: number }
  | { readonly does: 'store' | 'lose' | 'wait' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: fc.constant('call' as const), key: fc.nat(3), code: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('store' as const, 'lose' as const, 'wait' as const) }) },
);

test('in any order of calls, times and failures the stored counts are those of the calls', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const tally = new RefusalTally();
      const stored = new Map<string, number>();
      const called = new Map<string, number>();
      let nowMs = NOW_MS;
      const store = (isAnswered: boolean): void => {
        const taken = tally.take();
        for (const { keyId, code, fromAt, calls } of taken.counts) stored.set(`${keyId} ${code} ${fromAt}`, calls);
        if (!isAnswered) taken.giveBack();
        expect(tally.forgetEnded(nowMs)).toBe(0);
      };
      for (const one of steps) {
        if (one.does === 'call') {
          const pair = `${one.key} ${one.code}`;
          expect(tally.add(callOf(String(one.key), String(one.code), nowMs))).toBe(true);
          called.set(pair, (called.get(pair) ?? 0) + 1);
        } else if (one.does === 'wait') nowMs += 2 * MINUTE_MS;
        else store(one.does === 'store');
      }
      store(true);
      const sums = new Map<string, number>();
      for (const [name, calls] of stored) {
        const pair = name.split(' ').slice(0, 2).join(' ');
        sums.set(pair, (sums.get(pair) ?? 0) + calls);
      }
      expect(sums).toEqual(called);
    }),
    { numRuns: runs(1000) },
  );
});

test('a flood while the database is away keeps its bounds, and what is given up is counted', () => {
  const tally = new RefusalTally();
  let refused = 0;
  for (let n = 0; n < 40_000; n += 1) if (!tally.add(callOf(String(n % 8000), 'rate_limit', NOW_MS))) refused += 1;
  const taken = tally.take();
  expect(taken.counts.length).toBe(5000);
  expect(taken.counts.reduce((sum, { calls }) => sum + calls, 0) + refused).toBe(40_000);
  expect(taken.calls.length).toBeLessThanOrEqual(7000);
  taken.giveBack();
  expect(tally.forgetEnded(NOW_MS + 59 * MINUTE_MS)).toBe(0);
  expect(tally.forgetEnded(NOW_MS + 60 * MINUTE_MS) + refused).toBe(40_000);
  expect(tally.take().counts).toEqual([]);
});

const callOf = (keyId: string, code: string, atMs: number): RefusedCall => ({
  ...{ accountId: 'a', keyId, code, at: new Date(atMs).toISOString(), requestId: randomUUID() },
  ...{ operation: 'GET /v1/racing/next-to-go', status: 422, detail: 'no' },
});
