// Reads of the past while the replica falls behind, goes silent, dies and becomes a primary: no read fails, and none is
// more than the bound behind the primary.
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { loadConfig } from '../../src/config';
import { createPool } from '../../src/store/pg/pool';
import { type ApiReads, createApiReads } from '../../src/wiring/api-reads';
import type { Wiring } from '../../src/wiring/service';
import { PATIENT_MS } from '../support/patient';
import { archivedRace } from '../support/races/archived-race';
import { addPremierships } from '../support/races/premierships';
import { createTestDatabase, type TestDatabase } from '../support/servers/database';
import {
  describeWithOwnServers,
  type OwnServers,
  startOwnServers,
  useOwnServers,
} from '../support/servers/own-servers';
import { asLogin } from '../support/servers/roles';
import { waitFor } from '../support/servers/service';

const MAX_AGE_MS = 500;
const READERS = 4;
const TABLE = { role: 'jockey', seasonStartYear: 2025, state: 'NSW', scope: 'metro', name: null } as const;
const SET = `UPDATE premiership_rows SET starts = $1
  WHERE role = 'jockey' AND season_start_year = 2025 AND state = 'NSW' AND scope = 'metro'`;

describeWithOwnServers('with a replica for reads of the past', () => {
  let servers: OwnServers;
  let db: TestDatabase;
  let standby: Pool;
  let api: ApiReads;
  const changes: string[] = [];
  const stop = new AbortController();
  let work: Promise<unknown>[] = [];

  /** What was committed on the primary, and when that was known. */
  const committed = [{ ms: performance.now(), mark: 0 }];
  let seen = 0;
  let reads = 0;
  const wrong: string[] = [];

  async function write(): Promise<void> {
    for (let mark = 1; !stop.signal.aborted; mark++) {
      await db.pool.query(SET, [mark]);
      committed.push({ ms: performance.now(), mark });
      await delay(10);
    }
  }

  async function follow(): Promise<void> {
    while (!stop.signal.aborted) {
      const beganMs = performance.now();
      const [table] = await api.reads.premierships(TABLE);
      const mark = table!.rows[0]!.starts!;
      const least = committed.findLast(({ ms }) => ms < beganMs - MAX_AGE_MS)?.mark ?? 0;
      if (mark < least) wrong.push(`${mark}, and ${least} is old`);
      seen = Math.max(seen, mark);
      reads += 1;
      await delay(5);
    }
  }

  /** A page of the archive is planned in a transaction, and its rows are read in several statements. */
  async function stream(): Promise<void> {
    while (!stop.signal.aborted) {
      let rows = 0;
      const plan = await api.reads.archive.planPage('line', { includeFlagged: true }, { limit: 1000, offset: 0 });
      for await (const batch of api.reads.archive.streamClosingLines({ includeFlagged: true }, plan.rows, plan))
        rows += batch.length;
      const { total } = await api.reads.archive.closingLines({ includeFlagged: true }, { limit: 1, offset: 0 });
      if (rows !== 2 || total !== 2) wrong.push(`${rows} rows of ${total}`);
      await delay(5);
    }
  }

  beforeAll(async () => {
    servers = await startOwnServers(['postgres']);
    useOwnServers(servers);
    db = await createTestDatabase();
    await addPremierships(db.pool, '2026-11-21T00:00:00Z');
    await archivedRace(db.pool, { startTime: '2026-11-21T02:00:00Z' }, { sportsbet: [[60, 2, 3]] });
    await servers.start('standby');
    const onStandby = (url: string): string =>
      Object.assign(new URL(servers.standbyUrl), { pathname: new URL(url).pathname }).href;
    standby = createPool(onStandby(db.url), 2);
    const url = asLogin(db.url, 'racing_api');
    const config = loadConfig({
      DATABASE_URL: url,
      DATABASE_READ_URL: Object.assign(new URL(url), { port: new URL(servers.standbyUrl).port }).href,
      DATABASE_READ_MAX_AGE_MS: String(MAX_AGE_MS),
    });
    const log = {
      info: (message: string) => changes.push(message),
      warn: ({ reason }: { reason: string }) => changes.push(reason),
    };
    const pool = createPool(config.databaseUrl, 4);
    const wiring = { config, log, pool, now: Date.now } as unknown as Wiring;
    const opened = createApiReads(wiring);
    api = { reads: opened.reads, close: () => Promise.all([opened.close(), pool.end()]).then(() => undefined) };
    work = [write(), stream(), ...Array.from({ length: READERS }, follow)];
    for (const one of work) one.catch((error: Error) => wrong.push(error.message));
  }, 900_000);
  afterAll(async () => {
    stop.abort();
    await Promise.allSettled(work);
    await api?.close();
    await standby?.end();
    await db?.drop();
    await servers?.close();
  });

  const onReplica = () => changes.at(-1)?.endsWith('run on the replica');
  const returned = () => waitFor(async () => onReplica() || null, PATIENT_MS);
  const left = () => waitFor(async () => (changes.length > 0 && !onReplica()) || null, PATIENT_MS);
  /** Reads go on. */
  const more = async () => {
    const before = reads;
    await waitFor(async () => reads > before + 50 || null, PATIENT_MS);
    expect(wrong).toEqual([]);
  };
  const receiver = async () =>
    (await standby.query<{ pid: number }>('SELECT pid FROM pg_stat_wal_receiver')).rows[0]!.pid;
  const sessions = async () =>
    (await standby.query<{ pid: number }>(`SELECT pid FROM pg_stat_activity WHERE usename = 'racing_api_test'`)).rows;

  const silent = async (pids: readonly number[]) => {
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    try {
      await left();
      await more();
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    }
  };

  test('no read is too old, and none fails', async () => {
    await returned();
    await more();

    await standby.query('SELECT pg_wal_replay_pause()');
    await left();
    expect(changes.at(-1)).toContain('behind');
    await more();
    await standby.query('SELECT pg_wal_replay_resume()');
    await returned();
    await more();

    await silent([await receiver()]);
    await returned();
    await more();

    await silent((await sessions()).map(({ pid }) => pid));
    await returned();
    await more();

    await servers.kill('standby');
    await left();
    await more();
    await servers.start('standby');
    await returned();
    await more();

    await standby.query('SELECT pg_promote()');
    await left();
    await more();
    // It may be too old first, and receive no log before it is no standby.
    await waitFor(async () => /no standby|receives no log/.test(changes.at(-1)!) || null, PATIENT_MS);
    process.stdout.write(`  ${reads} reads, up to mark ${seen}: ${changes.join('; ')}\n`);
  }, 900_000);
});
