// Simulated pages → connector → store → the API's reads, with a site that is busy, walled and paused in between; and
// the gate of a walled one.
import { ApplicationFailure } from '@temporalio/common';
import type { Redis } from 'ioredis';
import { collectPremierships } from '../../../src/activities/registry/collect-premierships';
import { createDoors } from '../../../src/activities/registry/doors';
import { REGISTRY } from '../../../src/domain/registry/registry';
import type { Probes } from '../../../src/feeds/door/door';
import type { FeedFailure } from '../../../src/feeds/feed';
import { createBudgetSource } from '../../../src/feeds/gate/source';
import { createRegistryFeed, type RegistryFeed } from '../../../src/feeds/racing-australia/fetch';
import { createRegistrySite } from '../../../src/feeds/racing-australia/site';
import { createSimulator, type Simulator } from '../../../src/simulator/http/server';
import { horseCodeOf } from '../../../src/simulator/registry/meetings';
import { createReads } from '../../../src/store/reads/reads';
import { createRateBudget } from '../../../src/store/redis/rate-budget';
import { createRedis } from '../../../src/store/redis/redis';
import { createRegistryTurns } from '../../../src/store/redis/registry-turns';
import { gateWorkflowId } from '../../../src/workflows/contract';
import { PATIENT_MS } from '../../support/patient';
import { waitFor } from '../../support/servers/service';
import { type ActivityLab, HOUR, MINUTE, openLab } from '../lab';

/** Early in a season, so that the simulated registry has few days to add up. */
const NOW = Date.parse('2026-08-05T02:00:00.000Z');
const SCRIPT = [
  { startMs: NOW - 4 * HOUR, venue: 'Sandown' },
  { startMs: NOW - 3 * HOUR, venue: 'Doomben' },
] as const;

let lab: ActivityLab;
let simulator: Simulator;
let feed: RegistryFeed;
let url: string;
beforeAll(async () => {
  lab = await openLab([]);
  lab.clock.nowMs = NOW;
  simulator = createSimulator({ seed: 'test', now: () => lab.clock.nowMs, races: SCRIPT });
  url = await simulator.listen(0);
  const baseUrl = `${url}/${REGISTRY}`;
  const endpoint = { baseUrl, contact: 'ops@x.example', partner: 'x', timeoutMs: PATIENT_MS };
  feed = createRegistryFeed(createRegistrySite({ endpoint, now: () => lab.clock.nowMs, wait: async () => undefined }));
});
afterAll(async () => {
  await simulator?.close();
  await lab?.close();
});

const collect = (premiership: RegistryFeed['premiership']) =>
  collectPremierships({ ...lab.deps, registry: { ...feed, premiership } }, () => undefined).catch(
    (error: ApplicationFailure) => error,
  );

/** How pages from the `n`th call on are answered. */
function failing(n: number, reason: FeedFailure, retryAfterMs: number | null = null) {
  const calls = { count: 0 };
  const premiership: RegistryFeed['premiership'] = (table) => {
    calls.count += 1;
    if (calls.count < n) return feed.premiership(table);
    const observedAt = new Date(lab.clock.nowMs).toISOString();
    return Promise.resolve({ kind: 'failed', reason, detail: '', retryAfterMs, observedAt });
  };
  return { calls, premiership };
}

const stored = async () =>
  (await lab.query<{ n: number }>('SELECT count(scraped_at)::int AS n FROM premiership_tables'))[0]!.n;

test('a busy, walled or paused site loses nothing: each run continues where the previous one stopped', async () => {
  // The simulated registry is busy until it has added up the season.
  await waitFor(
    async () => !((await collect(feed.premiership)) instanceof ApplicationFailure) || (await stored()) > 0,
    PATIENT_MS,
  );
  await lab.query('DELETE FROM premiership_tables');

  const walled = failing(31, 'blocked');
  expect(await collect(walled.premiership)).toEqual({ read: 30, failed: 1 });
  expect([walled.calls.count, await stored()]).toEqual([31, 30]);

  const busy = failing(21, 'http_error');
  expect(await collect(busy.premiership)).toMatchObject({ type: 'RegistryAway' });
  // Three of the states' tables and three of the previous season.
  expect([busy.calls.count, await stored()]).toEqual([26, 50]);

  const paused = failing(11, 'http_error', 90_000);
  expect(await collect(paused.premiership)).toMatchObject({ type: 'RegistryAway', nextRetryDelay: 90_000 });
  expect([paused.calls.count, await stored()]).toEqual([11, 60]);

  lab.clock.nowMs += 5 * MINUTE;
  expect(await collect(feed.premiership)).toEqual({ read: 120, failed: 0 });
  expect(await stored()).toBe(180);
  expect(await collect(feed.premiership)).toEqual({ read: 0, failed: 0 });

  const all = { role: 'jockey', seasonStartYear: 2026, state: null, scope: null, name: null } as const;
  const tables = await createReads(lab.db.pool).premierships(all);
  expect(tables).toHaveLength(45);
  const wins = (state: string, scope: string) =>
    tables
      .find((one) => one.state === state && one.scope === scope)!
      .rows.reduce((sum, { firsts }) => sum + firsts!, 0);
  expect([wins('VIC', 'metro'), wins('QLD', 'metro'), wins('AUS', 'all'), wins('AUS', 'picnic')]).toEqual([1, 1, 2, 0]);
  const failures =
    "SELECT reason, count::int FROM connector_counts WHERE connector = 'racing_australia' AND reason = 'blocked'";
  expect(await lab.query(failures)).toEqual([{ reason: 'blocked', count: 1 }]);
});

