// Two processes over one database: a write to a key by one takes effect in both at once, also after a listener was cut.
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { followKeyChanges } from '../../../../src/store/keys/key-changes';
import { createKeyRegister } from '../../../../src/store/keys/key-register';
import { createKeyStore, hashApiKey, type KeyStore } from '../../../../src/store/keys/keys';
import { createReads } from '../../../../src/store/reads/reads';
import { createAddressBudget } from '../../../../src/store/redis/address-budget';
import { createRedis } from '../../../../src/store/redis/redis';
import { keyRow, NOW, newKey, startApi, type TestApi } from '../../../support/api/api';
import { PATIENT_MS } from '../../../support/patient';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database';
import { tcpLine } from '../../../support/servers/tcp-line';

interface Process {
  readonly api: TestApi;
  /** Queries. */
  lookUps: number;
  /** Resolves at the next event of this kind. */
  next(event: 'following' | 'lost' | 'changed'): Promise<void>;
  close(): Promise<void>;
}

let db: TestDatabase;
let keys: KeyStore;
const redis = createRedis(process.env.REDIS_URL!, PATIENT_MS);
const processes: Process[] = [];
beforeAll(async () => {
  db = await createTestDatabase();
  keys = createKeyStore(db.pool);
});
afterAll(async () => {
  for (const one of processes) await one.close();
  redis.disconnect();
  await db.drop();
});

async function startProcess(url: string): Promise<Process> {
  const changes = followKeyChanges(url);
  const waiting: { event: string; done: () => void }[] = [];
  const happened = (event: string): void => {
    for (const one of waiting.splice(0)) one.event === event ? one.done() : waiting.push(one);
  };
  const counted = {
    ...keys,
    find: (hashes: readonly Buffer[]) => {
      own.lookUps++;
      return keys.find(hashes);
    },
  };
  const api = await startApi({
    reads: createReads(db.pool),
    keys: counted,
    keyChanges: changes,
    addressBudget: createAddressBudget(redis, db.url),
    trustedProxies: 1,
  });
  const next: Process['next'] = (event) => new Promise((done) => waiting.push({ event, done }));
  const own: Process = {
    api,
    lookUps: 0,
    next,
    async close() {
      await api.close();
      await changes.close();
    },
  };
  processes.push(own);
  const following = next('following');
  // After the API's own watcher: what the test waits for has reached the API.
  changes.watch({
    following: () => happened('following'),
    lost: () => happened('lost'),
    changed: () => happened('changed'),
  });
  await following;
  return own;
}

const statusOf = async ({ api }: Process, key: string, address = '192.0.2.1'): Promise<number> =>
  (await api.get('/v1/racing/next-to-go', key, { 'X-Forwarded-For': address })).status;
const statuses = (key: string): Promise<number[]> => Promise.all(processes.map((one) => statusOf(one, key)));
const issue = (key: string): Promise<void> => keys.insert(hashApiKey(key), keyRow(key));
const revoke = (key: string) =>
  db.pool.query('UPDATE api_keys SET revoked_at = now() WHERE key_hash = $1', [hashApiKey(key)]);

const announced = async (write: () => Promise<unknown>): Promise<void> => {
  const all = processes.map((one) => one.next('changed'));
  await write();
  await Promise.all(all);
};

test('an unknown key costs one query, and works in every process from when it is issued until it is revoked', async () => {
  const one = await startProcess(db.url);
  const other = await startProcess(db.url);
  const key = newKey();
  for (const _ of [1, 2, 3]) expect(await statuses(key)).toEqual([401, 401]);
  expect([one.lookUps, other.lookUps]).toEqual([1, 1]);
  await announced(() => issue(key));
  expect(await statuses(key)).toEqual([200, 200]);
  await announced(() => revoke(key));
  expect(await statuses(key)).toEqual([401, 401]);
});

