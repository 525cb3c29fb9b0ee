// Two builds of the workers side by side on the real server (decision 0015): which build gets which work, and the
// rollback of a build that does not fit the histories of running races.
import type { Client } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import { unfit } from '../../../scripts/gameday/causes/unfit-bundle.mjs';
import { promote, ramp, readBuilds } from '../../../src/ops/builds/routing';
import { readQueues } from '../../../src/temporal-queues';
import { versionOf } from '../../../src/workers/create-workers';
import { readPromotion, whilePromoted } from '../../../src/workers/promotion';
import { unservedQueues } from '../../../src/workers/unserved-queues';
import { loadWorkflowBundle } from '../../../src/workers/workflow-bundle';
import { DEPLOYMENT, QUEUES, raceWorkflowId, startMoved, WORKFLOWS } from '../../../src/workflows/contract';
import type { race } from '../../../src/workflows/race';
import { PATIENT_MS } from '../../support/patient';
import { raceInput } from '../../support/races/race-input';
import { installQuietRuntime } from '../../support/servers/quiet-runtime';
import { waitFor } from '../../support/servers/service';
import { createTestNamespace, type TestNamespace } from '../../support/servers/temporal';

const HOUR_MS = 3_600_000;
const STARTS_MS = Math.ceil(Date.now() / 1000) * 1000 + 8 * HOUR_MS;
const RACES = 16;
const ADVERTISED_START = defineSearchAttributeKey('AdvertisedStart', SearchAttributeType.DATETIME);
const SERVED: readonly string[] = [QUEUES.workflows, QUEUES.decisions, QUEUES.poll, QUEUES.io];

let temporal: TestNamespace;
let client: Client;
let connection: NativeConnection;
const workers: Worker[] = [];
const running: Promise<void>[] = [];
/** The builds whose worker ran the probe, and the one probe that continues until it is released. */
const probed: string[] = [];
let letGo: () => void = () => undefined;
const gone = new Promise<void>((resolve) => {
  letGo = resolve;
});

async function runBuild(build: string | null, code: string, queues: readonly string[] = SERVED): Promise<void> {
  const activities = {
    carryOut: async () => null,
    pollLive: async () => ({ kind: 'superseded' }),
    pollCard: async () => {
      throw new Error('no book has it');
    },
    probeUptime: async () => {
      probed.push(build ?? 'none');
      if (probed.length === 1) await gone;
    },
  };
  for (const taskQueue of queues) {
    const worker = await Worker.create({
      connection,
      namespace: temporal.namespace,
      taskQueue,
      shutdownForceTime: '10s',
      ...(build !== null && { workerDeploymentOptions: versionOf(build) }),
      ...(taskQueue === QUEUES.workflows ? { workflowBundle: { code } } : { activities }),
    });
    workers.push(worker);
    running.push(worker.run());
  }
  // A build can take over once the server has registered every queue of it.
  await waitFor(async () => {
    const polled = await readQueues(client, queues);
    if (build === null) return polled.every(({ builds }) => builds.has(null));
    const noted = await queuesOf(build).catch((): readonly unknown[] => []);
    return queues.every((queue) => noted.includes(queue));
  }, PATIENT_MS);
}

/** The work that processes do by themselves, by build: whose work is running now, and how often it started. */
const atWork = new Set<string>();
const begun: Record<string, number> = {};
const stopAll = new AbortController();
const following: Promise<void>[] = [];

function follow(build: string | null): void {
  const name = build ?? 'none';
  const own = { build, read: () => readPromotion(client), everyMs: 50, stop: stopAll.signal };
  following.push(
    whilePromoted(own, async (until) => {
      atWork.add(name);
      begun[name] = (begun[name] ?? 0) + 1;
      await new Promise((resolve) => until.addEventListener('abort', resolve, { once: true }));
      atWork.delete(name);
    }),
  );
}

const onlyAtWork = (name: string) =>
  waitFor(async () => atWork.size === 1 && atWork.has(name), PATIENT_MS).catch(() =>
    expect([...atWork]).toEqual([name]),
  );

async function queuesOf(buildId: string): Promise<readonly unknown[]> {
  const { workerDeploymentVersionInfo: info } = await client.workflowService.describeWorkerDeploymentVersion({
    namespace: temporal.namespace,
    deploymentVersion: { deploymentName: DEPLOYMENT, buildId },
  });
  return (info?.taskQueueInfos ?? []).map(({ name }) => name);
}

const handles = () => Array.from({ length: RACES }, (_, n) => client.workflow.getHandle(raceWorkflowId(`race-${n}`)));
const stateOf = async (build: string) => (await readBuilds(client)).find((each) => each.build === build);
const buildOf = async (id: string) => {
  const { raw } = await client.workflow.getHandle(id).describe();
  return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId ?? null;
};

/** Sends every race a newer start; resolves immediately. */
async function moveAll(version: number): Promise<void> {
  const advertisedStart = startOf(version);
  for (const handle of handles()) await handle.signal(startMoved, { advertisedStart, version });
}

const startOf = (version: number): string => new Date(STARTS_MS + version * 60_000).toISOString();

/**
 * The races that have processed the start of this version, and those that have not, with the attempt of their open
 * task.
 */
async function progress(version: number): Promise<{ moved: number; attempts: readonly number[] }> {
  const races = await Promise.all(handles().map((handle) => handle.describe()));
  const others = races.filter(
    ({ typedSearchAttributes }) => typedSearchAttributes.get(ADVERTISED_START)?.toISOString() !== startOf(version),
  );
  return {
    moved: races.length - others.length,
    attempts: others.map(({ raw }) => raw.pendingWorkflowTask?.attempt ?? 0),
  };
}