/** The door of a process, with Redis, the database and Temporal. */
function throughDoor(redis: Redis): RegistryFeed {
  const now = () => lab.clock.nowMs;
  const { stores, client, clock, log } = lab.deps;
  const source = createBudgetSource({ shared: createRateBudget(redis), workers: () => 1, onChange: () => undefined });
  const door = createDoors({
    turns: createRegistryTurns(redis),
    source,
    levels: stores.doors,
    client,
    clock,
    now,
    log,
    spacingMs: 0,
    callWithinMs: PATIENT_MS,
  })(REGISTRY);
  const endpoint = { baseUrl: `${url}/${REGISTRY}`, contact: 'ops@x.example', partner: 'x', timeoutMs: PATIENT_MS };
  return createRegistryFeed(createRegistrySite({ endpoint, now, door }));
}

test('a walled registry has a gate, which is restarted if lost and probes at growing intervals until a page is read', async () => {
  const redis = createRedis(process.env.REDIS_URL!, PATIENT_MS);
  const registry = throughDoor(redis);
  const probes: Probes = new Map([[REGISTRY, registry.probe]]);
  Object.assign(lab.deps, { registry, probes });
  const [race] = simulator.world.meetings('2026-08-05').flatMap(({ races }) => races);
  const code = String(horseCodeOf(race!, race!.runners[0]!));
  expect(await lab.run('readHorseForm', [code])).toEqual({ kind: 'stored' });
  expect(await lab.query('SELECT runner_ref FROM horse_forms')).toEqual([{ runner_ref: `ra:${code}` }]);
  expect(await lab.run('readHorseForm', ['99999999999'])).toEqual({ kind: 'unreadable' });

  const challenge = (method: string) => fetch(`${url}/faults/challenge_page?book=${REGISTRY}`, { method });
  await challenge('PUT');
  expect(await lab.run('readHorseForm', [code])).toEqual({ kind: 'away', retryAfterMs: 60_000 });
  expect(await lab.run('readHorseForm', [code])).toEqual({ kind: 'away', retryAfterMs: 60_000 });
  const gate = lab.deps.client.workflow.getHandle(gateWorkflowId(REGISTRY));
  const runs = async () => (await gate.describe().catch(() => null))?.status.name === 'RUNNING';
  await waitFor(runs, PATIENT_MS);
  await gate.terminate('lost');
  expect(await lab.run('startGates', [])).toBe(1);
  expect(await runs()).toBe(true);

  const probe = (attempt: number) =>
    lab.run('probeRegistry', [REGISTRY], attempt).catch(({ nextRetryDelay }: ApplicationFailure) => nextRetryDelay);
  const door = async () => (await createReads(lab.db.pool).registryDoor(REGISTRY))!;
  expect(await probe(1)).toBe(MINUTE);
  expect((await door()).probedAt).toBeNull();
  const delays: unknown[] = [];
  for (const attempt of [2, 3, 4, 20]) {
    lab.clock.nowMs = Date.parse((await door()).retryAt!);
    delays.push(await probe(attempt));
  }
  expect(delays).toEqual([MINUTE, 2 * MINUTE, 4 * MINUTE, HOUR]);
  expect(await door()).toMatchObject({ state: 'walled', probedAt: new Date(lab.clock.nowMs).toISOString() });

  await challenge('DELETE');
  lab.clock.nowMs += HOUR;
  expect([await probe(21), await probe(22)]).toEqual(['read', 'was_open']);
  expect([await lab.run('readHorseForm', [code]), await lab.run('startGates', [])]).toEqual([{ kind: 'stored' }, 0]);

  await lab.deps.stores.doors.wall(
    REGISTRY,
    { at: new Date(lab.clock.nowMs).toISOString(), retryAt: null, note: 'HTTP 403' },
    false,
  );
  await lab.run('openRegistry', [{ registry: REGISTRY, reason: 'the site has called us' }]);
  expect(await door()).toMatchObject({ state: 'ok', note: 'opened by an operator: the site has called us' });
  redis.disconnect();
});
