// The whole service behind a real PgBouncer in transaction mode. A process refuses sessions in which its clock or zone
// is lost; with the settings of the logins polls are stored, reads are served, a revoked key counts through the
// listener, and what a customer pays is exact while PgBouncer is killed and comes back.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { Pool } from 'pg';
import { loadConfig } from '../../src/config';
import { runCommand } from '../../src/ops/run-command';
import { createStores } from '../../src/store/create-stores';
import { hashApiKey } from '../../src/store/keys/keys';
import { listenTo } from '../../src/store/pg/listener';
import { createPool, instantOf } from '../../src/store/pg/pool';
import { watchReplica } from '../../src/store/pg/replica/replica';
import { wrongDirect } from '../../src/store/pg/sessions/direct';
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
const OF_PROCESSES = `SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = current_database()
  AND usename IN ('racing_worker_test', 'racing_api_test') AND application_name NOT LIKE 'listener of %'`;

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
    pooled = createPool(viaPooler(asLogin(service.db.url, 'racing_worker')), 2, { clock: service.clock });
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
  const viaPooler = (url: string): string => throughPooler(url, servers.pgbouncerPort);
  const roles = (databaseDirectUrl = service.db.url) =>
    runCommand(['roles'], {
      DATABASE_URL: viaPooler(service.db.url),
      DATABASE_DIRECT_URL: databaseDirectUrl,
      CLOCK_SPEED: String(service.clock.speed),
      CLOCK_ANCHOR: String(service.clock.anchorMs),
      LOG_LEVEL: 'silent',
    });

  test('a worker refuses sessions without its clock, and `ops roles` gives it to the login', async () => {
    expect((await lacking()).map((text) => text.split(' ')[0]).sort()).toEqual([
      'idle_in_transaction_session_timeout',
      'racing.clock_anchor',
      'racing.clock_speed',
      'statement_timeout',
    ]);
    await expect(service.startWorker({ LOG_LEVEL: 'fatal' })).rejects.toThrow(/racing\.clock_speed is not set, not 2/);
    expect(await roles()).toMatchObject({
      code: 0,
      out: expect.stringContaining('racing_api_test, racing_worker_test'),
    });
    expect((await roles()).out).toMatch(/both exist; their rights in this database are current\n$/);
    await restartPooler();
    expect(await lacking()).toEqual([]);
  }, 900_000);

  test('a pooler is no direct address: not of a command, of a process, of a listener or of a replica', async () => {
    const databaseDirectUrl = asLogin(service.db.url, 'racing_api');
    const databaseUrl = viaPooler(databaseDirectUrl);
    expect(await roles('')).toEqual({
      code: 2,
      out: '',
      err: 'DATABASE_URL leads to a pooler, so DATABASE_DIRECT_URL must lead past it.\n',
    });
    expect(await wrongDirect({ databaseUrl, databaseDirectUrl })).toBeNull();
    const forgotten = { DATABASE_DIRECT_URL: '', LOG_LEVEL: 'fatal' };
    await expect(service.startWorker(forgotten)).rejects.toThrow('DATABASE_URL leads to a pooler');
    await listensInVain(databaseUrl);
    const reasons: (string | null)[] = [];
    const replica = watchReplica({
      ...{ primaryUrl: databaseDirectUrl, url: databaseUrl, maxAgeMs: 60_000, refusesSuperuser: false },
      onChange: (_, reason) => reasons.push(reason),
    });
    await waitFor(
      async () => reasons.some((reason) => /default_transaction_read_only is off/.test(`${reason}`)),
      PATIENT_MS,
    );
    await replica.close();
  }, 900_000);

  /** Its third connection shows that the first was not up: one that is up stays. */
  const listensInVain = async (url: string): Promise<void> => {
    let connections = 0;
    let ups = 0;
    const counted = createServer((socket) => {
      connections += 1;
      const onward = connect(servers.pgbouncerPort, '127.0.0.1');
      for (const end of [socket, onward]) end.on('error', () => end.destroy());
      socket.pipe(onward).pipe(socket);
    });
    await once(counted.listen(0, '127.0.0.1'), 'listening');
    const { port } = counted.address() as AddressInfo;
    const up = () => {
      ups += 1;
    };
    const listener = listenTo(throughPooler(url, port), 'api_keys_changed', { up, down: () => {}, notified: () => {} });
    await waitFor(async () => connections > 2, PATIENT_MS);
    expect(ups).toBe(0);
    await listener.close();
    counted.close();
  };

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
    // All sessions of processes are the pooler's, and end with it.
    expect(await count(OF_PROCESSES)).toBeGreaterThan(0);
    await servers.kill('pgbouncer');
    await waitFor(async () => (await count(OF_PROCESSES)) === 0, PATIENT_MS);
    await servers.start('pgbouncer');

    const status = async () =>
      (await fetch(`${url}/v1/racing/next-to-go`, { headers: { 'X-API-Key': payer.key, connection: 'close' } })).status;
    await waitFor(async () => (await status()) === 200, PATIENT_MS);
    await keyRegister.revoke(hashApiKey(payer.key).toString('hex'), new Date().toISOString());
    await waitFor(async () => (await status()) === 401, PATIENT_MS);
  }, 900_000);
});
