// The whole service behind a real PgBouncer in transaction mode. A process refuses sessions in which its clock or zone
// is lost; with the settings of the logins polls are stored, reads are served, a revoked key counts through the
// listener, and what a customer pays is exact while PgBouncer is killed and comes back.
import type { Pool } from 'pg';
import { loadConfig } from '../../src/config';
import { runCommand } from '../../src/ops/run-command';
import { createStores } from '../../src/store/create-stores';
import { hashApiKey } from '../../src/store/keys/keys';
import { createPool, instantOf } from '../../src/store/pg/pool';
import { lackingSettings } from '../../src/store/pg/sessions/session';
import { PATIENT_MS } from '../support/patient';
import { keptNow, lostTicks, repeatedTicks, silentBooks } from '../support/races/ledger';
import {
  describeWithOwnServers,
  type OwnServers,
  startOwnServers,
  useOwnServers,
} from '../support/servers/own-servers';
import { asLogin, throughPooler } from '../support/servers/roles';
import { type Service, startService, waitFor } from '../support/servers/service';
import { openPayer } from './customer';

const SPEED = 2;
const MINUTE = 60_000;
const VENUES = ['Flemington', 'Randwick'];
const LISTENERS = `SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = current_database()
  AND application_name = 'listener of api_keys_changed' AND query LIKE 'SELECT pg_notify%'`;
const OF_WORKER = `SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = current_database()
  AND usename = 'racing_worker_test'`;

describeWithOwnServers('behind PgBouncer', () => {
  let servers: OwnServers;
  let service: Service;
  let pooled: Pool;

  beforeAll(async () => {
    servers = await startOwnServers(['postgres']);
    useOwnServers(servers);
    const races = (nowMs: number) =>
      VENUES.map((venue, i) => ({ startMs: nowMs + (55 + i) * MINUTE, venue, runners: 6 }));
    service = await startService(SPEED, races, servers.pgbouncerPort);
    await servers.start('pgbouncer');
    const url = throughPooler(asLogin(service.db.url, 'racing_worker'), servers.pgbouncerPort);
    pooled = createPool(url, 2, { clock: service.clock });
  }, 900_000);
  afterAll(async () => {
    await pooled?.end();
    await service?.close();
    await servers?.close();
  });

  const count = async (text: string): Promise<number> =>
    (await service.db.pool.query<{ open: number }>(text)).rows[0]!.open;
  const lacking = () => lackingSettings(pooled, { clock: service.clock, timeouts: loadConfig({}).databaseTimeouts });
  /** Its sessions begin anew. */
  const restartPooler = async (): Promise<void> => {
    await servers.kill('pgbouncer');
    await servers.start('pgbouncer');
  };
  const roles = () =>
    runCommand(['roles'], {
      DATABASE_URL: throughPooler(service.db.url, 1),
      DATABASE_DIRECT_URL: service.db.url,
      CLOCK_SPEED: String(service.clock.speed),
      CLOCK_ANCHOR: String(service.clock.anchorMs),
      LOG_LEVEL: 'silent',
    });

  test('a worker refuses sessions without its clock, and `ops roles` gives it to the login', async () => {
    expect((await lacking()).map((text) => text.split(' ')[0]).sort()).toEqual([
      'idle_in_transaction_session_timeout',
      'jit',
      'racing.clock_anchor',
      'racing.clock_speed',
      'statement_timeout',
    ]);
    await expect(service.startWorker()).rejects.toThrow('the process ended (1)');
    expect(await roles()).toMatchObject({
      code: 0,
      out: expect.stringContaining('racing_api_test, racing_worker_test'),
    });
    expect((await roles()).out).toMatch(/both exist; their rights in this database are current\n$/);
    await restartPooler();
    expect(await lacking()).toEqual([]);
  }, 900_000);

  test('an instant of a session in another zone is an error, never another instant', async () => {
    const client = await pooled.connect();
    try {
      await client.query('BEGIN');
      await client.query(`SET LOCAL timezone = 'Australia/Sydney'`);
      await expect(client.query('SELECT now()')).rejects.toThrow('another time zone');
    } finally {
      client.release(true);
    }
    expect(() => instantOf('2026-11-21 13:44:17+11')).toThrow('another time zone');
  });

  test('polls, reads, keys and credits go on while PgBouncer is killed', async () => {
    const { db } = service;
    await service.startWorker();
    await waitFor(async () => (await keptNow(db.pool)).ticks.size > 50, PATIENT_MS);
    const { url } = await service.startApi();
    const payer = await openPayer(service, url);
    await waitFor(async () => (await count(LISTENERS)) === 1, PATIENT_MS);
    const before = await keptNow(db.pool);

    await payer.payDuring(restartPooler);

    const backInRace = service.now();
    await waitFor(async () => (await silentBooks(db.pool, backInRace)).length === 0, PATIENT_MS);
    const after = await keptNow(db.pool);
    expect([...before.ticks].filter((tick) => !after.ticks.has(tick))).toEqual([]);
    expect([await repeatedTicks(db.pool), await lostTicks(db.pool)]).toEqual([0, 0]);
    const { credits, keyRegister } = createStores(db.pool);
    const used = async () =>
      (await db.pool.query<{ used: number }>('SELECT sum(used)::bigint AS used FROM credit_balances')).rows[0]!.used;
    await waitFor(async () => (await used()) === payer.paid(), PATIENT_MS);
    expect([payer.wrong(), await credits.audit()]).toEqual([[], []]);
    // All of the worker's and the pooler's sessions are the pooler's: no process has opened one beside it.
    expect(await count(OF_WORKER)).toBeLessThanOrEqual(40);

    const status = async () =>
      (await fetch(`${url}/v1/racing/next-to-go`, { headers: { 'X-API-Key': payer.key, connection: 'close' } })).status;
    expect(await status()).toBe(200);
    await keyRegister.revoke(hashApiKey(payer.key).toString('hex'), new Date().toISOString());
    await waitFor(async () => (await status()) === 401, PATIENT_MS);
  }, 900_000);
});
