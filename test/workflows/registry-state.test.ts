// Workflows of the registry on one time-skipping server: a state's documents, the gate of a registry that refuses us, a
// customer's form page.
import { Client, type WorkflowClientInterceptor, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import type { Activities } from '../../src/activities';
import { createFormReader } from '../../src/api/operations/form/form-reader';
import { REGISTRY_STATES } from '../../src/domain/registry/registry';
import { loadWorkflowBundle } from '../../src/workers/workflow-bundle';
import { forceOpen, gateWorkflowId, QUEUES } from '../../src/workflows/contract';
import type { registryGate } from '../../src/workflows/registry/registry-gate';
import type { registryState } from '../../src/workflows/registry/registry-state';
import { PATIENT_MS } from '../support/patient';
import { waitFor } from '../support/servers/service';
import { openTimeSkipping, type TimeSkipping } from '../support/servers/time-skipping';

let server: TimeSkipping;
beforeAll(async () => {
  server = await openTimeSkipping();
});
afterAll(() => server.close());

test('a failed state is tried three times and does not stop the others, one after another; the run then fails and names it', async () => {
  const calls: string[] = [];
  let running = 0;
  const readRegistry = async (state: string) => {
    calls.push(state);
    expect(++running).toBe(1);
    await new Promise((done) => setImmediate(done));
    running -= 1;
    if (state === 'VIC') throw new Error('away');
  };
  const { env } = server;
  const common = { connection: env.nativeConnection, namespace: env.namespace ?? 'default' };
  const workers = [
    await Worker.create({ ...common, taskQueue: QUEUES.workflows, workflowBundle: await loadWorkflowBundle() }),
    await Worker.create({ ...common, taskQueue: QUEUES.io, activities: { readRegistry } }),
  ];
  const ended = Promise.all(workers.map((worker) => worker.run()));
  const run = env.client.workflow.execute<typeof registryState>('registryState', {
    workflowId: 'registry-state',
    taskQueue: QUEUES.workflows,
  });
  await expect(run).rejects.toMatchObject({ cause: { message: 'not read: VIC' } });
  for (const worker of workers) worker.shutdown();
  await ended;
  expect(calls).toEqual(REGISTRY_STATES.flatMap((state) => (state === 'VIC' ? [state, state, state] : [state])));
});

/** One Worker has the workflows and the activities of forms, as in production. */
async function withForms<T>(activities: Partial<Activities>, work: () => Promise<T>): Promise<T> {
  const { env } = server;
  const worker = await Worker.create({
    connection: env.nativeConnection,
    namespace: env.namespace ?? 'default',
    taskQueue: QUEUES.forms,
    workflowBundle: await loadWorkflowBundle(),
    activities,
  });
  return worker.runUntil(work);
}

const gateOf = (registry: string) =>
  server.env.client.workflow.start<typeof registryGate>('registryGate', {
    workflowId: gateWorkflowId(registry),
    taskQueue: QUEUES.forms,
    args: [registry],
  });

const DAY_MS = 86_400_000;
const stillWalled = (): ApplicationFailure =>
  ApplicationFailure.create({ type: 'NothingYet', message: 'HTTP 403', nextRetryDelay: DAY_MS });

test('a registry that refuses us for thirty days is probed throughout and leaves a short history', async () => {
  let probes = 0;
  const probeRegistry = async () => {
    if (probes++ < 30) throw stillWalled();
    return 'read' as const;
  };
  await withForms({ probeRegistry }, async () => {
    const gate = await gateOf('walled_for_long');
    await gate.result();
    const { events } = await gate.fetchHistory();
    expect([probes, events!.length < 25]).toEqual([31, true]);
  });
});

test('an operator opens the door once, with a reason, and the gate ends without another probe', async () => {
  const opened: unknown[] = [];
  let probes = 0;
  let tried = (): void => undefined;
  const firstTry = new Promise<void>((done) => {
    tried = done;
  });
  const activities = {
    probeRegistry: async () => {
      probes += 1;
      tried();
      throw stillWalled();
    },
    openRegistry: async (of: unknown) => void opened.push(of),
  };
  await withForms(activities, async () => {
    const gate = await gateOf('opened');
    await firstTry;
    const blank = gate.executeUpdate(forceOpen, { args: [{ reason: ' ' }] });
    await expect(blank).rejects.toThrow(WorkflowUpdateFailedError);
    await gate.executeUpdate(forceOpen, { args: [{ reason: 'the site has called us' }] });
    await gate.result();
  });
  expect(opened).toEqual([{ registry: 'opened', reason: 'the site has called us' }]);
  expect(probes).toBe(1);
});

test('customers who want one page share one reading, and a customer who cannot wait leaves it to the others', async () => {
  const read: string[] = [];
  let answer = (): void => undefined;
  const answered = new Promise<void>((done) => {
    answer = done;
  });
  const readHorseForm = async (code: string) => {
    read.push(code);
    await answered;
    return code === '1' ? ({ kind: 'stored' } as const) : ({ kind: 'away', retryAfterMs: 7 } as const);
  };
  // A plain client: no time is skipped while a page is being read.
  const { connection, namespace = 'default' } = server.env;
  let requests = 0;
  const counting: WorkflowClientInterceptor = {
    startWithDetails: async (input, next) => {
      const output = await next(input);
      requests += 1;
      return output;
    },
  };
  const forms = createFormReader(new Client({ connection, namespace, interceptors: { workflow: [counting] } }));
  await withForms({ readHorseForm }, async () => {
    expect(await forms.read('1', 200)).toEqual({ kind: 'away', retryAfterMs: 10_000 });
    const before = requests;
    const readings = Promise.all([
      forms.read('1', PATIENT_MS),
      forms.read('1', PATIENT_MS),
      forms.read('2', PATIENT_MS),
    ]);
    await waitFor(async () => requests === before + 3, PATIENT_MS);
    answer();
    expect(await readings).toEqual([{ kind: 'stored' }, { kind: 'stored' }, { kind: 'away', retryAfterMs: 7 }]);
  });
  expect(read.sort()).toEqual(['1', '2']);
});
