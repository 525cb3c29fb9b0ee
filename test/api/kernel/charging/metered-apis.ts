// Two API processes over one database that charge for test operations, and accounts that call them.
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { Type } from '@sinclair/typebox';
import type { Pool } from 'pg';
import { createBalances } from '../../../../src/api/kernel/charging/balances';
import { createCharger } from '../../../../src/api/kernel/charging/charger';
import { type Endpoint, endpoint, flat } from '../../../../src/api/kernel/endpoint/endpoint';
import type { Services } from '../../../../src/api/operations';
import { keyInfo } from '../../../../src/api/operations/account/key-info';
import { usage } from '../../../../src/api/operations/account/usage';
import { usageAnalytics } from '../../../../src/api/operations/account/usage-analytics';
import { AppError } from '../../../../src/errors';
import { createStores } from '../../../../src/store/create-stores';
import type { CreditStore } from '../../../../src/store/credits/credits';
import { followKeyChanges, type KeyChanges } from '../../../../src/store/keys/key-changes';
import { hashApiKey } from '../../../../src/store/keys/keys';
import type { Listener } from '../../../../src/store/pg/listener';
import type { Reads } from '../../../../src/store/reads/reads';
import type { Stores } from '../../../../src/store/stores';
import { type Answer, keyRow, NOW, newKey, startApi, type TestApi } from '../../../support/api/api';
import type { GivenApi } from '../../../support/api/given-api';
import { PATIENT_MS } from '../../../support/patient';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database';
import { poolAs } from '../../../support/servers/roles';

const about = { tag: 'Health', summary: 's', description: 'd', method: 'get', auth: 'key' } as const;
const ok = { description: 'ok', schema: Type.Any(), example: {} };

/** However slow the machine is. */
export const balancesOf = (store: Pick<CreditStore, 'balances'>) =>
  createBalances(store, { withinMs: PATIENT_MS, restMs: 0 });

export interface Account {
  readonly key: string;
  readonly accountId: string;
}

export const creditsOf = ({ headers }: Answer) =>
  ['cost', 'used', 'limit', 'remaining', 'pct-used'].map((name) => headers.get(`x-credits-${name}`));

/** Call it once; after every test the ledger explains every balance. */
export function meteredApis() {
  const lab = {
    wallMs: Date.parse(NOW),
    worked: 0,
    meanwhile: async () => {},
    apis: [] as TestApi[],
  } as {
    db: TestDatabase;
    stores: Stores;
    readonly apis: TestApi[];
    wallMs: number;
    /** Calls of `/v1/thing` that reached its handler. */
    worked: number;
    /** What happens while a call of `/v1/thing` is in progress. */
    meanwhile: () => Promise<unknown>;
  };
  const ENDPOINTS: Endpoint<Services>[] = [
    endpoint()({
      ...about,
      path: '/v1/thing',
      operationId: 'thing',
      cost: flat(3),
      query: { size: Type.Integer({ default: 1, minimum: 1, maximum: 9 }) },
      ok,
      async handler({ query }) {
        lab.worked++;
        await lab.meanwhile();
        if (query.size === 8) throw new Error('it broke');
        if (query.size === 9) throw new AppError('not_found', 'There is no such thing.');
        return { body: { size: query.size } };
      },
    }),
    endpoint()({
      ...about,
      path: '/v1/one',
      operationId: 'one',
      cost: flat(1),
      ok,
      handler: async () => ({ body: {} }),
    }),
    usage,
    usageAnalytics,
    keyInfo,
    endpoint()({
      ...about,
      path: '/v1/stream',
      operationId: 'stream',
      cost: flat(5),
      query: { breaks: Type.Boolean({ default: false }) },
      streamed: () => true,
      ok,
      async handler({ query }) {
        const rows = async function* () {
          yield 'first\n';
          if (query.breaks) throw new Error('the source broke');
        };
        return { type: 'text/csv', open: () => Readable.from(rows()) };
      },
    }),
    endpoint()({
      ...about,
      path: '/v1/free',
      operationId: 'free',
      cost: flat(0),
      ok,
      handler: async () => ({ body: {} }),
    }),
  ];

  let pools: Pool[];
  const changes: (KeyChanges & Listener)[] = [];
  const refreshed: (() => void)[] = [];

  beforeAll(async () => {
    lab.db = await createTestDatabase();
    lab.stores = createStores(lab.db.pool);
    pools = [poolAs(lab.db, 'racing_api'), poolAs(lab.db, 'racing_api')];
    for (const pool of pools) {
      const { keys, credits, usage: used } = createStores(pool);
      const keyChanges = followKeyChanges(lab.db.url);
      const following = new Promise<void>((done) =>
        keyChanges.watch({ following: done, lost: () => {}, changed: () => {} }),
      );
      changes.push(keyChanges);
      const metered = { charger: createCharger(credits), balances: balancesOf(credits), usage: used };
      lab.apis.push(await start({ keys, ...metered, keyChanges }));
      keyChanges.watch({ following: () => {}, lost: () => {}, changed: () => refreshed.shift()?.() });
      await following;
    }
  });
  afterEach(async () => {
    lab.meanwhile = async () => {};
    lab.wallMs = Date.parse(NOW);
    expect(await lab.stores.credits.audit()).toEqual([]);
  });
  afterAll(async () => {
    for (const api of lab.apis) await api.close();
    for (const one of changes) await one.close();
    for (const pool of pools) await pool.end();
    await lab.db.drop();
  });

  const start = (deps: Pick<GivenApi, 'keys' | 'charger'> & Partial<GivenApi>): Promise<TestApi> =>
    startApi({ reads: {} as Reads, endpoints: ENDPOINTS, wallMs: () => lab.wallMs, ...deps });

  /** With this many of its credits used this month. */
  async function anAccount(plan = 'free', used = 0, usedAt = NOW): Promise<Account> {
    const key = newKey();
    await lab.stores.keys.insert(hashApiKey(key), keyRow(key, { plan }));
    const { accountId, epoch } = (await lab.stores.keys.find([hashApiKey(key)]))[0]!;
    const at = { period: '2026-11-01', at: usedAt };
    const spent = {
      id: randomUUID(),
      keyHash: hashApiKey(key),
      epoch,
      endpoint: 'before',
      allowance: used,
      overage: 0,
      ...at,
    };
    if (used > 0) await lab.stores.credits.charge([{ ...spent, cost: used }]);
    return { key, accountId };
  }

  const get = (key: string, path = '/v1/thing', i = 0, headers = {}): Promise<Answer> =>
    lab.apis[i]!.get(path, key, headers);

  const usedBy = async ({ accountId }: Account): Promise<number> =>
    (
      await lab.db.pool.query(
        `SELECT COALESCE(sum(CASE kind WHEN 'return' THEN -credits ELSE credits END), 0) AS used FROM credit_ledger WHERE account_id = $1`,
        [accountId],
      )
    ).rows[0].used;
  /** Resolves when both processes have received the change. */
  async function announced(write: () => Promise<unknown>): Promise<void> {
    const both = Promise.all([1, 2].map(() => new Promise<void>((done) => refreshed.push(done))));
    await write();
    await both;
  }

  return Object.assign(lab, { start, anAccount, get, usedBy, announced });
}
