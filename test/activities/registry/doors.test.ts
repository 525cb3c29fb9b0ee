// One registry's door in two processes, over real HTTP, Redis and PostgreSQL, with separate connections. The test reads
// the order from what the processes have stored, never from a clock; time passes by overwriting stored values.
import { randomBytes } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { Redis } from 'ioredis';
import type { Pool } from 'pg';
import { createDoors } from '../../../src/activities/registry/doors';
import { REAL_TIME } from '../../../src/domain/time/clock';
import { createDoor } from '../../../src/feeds/door/create-door';
import type { DoorPurpose } from '../../../src/feeds/door/door';
import { createBudgetSource } from '../../../src/feeds/gate/source';
import { createRegistrySite } from '../../../src/feeds/racing-australia/site';
import { createRateBudget } from '../../../src/store/redis/rate-budget';
import { createRedis } from '../../../src/store/redis/redis';
import { createRegistryTurns } from '../../../src/store/redis/registry-turns';
import { createDoorStore } from '../../../src/store/registry/doors';
import { type BookServer, startBookServer } from '../../feeds/support/book-server';
import { PATIENT_MS } from '../../support/patient';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { waitFor } from '../../support/servers/service';

let db: TestDatabase;
let server: BookServer;
let redis: Redis;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  // One connection, so that statements finish in order.
  db = await createTestDatabase(1);
  server = await startBookServer();
  redis = createRedis(process.env.REDIS_URL!, PATIENT_MS);
  await redis.connect();
});
afterAll(async () => {
  for (const close of closing) close();
  redis?.disconnect();
  await server?.close();
  await db?.drop();
});
beforeEach(() => server.answer((_, response) => response.writeHead(200, HTML).end('<html></html>')));

const HTML = { 'content-type': 'text/html' };
const NOON = Date.parse('2026-11-21T01:00:00.000Z');
const at = (ms: number): string => new Date(NOON + ms).toISOString();
/** Longer than any test: it ends only when a test ends it. */
const FOR_EVER_MS = 3_600_000;

interface World {
  readonly registry: string;
  nowMs: number;
  spacingMs: number;
}
const aWorld = (spacingMs = 0): World => ({ registry: `r_${randomBytes(6).toString('hex')}`, nowMs: NOON, spacingMs });

/** A process: its door, what it sees of the registry, and the gates it has started. */
function aProcess(world: World, { redisUrl = process.env.REDIS_URL!, pool = db.pool as Pool } = {}) {
  const own = createRedis(redisUrl, PATIENT_MS);
  closing.push(() => own.disconnect());
  const gates: unknown[] = [];
  const now = (): number => world.nowMs;
  const client = { workflow: { start: async (...of: unknown[]) => gates.push(of) } } as unknown as Client;
  const source = createBudgetSource({ shared: createRateBudget(own), workers: () => 3, onChange: () => undefined });
  const door = createDoors({
    turns: createRegistryTurns(own),
    source,
    levels: createDoorStore(pool),
    client,
    now,
    clock: REAL_TIME,
    spacingMs: world.spacingMs,
    callWithinMs: FOR_EVER_MS,
    formPatienceMs: FOR_EVER_MS,
    log: { warn: () => undefined },
  })(world.registry);
  const endpoint = { baseUrl: server.url, contact: 'ops@x.example', partner: 'x', timeoutMs: PATIENT_MS };
  const site = createRegistrySite({ endpoint, now, door });
  const mapped = { value: null, bookAt: null, dropped: {} };
  const read = (path: string, purpose: DoorPurpose) => site.page(`/${path}`, () => mapped, undefined, purpose);
  return { door, gates, read, disconnect: () => own.disconnect() };
}

const key = ({ registry }: World, what: string): string => `registry:{${registry}}:${what}`;
const waiting = async (world: World): Promise<number[]> => {
  const places = await redis.zrange(key(world, 'waiting'), '0', '-1', 'WITHSCORES');
  return places.filter((_, n) => n % 2 === 1).map((score) => Math.floor(Number(score) / 1e12));
};
const paths = (from: number): string[] => server.requests.slice(from).map(({ url }) => url!);

