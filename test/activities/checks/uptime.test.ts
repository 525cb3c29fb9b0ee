// The probe of uptime: a check is never lost and never counted twice because the database was away when it was made.
import { createServer } from 'node:http';
import { createUptimeProbe } from '../../../src/activities/checks/uptime';
import { createHealthStore } from '../../../src/store/health';
import { createPool } from '../../../src/store/pg/pool';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { freePort } from '../../support/servers/free-port';
import { asLogin } from '../../support/servers/roles';
import { type TcpLine, tcpLine } from '../../support/servers/tcp-line';

const NOON_MS = Date.parse('2026-11-21T01:00:00.000Z');
let db: TestDatabase;
let line: TcpLine;
let pool: ReturnType<typeof createPool>;
let apiBaseUrl: string;
let status = 200;
const api = createServer((_, response) => response.writeHead(status).end());
beforeAll(async () => {
  db = await createTestDatabase();
  line = await tcpLine(asLogin(db.url, 'racing_worker'));
  pool = createPool(line.url, 2);
  const port = await freePort();
  await new Promise<void>((listening) => api.listen(port, '127.0.0.1', listening));
  apiBaseUrl = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  await line.close();
  await pool.end();
  await db.drop();
  await new Promise((closed) => api.close(closed));
});
beforeEach(() => db.pool.query('TRUNCATE uptime_checks'));

/** Each check is a minute after the one before. `most`: as of the probe. */
function probing(most?: number) {
  let nowMs = NOON_MS;
  const warned: string[] = [];
  const log = { warn: (_: unknown, what: string) => void warned.push(what) } as never;
  const probe = createUptimeProbe(
    { apiBaseUrl, now: () => nowMs, log, stores: { health: createHealthStore(pool) } },
    most,
  );
  const check = async (ok: boolean): Promise<void> => {
    status = ok ? 200 : 503;
    await probe().finally(() => {
      nowMs += 60_000;
    });
  };
  return { check, warned };
}

/** `[minute, ok]`, in order of time. */
async function stored(): Promise<unknown[]> {
  const { rows } = await db.pool.query('SELECT checked_at, ok FROM uptime_checks ORDER BY 1');
  return rows.map(({ checked_at, ok }) => [(Date.parse(checked_at) - NOON_MS) / 60_000, ok]);
}

test('checks made while the database is away are written, each with its own time, once it is back', async () => {
  const { check, warned } = probing();
  await check(true);
  await line.cut();
  await check(false);
  await check(false);
  expect(await stored()).toEqual([[0, true]]);
  expect(warned).toEqual(['uptime checks wait for the database', 'uptime checks wait for the database']);
  await line.mend();
  await check(true);
  await check(true);
  const all = [true, false, false, true, true].map((ok, minute) => [minute, ok]);
  expect(await stored()).toEqual(all);
  expect(warned).toHaveLength(2);
});

test('a check that was written although the reply was lost is there once', async () => {
  const { check, warned } = probing();
  await check(true);
  line.endInside('INSERT 0 1');
  await check(false);
  expect(warned).toHaveLength(1);
  expect(await stored()).toHaveLength(2);
  await check(true);
  expect(await stored()).toEqual([
    [0, true],
    [1, false],
    [2, true],
  ]);
});

test('no more than so many checks wait: the oldest are lost', async () => {
  const { check } = probing(3);
  await line.cut();
  for (let minute = 0; minute < 5; minute++) await check(false);
  await line.mend();
  await check(true);
  expect(await stored()).toEqual([
    [3, false],
    [4, false],
    [5, true],
  ]);
});

test('an error that is not the database’s absence fails the check, which is still written later', async () => {
  const { check } = probing();
  await db.pool.query('ALTER TABLE uptime_checks RENAME TO elsewhere');
  try {
    await expect(check(false)).rejects.toMatchObject({ code: '42P01' });
  } finally {
    await db.pool.query('ALTER TABLE elsewhere RENAME TO uptime_checks');
  }
  await check(true);
  expect(await stored()).toEqual([
    [0, false],
    [1, true],
  ]);
});