test('on open connections a key moves to its new plan, and is revoked, in every process as soon as an operator changes it', async () => {
  const register = createKeyRegister(db.pool);
  const agents = processes.map(() => new Agent({ keepAlive: true, maxSockets: 1 }));
  const key = newKey();
  const id = hashApiKey(key).toString('hex');
  // One connection to each process; the status, and whether the connection was open before.
  const scan = (): Promise<[number, boolean][]> =>
    Promise.all(
      processes.map(async ({ api }, i) => {
        const call = request(`${api.url}/v1/racing/intelligence/scan`, {
          agent: agents[i]!,
          headers: { 'X-API-Key': key, 'X-Forwarded-For': '192.0.2.1' },
        });
        call.end();
        const [reply] = (await once(call, 'response')) as [IncomingMessage];
        reply.resume();
        await once(reply, 'end');
        return [reply.statusCode!, call.reusedSocket];
      }),
    );
  try {
    await announced(() => keys.insert(hashApiKey(key), keyRow(key, { plan: 'plus' })));
    expect(await scan()).toEqual([
      [200, false],
      [200, false],
    ]);
    const { accountId } = (await keys.find([hashApiKey(key)]))[0]!;
    await announced(() => register.setPlan(accountId, 'free'));
    expect(await scan()).toEqual([
      [403, true],
      [403, true],
    ]);
    await announced(() => register.revoke(id, NOW));
    expect(await scan()).toEqual([
      [401, true],
      [401, true],
    ]);
  } finally {
    for (const agent of agents) agent.destroy();
  }
});

test('a listener whose backend was ended misses nothing: it drops its cache when it reconnects', async () => {
  const known = newKey();
  const unknown = newKey();
  await announced(() => issue(known));
  expect([await statuses(known), await statuses(unknown)]).toEqual([
    [200, 200],
    [401, 401],
  ]);
  const back = processes.flatMap((one) => [one.next('lost'), one.next('following')]);
  const client = await db.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'listener of %'",
    );
    await client.query('UPDATE api_keys SET revoked_at = now() WHERE key_hash = $1', [hashApiKey(known)]);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  await issue(unknown);
  await Promise.all(back);
  expect([await statuses(known), await statuses(unknown)]).toEqual([
    [401, 401],
    [200, 200],
  ]);
});

test('without a listener an unknown key is not cached', async () => {
  const line = await tcpLine(db.url);
  try {
    const cutOff = await startProcess(line.url);
    const key = newKey();
    const lost = cutOff.next('lost');
    await line.cut();
    await lost;
    expect(await statusOf(cutOff, key)).toBe(401);
    await issue(key);
    expect(await statusOf(cutOff, key)).toBe(200);
    const following = cutOff.next('following');
    await line.mend();
    await following;
    expect(await statusOf(cutOff, key)).toBe(200);
  } finally {
    await processes.pop()!.close();
    await line.close();
  }
});

test('processes count an address’s unknown keys together, in few queries, and still serve its valid keys', async () => {
  const one = processes[0]!;
  const other = processes[1]!;
  const known = newKey();
  const fresh = newKey();
  const wrong = newKey();
  await announced(() => issue(known));
  await announced(() => issue(fresh));
  const home = '2001:db8::1';
  expect(await statusOf(one, known, home)).toBe(200);
  expect(await statusOf(one, wrong, home)).toBe(401);
  const flood = (): Promise<number[]> =>
    Promise.all(Array.from({ length: 200 }, (_, i) => statusOf(processes[i % 2]!, newKey(), `2001:db8::${i + 1}`)));
  const codes = await flood();
  const unknown = codes.filter((code) => code === 401).length;
  expect(codes.filter((code) => code === 429)).toHaveLength(200 - unknown);
  // One comes back every second meanwhile.
  expect(unknown).toBeGreaterThanOrEqual(59);
  expect(unknown).toBeLessThan(200);
  const before = one.lookUps + other.lookUps;
  expect(new Set([401, 429, ...(await flood())])).toEqual(new Set([401, 429]));
  // Two or three in each process, unless the machine stands still until the budget is full again.
  expect(one.lookUps + other.lookUps - before).toBeLessThan(100);
  const queries = one.lookUps;
  expect([401, 429]).toContain(await statusOf(one, wrong, home));
  expect(one.lookUps).toBe(queries);
  expect([await statusOf(one, known, home), await statusOf(other, known, home)]).toEqual([200, 200]);
  expect([await statusOf(one, fresh, home), await statusOf(other, fresh, home)]).toEqual([200, 200]);
});
