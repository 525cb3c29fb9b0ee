// Keys of accounts over two API processes on one database, and every response that they sent.
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import type { Pool } from 'pg';
import { createAccounts } from '../../../../src/accounts/accounts';
import { createPasswords } from '../../../../src/accounts/passwords';
import { createCharger } from '../../../../src/api/kernel/charging/charger';
import { endpoint, flat } from '../../../../src/api/kernel/endpoint/endpoint';
import { createAddressCount } from '../../../../src/api/kernel/limits/address-count';
import { hashToken } from '../../../../src/api/kernel/session/session';
import { ENDPOINTS } from '../../../../src/api/operations';
import { createStores } from '../../../../src/store/create-stores';
import { followKeyChanges } from '../../../../src/store/keys/key-changes';
import { type ApiKeyRow, hashApiKey } from '../../../../src/store/keys/keys';
import { createReads } from '../../../../src/store/reads/reads';
import { createKeyLimit } from '../../../../src/store/redis/key-limit';
import { createRedis } from '../../../../src/store/redis/redis';
import { LEGAL_VERSIONS } from '../../../../src/web/plain/legal-pages';
import { type Answer, startApi, type TestApi } from '../../../support/api/api';
import { expectProblemConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { PATIENT_MS } from '../../../support/patient';
import { poolAs } from '../../../support/servers/roles';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export interface Sending {
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly api?: TestApi;
}

/** Call it once; after every test the ledger explains every balance. */
export function keyProcesses() {
  const lab = { meanwhile: async () => {} } as {
    served: Served;
    here: TestApi;
    /** Another process, behind one proxy. */
    there: TestApi;
    /** With the rights of the API. */
    pool: Pool;
    /** What happens while a call of `/v1/paid` is worked on, after it was judged. */
    meanwhile: () => Promise<unknown>;
  };
  const paid = endpoint()({
    method: 'get',
    path: '/v1/paid',
    operationId: 'paid',
    tag: 'Health',
    summary: 's',
    description: 'd',
    auth: 'key',
    cost: flat(2),
    neverCached: true,
    ok: { description: 'ok', schema: Type.Any(), example: {} },
    async handler() {
      await lab.meanwhile();
      return { body: {} };
    },
  });

  const everything = endpoint()({
    method: 'get',
    path: '/v1/all',
    operationId: 'all',
    tag: 'Health',
    summary: 's',
    description: 'd',
    auth: 'key',
    cost: flat(300_000),
    ok: { description: 'ok', schema: Type.Any(), example: {} },
    handler: async () => ({ body: {} }),
  });

  const redis = createRedis(process.env.REDIS_URL!, PATIENT_MS);
  const followers: ReturnType<typeof followKeyChanges>[] = [];
  /** Every response, as sent. */
  const sent: { readonly text: string; readonly headers: string; readonly url: string }[] = [];

  beforeAll(async () => {
    const over = (url: string) => {
      const keyChanges = followKeyChanges(url);
      followers.push(keyChanges);
      return { keyChanges, keyLimit: createKeyLimit(redis, url, DAY_MS), endpoints: [...ENDPOINTS, paid, everything] };
    };
    lab.served = await serve((db) => {
      lab.pool = poolAs(db, 'racing_api');
      const stores = createStores(lab.pool);
      const accounts = createAccounts({
        ...stores,
        passwords: createPasswords(),
        receivesMail: async () => 'unsure',
        counts: createAddressCount(null, () => lab.here.now),
        random: randomBytes,
        wallMs: () => lab.here.now,
        baseUrl: 'https://api.example.com',
        versions: LEGAL_VERSIONS,
        mailWritten: () => {},
      });
      const backfills = { store: stores.backfill, start: () => {}, random: randomInt };
      return { ...over(db.url), charger: createCharger(stores.credits), accounts, backfills };
    });
    lab.here = lab.served.api;
    const stores = createStores(lab.pool);
    const clock = () => lab.here.now;
    lab.there = await startApi({
      ...over(lab.served.db.url),
      ...stores,
      reads: createReads(lab.pool),
      keyStores: stores,
      now: clock,
      wallMs: clock,
      trustedProxies: 1,
    });
    await Promise.all(
      followers.map(
        (one) => new Promise<void>((done) => one.watch({ following: done, lost: () => {}, changed: () => {} })),
      ),
    );
  });
  afterEach(async () => {
    lab.meanwhile = async () => {};
    expect(await createStores(lab.served.db.pool).credits.audit()).toEqual([]);
  });
  afterAll(async () => {
    await lab.there.close();
    for (const one of followers) await one.close();
    await lab.pool.end();
    redis.disconnect();
    await lab.served.stop();
  });

  /** Resolves when both processes have everything that is committed by now. */
  async function announced(): Promise<void> {
    const mark = randomUUID();
    const all = followers.map(
      (one) =>
        new Promise<void>((done) =>
          one.watch({ following: () => {}, lost: () => {}, changed: (id) => id === mark && done() }),
        ),
    );
    await lab.served.db.pool.query(`SELECT pg_notify('api_keys_changed', $1)`, [mark]);
    await Promise.all(all);
  }

  async function call(
    method: string,
    path: string,
    { key, body, headers = {}, api = lab.here }: Sending = {},
  ): Promise<Answer> {
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const type: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const answer = await api.send(method, path, { key, headers: { ...type, ...headers }, ...json });
    sent.push({ text: answer.text, headers: JSON.stringify([...answer.headers]), url: path });
    if (answer.status >= 400) expectProblemConforms(answer.body);
    return answer;
  }
  /** The statuses of a key at both processes. */
  const statuses = async (key: string) => [
    (await call('GET', '/v1/keys/info', { key })).status,
    (await call('GET', '/v1/keys/info', { key, api: lab.there })).status,
  ];
  const info = async (key: string) => (await call('GET', '/v1/keys/info', { key })).body;
  const addKey = (over: Partial<ApiKeyRow> = {}) => lab.served.addKey({ plan: 'platform', ...over });
  const minted: string[] = [];

  async function rotated(key: string, query = ''): Promise<Answer['body']> {
    const { status, body } = await call('POST', `/v1/keys/rotate${query}`, { key });
    expect([status, body.code]).toEqual([200, undefined]);
    minted.push(body.new_key);
    await announced();
    return body;
  }

  const accountOf = async (key: string): Promise<string> =>
    (await lab.served.db.pool.query('SELECT account_id FROM api_keys WHERE key_hash = $1', [hashApiKey(key)])).rows[0]
      .account_id;

  async function signIn(key: string): Promise<Record<string, string>> {
    const token = randomBytes(32).toString('base64url');
    const text = `INSERT INTO sessions VALUES ($1, $2, $3, $3::timestamptz + interval '30 days')`;
    await lab.served.db.pool.query(text, [hashToken(token), await accountOf(key), new Date(lab.here.now)]);
    return { Cookie: `__Host-session=${token}` };
  }

  /** Call it last. `atLeast`: this many keys were issued before. */
  const noKeyIsElsewhere = (atLeast: number) =>
    test('a key appears only in the response that created it: in no other response, header, address, log or the database', async () => {
      expect(minted.length).toBeGreaterThanOrEqual(atLeast);
      const { rows: tables } = await lab.served.db.pool.query(
        `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
      );
      const stored = await Promise.all(
        tables.map(
          async ({ name }) =>
            (await lab.served.db.pool.query(`SELECT coalesce(string_agg(t::text, ' '), '') AS all FROM "${name}" t`))
              .rows[0].all,
        ),
      );
      const everywhere = [
        stored.join(' '),
        JSON.stringify([lab.here.logged, lab.there.logged]),
        ...sent.map(({ headers, url }) => headers + url),
      ].join(' ');
      for (const key of minted) {
        expect(sent.filter(({ text }) => text.includes(key))).toHaveLength(1);
        expect(everywhere).not.toContain(key);
        expect(everywhere).not.toContain(key.slice(8, 40));
      }
      expect(stored.join(' ')).toContain(hashApiKey(minted[0]!).toString('hex'));
    });

  return Object.assign(lab, {
    announced,
    call,
    statuses,
    info,
    addKey,
    minted,
    rotated,
    accountOf,
    signIn,
    noKeyIsElsewhere,
  });
}
