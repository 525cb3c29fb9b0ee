// While the database is unavailable, only the last answer to the same query is served, and not forever. The database is
// a real one behind a TCP proxy that can be cut.
import { connect, createServer, type Server, type Socket } from 'node:net';
import { createPool } from '../../../src/store/pg/pool';
import { withOutageCache } from '../../../src/store/reads/outage-cache';
import { createReads, type Reads } from '../../../src/store/reads/reads';
import { storeRace } from '../../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

const NOW = Date.parse('2026-11-21T04:00:00.000Z');
const iso = (ms: number): string => new Date(ms).toISOString();
const window = (nowMs: number, hours = 24) => ({
  at: iso(nowMs),
  from: iso(nowMs - 70 * 60_000),
  until: iso(nowMs + hours * 3_600_000),
  includeUnresolved: false,
});

let db: TestDatabase;
let proxy: Server;
let cut: () => void;
let pool: ReturnType<typeof createPool>;
let reads: Reads;
let wallMs = 0;

beforeEach(async () => {
  db = await createTestDatabase();
  const target = new URL(db.url);
  const serverPort = Number(target.port);
  const sockets = new Set<Socket>();
  proxy = createServer((near) => {
    const far = connect(serverPort, '127.0.0.1');
    for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  cut = () => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
  };
  target.port = String((proxy.address() as { port: number }).port);
  pool = createPool(String(target), 2);
  wallMs = 0;
  reads = withOutageCache(createReads(pool), () => wallMs);
});
afterEach(async () => {
  cut();
  await pool.end();
  await db.drop();
});

test('the same query a minute later gets the last answer, without races that have since ended', async () => {
  const { raceId: early } = await storeRace(db, { startTime: iso(NOW - 9 * 60_000), raceNumber: 1 });
  const { raceId: later } = await storeRace(db, { startTime: iso(NOW + 30 * 60_000), raceNumber: 2 });
  const ids = async (nowMs: number) => (await reads.events(window(nowMs))).map((race) => race.race_id);
  expect(await ids(NOW)).toEqual([early, later]);
  cut();
  expect(await ids(NOW)).toEqual([early, later]);
  expect(await ids(NOW + 2 * 60_000)).toEqual([later]);
});

test('another query is unavailable, with the time to retry after', async () => {
  await reads.events(window(NOW));
  cut();
  await expect(reads.events(window(NOW, 48))).rejects.toMatchObject({
    code: 'unavailable',
    extensions: { retry_after_seconds: 5 },
  });
});

test('the last answer is served for a quarter of an hour', async () => {
  await reads.events(window(NOW));
  cut();
  wallMs = 15 * 60_000;
  await expect(reads.events(window(NOW))).rejects.toMatchObject({ code: 'unavailable' });
});

test('an internal defect is not hidden behind an old answer', async () => {
  await reads.venues(iso(NOW));
  await expect(reads.venues('not an instant')).rejects.toMatchObject({ code: '22007' });
});

test('an answer for a few matches of a sport, or with alternates, does not stand in for the whole sport', async () => {
  const query = { sportKey: 'nrl', after: iso(NOW) };
  const asked = [
    { ...query, eventIds: ['8d5d9a3e-0000-4000-8000-000000000001'] },
    { ...query, alternates: true },
  ];
  for (const one of asked) expect(await reads.matches(one)).toEqual([]);
  cut();
  for (const one of asked) expect(await reads.matches(one)).toEqual([]);
  await expect(reads.matches(query)).rejects.toMatchObject({ code: 'unavailable' });
});