test('two processes read one page at a time, the more urgent first', async () => {
  const world = aWorld();
  const a = aProcess(world);
  const b = aProcess(world);
  const from = server.requests.length;
  let open = 0;
  let release = (): void => undefined;
  const released = new Promise<void>((done) => {
    release = done;
  });
  server.answer(async (_, response) => {
    expect(++open).toBe(1);
    await released;
    open -= 1;
    response.writeHead(200, HTML).end('<html></html>');
  });
  const first = a.read('first', 'backfill');
  await waitFor(async () => paths(from).length === 1, PATIENT_MS);
  const rest = [
    a.read('a-backfill', 'backfill'),
    b.read('b-backfill', 'backfill'),
    b.read('b-form', 'form'),
    b.read('b-tables', 'tables'),
    a.read('a-collection', 'collection'),
  ];
  // By now every page is in its process's queue.
  await db.pool.query('SELECT 1');
  await waitFor(async () => (await waiting(world)).join() === '2', PATIENT_MS);
  release();
  await Promise.all([first, ...rest]);
  expect(paths(from)).toEqual(['/first', '/a-collection', '/b-form', '/b-tables', '/a-backfill', '/b-backfill']);
  expect(await waiting(world)).toEqual([]);
});

test('no page is requested before the pause after the last one has passed, whichever process read it', async () => {
  const world = aWorld(FOR_EVER_MS);
  const a = aProcess(world);
  const b = aProcess(world);
  const from = server.requests.length;
  await a.read('first', 'collection');
  const second = b.read('second', 'collection');
  await waitFor(async () => (await waiting(world)).length === 1, PATIENT_MS);
  expect(await redis.pttl(key(world, 'pause'))).toBeGreaterThan(FOR_EVER_MS / 2);
  expect(paths(from)).toEqual(['/first']);
  await redis.del(key(world, 'pause'));
  expect(await second).toMatchObject({ kind: 'ok' });
});

test('a process that dies during its turn, or while it waits, delays the others no longer than its lease', async () => {
  const world = aWorld();
  const dead = aProcess(world);
  const b = aProcess(world);
  expect(await dead.door.enter('collection')).toMatchObject({ kind: 'go' });
  dead.disconnect();
  await redis.zadd(key(world, 'waiting'), 1e12, 'another dead process');
  await redis.zadd(key(world, 'looked'), 1, 'another dead process');
  const page = b.read('after', 'backfill');
  await waitFor(async () => (await waiting(world)).join() === '4', PATIENT_MS);
  const lease = await redis.pttl(key(world, 'page'));
  expect([lease > 0, lease <= FOR_EVER_MS + 1000]).toEqual([true, true]);
  await redis.del(key(world, 'page'));
  expect(await page).toMatchObject({ kind: 'ok' });
});

test('without Redis each process reads at its own share of the pace, and respects a wall that another has met', async () => {
  const redisUrl = 'redis://127.0.0.1:1';
  const own = createRedis(redisUrl, PATIENT_MS);
  closing.push(() => own.disconnect());
  const source = createBudgetSource({ shared: createRateBudget(own), workers: () => 3, onChange: () => undefined });
  const waits: number[] = [];
  const door = createDoor({
    registry: 'topaz',
    now: () => NOON,
    spacingMs: 1000,
    wait: async (ms) => void waits.push(ms),
    shared: { turns: createRegistryTurns(own), source, spacingMs: 1000, leaseMs: FOR_EVER_MS },
  });
  for (let page = 0; page < 3; page += 1) {
    const entry = await door.enter('collection');
    if (entry.kind === 'go') await entry.left({ failure: null, status: null, retryAfterMs: null, calledOff: false });
  }
  expect(waits).toEqual([3000, 3000]);
  const world = aWorld();
  const alone = aProcess(world, { redisUrl });
  expect(await alone.read('first', 'form')).toMatchObject({ kind: 'ok' });
  await createDoorStore(db.pool).wall(world.registry, { at: at(0), retryAt: null, note: 'HTTP 403' }, false);
  expect(await alone.read('second', 'form')).toMatchObject({ reason: 'blocked' });
});

