// Money under faults, with separate API processes: a process that is killed before and after its charge, a balance that
// two processes spend at once, and months that turn in UTC wherever the processes are. After each fault the audit finds
// nothing, and the ledger contains the answered calls.
import { overageCents } from '../../src/plans/overage';
import { planNamed } from '../../src/plans/plans';
import { createStores } from '../../src/store/create-stores';
import { hashApiKey } from '../../src/store/keys/keys';
import type { Stores } from '../../src/store/stores';
import { keyRow, newKey } from '../support/api/api';
import { type MeteredApi, startMeteredApi } from '../support/api/metered-api';
import { PATIENT_MS } from '../support/patient';
import { createTestDatabase, type TestDatabase } from '../support/servers/database';
import { untilBlocked } from '../support/servers/lock-waiters';
import { asLogin } from '../support/servers/roles';
import { waitFor } from '../support/servers/service';
import { type TcpLine, tcpLine } from '../support/servers/tcp-line';

const BEFORE_DECEMBER = '2026-11-30T23:59:59.999Z';
const DECEMBER = '2026-12-01T00:00:00.000Z';
/** There it is already, or still, another month. */
const ZONES = ['Australia/Sydney', 'America/Los_Angeles'] as const;

let db: TestDatabase;
let stores: Stores;
let line: TcpLine;
let apis: MeteredApi[] = [];
beforeAll(async () => {
  db = await createTestDatabase();
  stores = createStores(db.pool);
  line = await tcpLine(asLogin(db.url, 'racing_api'));
  apis = await Promise.all(ZONES.map((zone) => startMeteredApi(line.url, BEFORE_DECEMBER, zone)));
});
afterEach(async () => expect(await stores.credits.audit()).toEqual([]));
afterAll(async () => {
  for (const api of apis) await api.kill();
  await line?.close();
  await db?.drop();
});

interface Account {
  readonly key: string;
  readonly accountId: string;
  /** Charges by another process with another time. */
  spend(credits: number, period: string, overage?: number): Promise<void>;
}

async function anAccount(plan: string): Promise<Account> {
  const key = newKey();
  const keyHash = hashApiKey(key);
  await stores.keys.insert(keyHash, keyRow(key, { plan }));
  const stored = async () => (await stores.keys.find([keyHash]))[0]!;
  const { accountId } = await stored();
  const allowance = planNamed(plan)!.monthlyCredits;
  return {
    key,
    accountId,
    async spend(cost, period, overage = 0) {
      const charge = { id: crypto.randomUUID(), keyHash, epoch: (await stored()).epoch, endpoint: 'before', cost };
      const at = `${period}T00:00:00.000Z`;
      const [charged] = await stores.credits.charge([{ ...charge, allowance, overage, period, at }]);
      expect(charged).toMatchObject({ verdict: 'charged' });
    },
  };
}

const balances = async ({ accountId }: Account): Promise<Record<string, [number, number]>> => {
  const text = 'SELECT period, used, overage FROM credit_balances WHERE account_id = $1 ORDER BY period';
  const { rows } = await db.pool.query(text, [accountId]);
  return Object.fromEntries(rows.map(({ period, used, overage }) => [period, [used, overage]]));
};
const setClocks = (instant: string) => Promise.all(apis.map((api) => api.setClock(instant)));
/** One call on each process; what is left after each. */
const eachCalls = async ({ key }: Account): Promise<(string | null)[]> => {
  const left: (string | null)[] = [];
  for (const api of apis) left.push((await api.get('/v1/thing', key)).headers.get('x-credits-remaining'));
  return left;
};

test('200 callers on two processes with 150 credits left get exactly 150 credits’ worth', async () => {
  const account = await anAccount('free');
  await account.spend(2850, '2026-11-01');
  const calls = Array.from({ length: 200 }, (_, i) =>
    apis[i % 2]!.get(i % 4 < 2 ? '/v1/thing' : '/v1/one', account.key),
  );
  const served = (await Promise.all(calls)).filter(({ status }) => status === 200);
  const worth = served.reduce((sum, { headers }) => sum + Number(headers.get('x-credits-cost')), 0);
  expect(worth).toBe(150);
  expect(await balances(account)).toEqual({ '2026-11-01': [3000, 0] });
});

test('two months turn in UTC for processes of both hemispheres, with overage', async () => {
  const account = await anAccount('business');
  await stores.overage.setOverage(account.accountId, true);
  await account.spend(299_999, '2026-11-01');
  await account.spend(300_000, '2026-12-01');
  await account.spend(149_990, '2026-12-01', 150_000);

  expect(await setClocks(BEFORE_DECEMBER)).toEqual([...ZONES]);
  expect(await eachCalls(account)).toEqual(['149998', '149995']);
  // At the first moment of December its allowance and most of its overage are used.
  await setClocks(DECEMBER);
  expect(await eachCalls(account)).toEqual(['7', '4']);
  expect(await eachCalls(account)).toEqual(['1', '1']);
  await setClocks('2026-12-31T23:59:59.999Z');
  expect(await eachCalls(account)).toEqual(['1', '1']);
  await setClocks('2027-01-01T00:00:00.000Z');
  expect(await eachCalls(account)).toEqual(['449997', '449994']);

  expect(await balances(account)).toEqual({
    '2026-11-01': [300_005, 5],
    '2026-12-01': [449_999, 149_999],
    '2027-01-01': [6, 0],
  });
  const cents = async (period: string) => {
    const { used } = (await stores.overage.overage(account.accountId, period))!;
    return overageCents(used.map(({ plan, credits }) => ({ plan: planNamed(plan)!, credits })));
  };
  expect([await cents('2026-11-01'), await cents('2026-12-01'), await cents('2027-01-01')]).toEqual([0, 4950, 0]);
});

test('a process killed between work and charge charges nothing; one killed after the charge has charged once', async () => {
  await setClocks(BEFORE_DECEMBER);
  const worked = await anAccount('free');
  const charged = await anAccount('free');
  await charged.spend(1, '2026-11-01');
  const victim = apis[0]!;
  await victim.get('/v1/usage', charged.key);
  const working = victim.working();
  const lost = [victim.get('/v1/held', worked.key).catch((error: Error) => error.message)];
  await working;
  const holder = await db.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM credit_balances WHERE account_id = $1 FOR UPDATE', [charged.accountId]);
    lost.push(victim.get('/v1/thing', charged.key).catch((error: Error) => error.message));
    await untilBlocked(db.pool, holder);
    // The charge is committed, but no reply reaches the process.
    line.swallow();
    await holder.query('COMMIT');
  } finally {
    holder.release(true);
  }
  await waitFor(async () => (await balances(charged))['2026-11-01']?.[0] === 4, PATIENT_MS);
  await victim.kill();
  expect(await Promise.all(lost)).toEqual(['fetch failed', 'fetch failed']);
  expect(await balances(worked)).toEqual({});
  expect(await balances(charged)).toEqual({ '2026-11-01': [4, 0] });
  await line.mend();
  const next = await apis[1]!.get('/v1/thing', charged.key);
  expect([next.status, next.headers.get('x-credits-used')]).toEqual([200, '7']);
});
