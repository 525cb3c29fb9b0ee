// Calls under one Idempotency-Key (D68) in a real database, whatever is repeated, fails or arrives late. Never: a
// charge for more than three calls that stand, two charges for calls that one covers, a charge whose calls all failed,
// a call under the key of another request.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { createStores } from '../../../src/store/create-stores';
import type { Charge, SharedCall } from '../../../src/store/credits/credits';
import { hashApiKey } from '../../../src/store/keys/keys';
import type { Stores } from '../../../src/store/stores';
import { keyRow, newKey } from '../../support/api/api';
import { runs } from '../../support/property';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { poolAs } from '../../support/servers/roles';

let db: TestDatabase;
let stores: Stores;
beforeAll(async () => {
  db = await createTestDatabase();
  stores = createStores(poolAs(db, 'racing_api'));
});
afterEach(async () => expect(await createStores(db.pool).credits.audit()).toEqual([]));
afterAll(() => db.drop());

const START_MS = Date.parse('2026-11-30T23:59:00.000Z');
const MINUTE_MS = 60_000;
const MOST = 3;
const COST = 2;

type SharedCharge = Charge & { readonly shared: SharedCall };

async function anAccount() {
  const key = newKey();
  const keyHash = hashApiKey(key);
  await createStores(db.pool).keys.insert(keyHash, keyRow(key));
  const { accountId, keyId, epoch } = (await stores.keys.find([keyHash]))[0]!;
  const shared = (name: string, request: string, atMs: number): SharedCall => ({
    accountId,
    name,
    request,
    since: new Date(atMs - MINUTE_MS).toISOString(),
    most: MOST,
  });
  const charge = (name: string, request: string, atMs: number): SharedCharge => ({
    id: randomUUID(),
    keyHash,
    epoch,
    endpoint: 'next_to_go',
    cost: COST,
    allowance: 1_000_000,
    overage: 0,
    period: `${new Date(atMs).toISOString().slice(0, 7)}-01`,
    at: new Date(atMs).toISOString(),
    shared: shared(name, request, atMs),
  });
  const takeBack = ({ id, endpoint, period, at, shared: { name } }: SharedCharge) =>
    stores.credits.giveBack([{ id, endpoint, period, at, accountId, keyId, sharedName: name }]);
  const used = async (): Promise<number> => {
    const text = 'SELECT COALESCE(sum(used), 0)::int AS used FROM credit_balances WHERE account_id = $1';
    return (await db.pool.query<{ used: number }>(text, [accountId])).rows[0]!.used;
  };
  return { shared, charge, takeBack, used };
}

interface Group {
  readonly name: string;
  readonly request: string;
  readonly begunMs: number;
  readonly sends: Set<string>;
  readonly failed: Set<string>;
}
const standing = ({ sends, failed }: Group): number => sends.size - failed.size;

type Step =
  | { readonly kind: 'send'; readonly name: string; readonly request: string }
  | { readonly kind: 'again' | 'fail'; readonly which: number; readonly flagged: boolean }
  | { readonly kind: 'late'; readonly name: string }
  | { readonly kind: 'wait'; readonly seconds: number };

const name = fc.constantFrom('a', 'b');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('send' as const), name, request: fc.constantFrom('x', 'x', 'x', 'y') }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('again' as const, 'fail' as const),
      which: fc.nat(20),
      flagged: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('late' as const), name }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(1, 30, 60, 61) }) },
);

test('are one charge for three calls that stand, whatever is repeated, fails or is late', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const account = await anAccount();
      const groups: Group[] = [];
      const sent: SharedCharge[] = [];
      let nowMs = START_MS;
      const liveOf = (key: string): Group | undefined =>
        groups
          .filter((one) => one.name === key && one.begunMs > nowMs - MINUTE_MS && standing(one) > 0)
          .sort((a, b) => standing(a) - standing(b))[0];
      const send = async (key: string, request: string): Promise<void> => {
        const live = liveOf(key);
        const expected =
          live === undefined
            ? 'charged'
            : live.request !== request
              ? 'other'
              : standing(live) < MOST
                ? 'joined'
                : 'charged';
        expect(await stores.credits.sharedVerdict(account.shared(key, request, nowMs))).toBe(expected);
        const charge = account.charge(key, request, nowMs);
        const { verdict, joined } = await stores.credits.chargeShared(charge);
        expect([verdict, typeof joined === 'string']).toEqual([
          expected === 'other' ? 'other' : 'charged',
          expected === 'joined',
        ]);
        if (expected === 'other') return;
        sent.push(charge);
        if (expected === 'joined') live!.sends.add(charge.id);
        else groups.push({ name: key, request, begunMs: nowMs, sends: new Set([charge.id]), failed: new Set() });
      };
      for (const one of steps) {
        if (one.kind === 'wait') nowMs += one.seconds * 1000;
        else if (one.kind === 'send') await send(one.name, one.request);
        else if (one.kind === 'late') {
          const late = account.charge(one.name, 'x', nowMs);
          await account.takeBack(late);
          if (liveOf(one.name)?.request !== 'y') await expect(stores.credits.chargeShared(late)).rejects.toThrow();
        } else if (sent.length > 0) {
          const charge = sent[one.which % sent.length]!;
          if (one.kind === 'again') {
            expect(await stores.credits.chargeShared({ ...charge, again: one.flagged })).toMatchObject({
              verdict: 'charged',
            });
          } else {
            await account.takeBack(charge);
            groups.find(({ sends }) => sends.has(charge.id))!.failed.add(charge.id);
          }
        }
        expect(await account.used()).toBe(COST * groups.filter((group) => standing(group) > 0).length);
      }
    }),
    { numRuns: runs(400) },
  );
});

test('are charged once for three of them that arrive at the same moment', async () => {
  const account = await anAccount();
  const calls = Array.from({ length: 20 }, () => account.charge('a', 'x', START_MS));
  const charged = await Promise.all(calls.map((call) => stores.credits.chargeShared(call)));
  expect(charged.map(({ verdict }) => verdict)).toEqual(calls.map(() => 'charged'));
  expect(charged.filter(({ joined }) => joined === null)).toHaveLength(7);
  expect(await account.used()).toBe(7 * COST);
  await Promise.all(calls.map((call) => account.takeBack(call)));
  expect(await account.used()).toBe(0);
});

test('go under no charge with a key that changed or is unknown', async () => {
  const account = await anAccount();
  expect(await stores.credits.chargeShared(account.charge('a', 'x', START_MS))).toMatchObject({ verdict: 'charged' });
  const next = account.charge('a', 'x', START_MS);
  expect(await stores.credits.chargeShared({ ...next, epoch: next.epoch + 1 })).toMatchObject({ verdict: 'changed' });
  expect(await stores.credits.chargeShared({ ...next, keyHash: Buffer.alloc(32) })).toMatchObject({
    verdict: 'revoked',
  });
  expect(await stores.credits.chargeShared(next)).toMatchObject({ verdict: 'charged', joined: '2026-11-01' });
  expect(await account.used()).toBe(COST);
});
