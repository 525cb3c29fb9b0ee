// Credits while the connection to the database breaks: lost replies to charges, failed refunds, and what is served
// meanwhile (D36).
import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { createCharger } from '../../../../src/api/kernel/charging/charger';
import { createStores } from '../../../../src/store/create-stores';
import type { Charge } from '../../../../src/store/credits/credits';
import { hashApiKey, type StoredKey } from '../../../../src/store/keys/keys';
import { createPool } from '../../../../src/store/pg/pool';
import { isUnreachable } from '../../../../src/store/pg/unreachable';
import { type Answer, NOW, type TestApi } from '../../../support/api/api';
import { PATIENT_MS } from '../../../support/patient';
import { untilBlocked } from '../../../support/servers/lock-waiters';
import { asLogin } from '../../../support/servers/roles';
import { waitFor } from '../../../support/servers/service';
import { type TcpLine, tcpLine } from '../../../support/servers/tcp-line';
import { type Account, balancesOf, creditsOf, meteredApis } from './metered-apis';

const lab = meteredApis();
const { start, anAccount, usedBy } = lab;

describe('with a connection to the database that breaks', () => {
  let line: TcpLine;
  let pool: Pool;
  let api: TestApi;
  beforeAll(async () => {
    line = await tcpLine(asLogin(lab.db.url, 'racing_api'));
    pool = createPool(line.url, 5);
    const { keys, credits } = createStores(pool);
    api = await start({ keys, charger: createCharger(credits), balances: balancesOf(credits) });
  });
  afterEach(() => line.mend());
  afterAll(async () => {
    await api.close();
    await pool.end();
    await line.close();
  });
  /** Charges of the account wait while this runs. */
  async function whileHeld({ accountId }: Account, work: (holder: PoolClient) => Promise<unknown>): Promise<void> {
    const holder = await lab.db.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM credit_balances WHERE account_id = $1 FOR UPDATE', [accountId]);
      await work(holder);
      await holder.query('COMMIT');
    } finally {
      // Ends its transaction, whatever happened.
      holder.release(true);
    }
  }

  test('a charge whose reply is lost is retried, answered and charged once', async () => {
    const account = await anAccount('free', 1);
    expect((await api.get('/v1/free', account.key)).status).toBe(200);
    let answer: Promise<Answer> | undefined;
    await whileHeld(account, async (holder) => {
      answer = api.get('/v1/thing', account.key);
      await untilBlocked(lab.db.pool, holder);
      await line.cut();
      await line.mend();
    });
    expect(creditsOf(await answer!)).toEqual(['3', '4', '3000', '2996', '0.1']);
    expect(await usedBy(account)).toBe(4);
  });

  test('a charge with an unknown outcome is refused, and given back once the database answers', async () => {
    const account = await anAccount('free', 1);
    const [{ epoch, keyId }] = (await lab.stores.keys.find([hashApiKey(account.key)])) as [StoredKey];
    const charger = createCharger(createStores(pool).credits, undefined, {
      againForMs: 0,
      pauseMs: 1,
      giveBackEveryMs: 1,
      mostUnsettled: 9,
    });
    const { accountId } = account;
    const charge = { keyHash: hashApiKey(account.key), epoch, allowance: 19, overage: 0, endpoint: 'x', cost: 2 };
    const chargeOf = (name?: string): Charge => ({
      ...charge,
      id: randomUUID(),
      period: '2026-11-01',
      at: NOW,
      ...(name && { part: { accountId, name, since: '2026-11-20T03:00:00.000Z' } }),
    });
    const send = (name?: string) => charger.charge(chargeOf(name), { accountId, keyId });
    const refused: Promise<unknown>[] = [];
    await whileHeld(account, async (holder) => {
      refused.push(...[send('shared'), send('alone'), send()].map((each) => each.catch(isUnreachable)));
      await untilBlocked(lab.db.pool, holder, 3);
      await line.cut();
      expect(await Promise.all(refused)).toEqual([true, true, true]);
    });
    // The statements in progress were committed anyway, and another process serves a part before they are refunded.
    await waitFor(async () => (await usedBy(account)) === 7, PATIENT_MS);
    const elsewhere = createCharger(lab.stores.credits);
    const part = () => elsewhere.charge(chargeOf('shared'), { accountId, keyId });
    expect(await part()).toMatchObject({ verdict: 'charged', joined: '2026-11-01', used: 7 });
    await line.mend();
    await waitFor(async () => (await usedBy(account)) === 3, PATIENT_MS);
    expect(await send()).toMatchObject({ verdict: 'charged', used: 5 });
    expect(await send('shared')).toMatchObject({ joined: '2026-11-01', used: 5 });
    expect(await send('alone')).toMatchObject({ joined: null, used: 7 });
  });

  test('a failed refund does not end its download, so the next part is not charged again', async () => {
    const account = await anAccount('free', 1);
    const [{ epoch, keyId }] = (await lab.stores.keys.find([hashApiKey(account.key)])) as [StoredKey];
    const { accountId } = account;
    const line = { endpoint: 'x', period: '2026-11-01', at: NOW };
    const charge = { keyHash: hashApiKey(account.key), epoch, allowance: 9, overage: 0, cost: 2 };
    const part = { accountId, name: 'v1', since: '2026-11-20T03:00:00.000Z' };
    const fetchPart = (id: string) => lab.stores.credits.chargeDownload({ ...line, ...charge, id, part });
    const id = randomUUID();
    expect(await fetchPart(id)).toMatchObject({ verdict: 'charged', joined: null });
    const giveBack = () => createStores(pool).credits.giveBack([{ ...line, id, accountId, keyId, download: 'v1' }]);
    await whileHeld(account, async (holder) => {
      const failed = expect(giveBack()).rejects.toThrow('canceling statement');
      await untilBlocked(lab.db.pool, holder);
      await holder.query(
        'SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))',
      );
      await failed;
    });
    expect(await fetchPart(randomUUID())).toMatchObject({ verdict: 'charged', joined: '2026-11-01' });
    await giveBack();
    expect(await usedBy(account)).toBe(3);
  });

  test('during an outage paid operations are a 503 with Retry-After; free ones are served, and refusals state no balance (D36)', async () => {
    const account = await anAccount();
    expect((await api.get('/v1/free', account.key)).status).toBe(200);
    await line.cut();
    const { status, headers, body } = await api.get('/v1/thing', account.key);
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
    const refused = await api.get('/v1/thing?size=0', account.key);
    expect([refused.status, ...creditsOf(refused)]).toEqual([422, '0', null, null, null, null]);
    expect((await api.get('/v1/free', account.key)).status).toBe(200);
    expect(await usedBy(account)).toBe(0);
  });
});