test('a wall that one process meets stops every process’s pages, except the probe, and a page that is read opens it', async () => {
  const world = aWorld();
  const a = aProcess(world);
  const b = aProcess(world);
  await b.read('before', 'collection');
  server.answer((_, response) => response.writeHead(200, HTML).end('<html><title>Just a moment...</title></html>'));
  expect(await a.read('walled', 'form')).toMatchObject({ kind: 'failed', reason: 'blocked' });
  const from = server.requests.length;
  for (const purpose of ['collection', 'form', 'tables', 'backfill'] as const) {
    for (const one of [a, b]) {
      expect(await one.read('none', purpose)).toMatchObject({
        kind: 'failed',
        reason: 'blocked',
        retryAfterMs: 60_000,
        detail: expect.stringContaining('nothing was sent'),
      });
    }
  }
  expect(paths(from)).toEqual([]);
  expect([a.gates.length, b.gates.length]).toEqual([1, 0]);
  const doors = createDoorStore(db.pool);
  expect(await doors.walled()).toContain(world.registry);
  expect(await doors.read(world.registry)).toMatchObject({
    state: 'walled',
    since: at(0),
    note: 'HTTP 200 with "Just a moment..."',
  });
  expect(await b.read('probe', 'probe')).toMatchObject({ reason: 'blocked' });
  world.nowMs += 120_000;
  server.answer((_, response) => response.writeHead(200, HTML).end('<html></html>'));
  expect(await b.read('probe', 'probe')).toMatchObject({ kind: 'ok' });
  expect(await doors.read(world.registry)).toMatchObject({
    state: 'ok',
    probedAt: new Date(world.nowMs).toISOString(),
  });
  await waitFor(async () => (await a.read('after', 'backfill')).kind === 'ok', PATIENT_MS);
});

test('all processes respect a Retry-After; it ends by itself, and a shorter one does not shorten it', async () => {
  const world = aWorld();
  const a = aProcess(world);
  const b = aProcess(world);
  server.answer((_, response) => response.writeHead(429, { 'retry-after': '30' }).end());
  expect(await a.read('limited', 'collection')).toMatchObject({ reason: 'rate_limited', retryAfterMs: 30_000 });
  const doors = createDoorStore(db.pool);
  await doors.pause(world.registry, {
    at: at(0),
    retryAt: at(5000),
    note: 'shorter',
  });
  const from = server.requests.length;
  world.nowMs += 10_000;
  expect(await b.read('none', 'form')).toMatchObject({ reason: 'rate_limited', retryAfterMs: 20_000 });
  expect(paths(from)).toEqual([]);
  world.nowMs += 20_000;
  server.answer((_, response) => response.writeHead(200, HTML).end('<html></html>'));
  expect(await b.read('after', 'form')).toMatchObject({ kind: 'ok' });
  expect(await doors.read(world.registry)).toMatchObject({ state: 'ok', retryAt: null });
});

test('a page requested before a wall was met does not lift it, and without the database no page is requested', async () => {
  const world = aWorld();
  const doors = createDoorStore(db.pool);
  await doors.wall(world.registry, { at: at(1000), retryAt: null, note: 'HTTP 403' }, false);
  await doors.pause(world.registry, { at: at(2000), retryAt: at(3000), note: 'HTTP 429' });
  expect(await doors.open(world.registry, at(2000), at(0), null)).toBe(false);
  expect(await doors.read(world.registry)).toMatchObject({ state: 'walled', since: at(1000) });
  expect(await doors.open(world.registry, at(3000), at(2000), 'opened')).toBe(true);
  const away = { query: async () => Promise.reject(new Error('no database')) } as unknown as Pool;
  const reply = await aProcess(world, { pool: away }).read('none', 'collection');
  expect(reply).toMatchObject({ kind: 'failed', reason: 'rate_limited', retryAfterMs: 5000 });
});