const moved = async (version: number): Promise<number> => (await progress(version)).moved;

/** No race has an open task that was tried before. */
async function noneIsTriedAgain(): Promise<boolean> {
  const races = await Promise.all(handles().map((handle) => handle.describe()));
  return races.every(({ raw }) => (raw.pendingWorkflowTask?.attempt ?? 0) <= 1);
}

beforeAll(async () => {
  installQuietRuntime();
  temporal = await createTestNamespace();
  ({ client } = temporal);
  connection = await NativeConnection.connect({ address: temporal.address });
  for (const build of [null, 'one', 'two']) follow(build);
});

afterAll(async () => {
  letGo();
  stopAll.abort();
  await Promise.all(following);
  for (const handle of handles()) await handle.terminate().catch(() => undefined);
  for (const worker of workers) worker.shutdown();
  await Promise.all(running);
  await connection.close();
  await temporal.close();
});

test('a build gets no work before its promotion, and its queues count as unserved', async () => {
  await expect(readBuilds(client)).rejects.toThrow('No worker has started with a WORKER_BUILD_ID yet.');
  const { code } = await loadWorkflowBundle();
  await runBuild('one', code);
  expect(await stateOf('one')).toEqual({ build: 'one', state: 'new', share: 0 });
  await onlyAtWork('none');
  expect(await unservedQueues(client, [])).toEqual(expect.arrayContaining([...SERVED]));
  await expect(ramp(client, 'one', 5)).rejects.toThrow('promote this one');
  expect(await promote(client, 'one')).toBe(true);
  expect(await promote(client, 'one')).toBe(false);
  await onlyAtWork('one');
  await waitFor(async () => !(await unservedQueues(client, [])).some((queue) => SERVED.includes(queue)), PATIENT_MS);
  for (let n = 0; n < RACES; n += 1) {
    await client.workflow.start<typeof race>(WORKFLOWS.race, {
      workflowId: raceWorkflowId(`race-${n}`),
      taskQueue: QUEUES.workflows,
      args: [raceInput(`race-${n}`, STARTS_MS)],
    });
  }
  await moveAll(2);
  await waitFor(async () => (await moved(2)) === RACES, PATIENT_MS);
});

test('a build that fits no history fails its share of the races only, and none is lost on the way back', async () => {
  const { code } = await loadWorkflowBundle();
  await runBuild('unfit', unfit(code));
  expect(await ramp(client, 'unfit', 50)).toBe(true);
  expect(await ramp(client, 'unfit', 50)).toBe(false);
  expect(await stateOf('one')).toMatchObject({ state: 'promoted', share: 50 });
  await moveAll(3);
  // On a machine that stands still a task may time out too, and a build that fits retries it: those races move on.
  await waitFor(async () => {
    const { moved: some, attempts } = await progress(3);
    return some > 0 && attempts.length > 0 && attempts.every((attempt) => attempt > 1);
  }, PATIENT_MS);
  expect(await promote(client, 'one')).toBe(true);
  await waitFor(async () => (await moved(3)) === RACES, PATIENT_MS);
  await waitFor(noneIsTriedAgain, PATIENT_MS);
  expect(await stateOf('unfit')).toMatchObject({ share: 0 });
  // A withdrawn share is not a promotion.
  expect(begun).toEqual({ none: 1, one: 1 });
  for (const handle of handles()) expect(await buildOf(handle.workflowId)).toBe('one');
});

test('races change over to a promoted build, and short work ends where it began', async () => {
  await client.workflow.start('measureUptime', { workflowId: 'early', taskQueue: QUEUES.workflows });
  await waitFor(async () => probed.length === 1, PATIENT_MS);
  const { code } = await loadWorkflowBundle();
  await runBuild('two', code);
  await promote(client, 'two');
  await onlyAtWork('two');
  await moveAll(4);
  await waitFor(async () => (await moved(4)) === RACES, PATIENT_MS);
  for (const handle of handles()) expect(await buildOf(handle.workflowId)).toBe('two');
  await client.workflow.execute('measureUptime', { workflowId: 'late', taskQueue: QUEUES.workflows });
  letGo();
  await client.workflow.getHandle('early').result();
  expect(await buildOf('early')).toBe('one');
  expect(await buildOf('late')).toBe('two');
  expect(probed).toEqual(['one', 'two']);
});

test('an unknown build, or one without a queue, takes nothing over', async () => {
  await expect(promote(client, 'three')).rejects.toThrow(
    'No worker has started with WORKER_BUILD_ID=three. Builds are: two, unfit, one.',
  );
  await expect(ramp(client, 'two', 5)).rejects.toThrow('Build two is promoted');
  const { code } = await loadWorkflowBundle();
  await runBuild('half', code, [QUEUES.workflows]);
  await expect(promote(client, 'half')).rejects.toThrow(
    'No worker of build half polls racing-poll, racing-io, racing-decisions: start its workers first.',
  );
  await expect(ramp(client, 'half', 5)).rejects.toThrow('No worker of build half polls');
  expect(await stateOf('two')).toMatchObject({ state: 'promoted', share: 100 });
});

test('all work returns to workers without a build once there are some', async () => {
  await expect(promote(client, null)).rejects.toThrow('No worker without a build polls racing-workflows');
  const { code } = await loadWorkflowBundle();
  await runBuild(null, code);
  expect(await promote(client, null)).toBe(true);
  expect(await promote(client, null)).toBe(false);
  await onlyAtWork('none');
  expect(begun).toEqual({ none: 2, one: 1, two: 1 });
  await moveAll(5);
  await waitFor(async () => (await moved(5)) === RACES, PATIENT_MS);
  expect((await unservedQueues(client, [])).filter((queue) => SERVED.includes(queue))).toEqual([]);
});
