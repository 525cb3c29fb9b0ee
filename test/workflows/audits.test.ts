// Audits on a time-skipping server: the sports of a run, and orders that come through the API.
import { Client, Connection, type WorkflowClientInterceptor, WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import type { Activities } from '../../src/activities';
import { createAuditRunner } from '../../src/api/operations/quality/audit-runner';
import { type AuditOrder, auditRunId } from '../../src/domain/quality/audit';
import { RACING_SPORTS } from '../../src/domain/race/sport';
import { loadWorkflowBundle } from '../../src/workers/workflow-bundle';
import type { auditQuality } from '../../src/workflows/checks';
import { QUEUES } from '../../src/workflows/contract';
import { PATIENT_MS } from '../support/patient';
import { waitFor } from '../support/servers/service';
import { openTimeSkipping, type TimeSkipping } from '../support/servers/time-skipping';

const REPORT = { verdict: 'ok', faults: 0, outliers: 0 } as const;
let server: TimeSkipping;
let logged: string[] = [];
const warn = (_: unknown, message: string) => void logged.push(message);
beforeAll(async () => {
  server = await openTimeSkipping();
});
afterAll(() => server.close());
beforeEach(() => {
  logged = [];
});

async function withAudits<T>(auditPrices: Activities['auditPrices'], work: () => Promise<T>): Promise<T> {
  const { env } = server;
  const common = { connection: env.nativeConnection, namespace: env.namespace ?? 'default' };
  const workers = [
    await Worker.create({ ...common, taskQueue: QUEUES.workflows, workflowBundle: await loadWorkflowBundle() }),
    await Worker.create({ ...common, taskQueue: QUEUES.io, activities: { auditPrices } }),
  ];
  const ended = Promise.all(workers.map((worker) => worker.run()));
  try {
    return await work();
  } finally {
    for (const worker of workers) worker.shutdown();
    await ended;
  }
}

test('each sport is its own run, the same at every attempt; a failed run does not stop the others', async () => {
  const orders: AuditOrder[] = [];
  const auditPrices: Activities['auditPrices'] = async (order) => {
    orders.push(order);
    if (order.sportKey === 'racing_horse') throw new Error('away');
    return REPORT;
  };
  await withAudits(auditPrices, async () => {
    const of = { workflowId: 'audit-quality', taskQueue: QUEUES.workflows, args: [RACING_SPORTS] } as const;
    const handle = await server.env.client.workflow.start<typeof auditQuality>('auditQuality', of);
    await expect(handle.result()).rejects.toThrow(WorkflowFailedError);
    const order = (sportKey: AuditOrder['sportKey']) => ({
      runId: auditRunId(handle.firstExecutionRunId, sportKey),
      sportKey,
    });
    const expected = RACING_SPORTS.flatMap((sport) => Array(sport === 'racing_horse' ? 3 : 1).fill(order(sport)));
    const byRun = (a: AuditOrder, b: AuditOrder) => (a.runId < b.runId ? -1 : 1);
    expect(orders.sort(byRun)).toEqual(expected.sort(byRun));
    expect(new Set(orders.map(({ runId }) => runId)).size).toBe(3);
  });
});

test('orders for one sport share a run in progress, and name it before it has ended', async () => {
  let begun = 0;
  let end = (): void => undefined;
  const auditPrices: Activities['auditPrices'] = async () => {
    begun += 1;
    await new Promise<void>((done) => {
      end = done;
    });
    return REPORT;
  };
  // A plain client: no time is skipped while it waits.
  const { connection, namespace = 'default' } = server.env;
  let ordered = 0;
  const counting: WorkflowClientInterceptor = {
    startWithDetails: async (input, next) => {
      const output = await next(input);
      ordered += 1;
      return output;
    },
  };
  const audits = createAuditRunner(new Client({ connection, namespace, interceptors: { workflow: [counting] } }), warn);
  await withAudits(auditPrices, async () => {
    const early = await audits.run('racing_harness', 200);
    expect(early).toEqual({ runId: expect.stringMatching(/^[0-9a-f-]{36}$/), failed: false });
    await waitFor(async () => begun === 1, PATIENT_MS);
    const both = Promise.all([audits.run('racing_harness', PATIENT_MS), audits.run('racing_harness', PATIENT_MS)]);
    await waitFor(async () => ordered === 3, PATIENT_MS);
    end();
    expect(await both).toEqual([early, early]);
    const next = audits.run('racing_harness', PATIENT_MS);
    await waitFor(async () => begun === 2, PATIENT_MS);
    end();
    expect((await next)!.runId).not.toBe(early!.runId);
  });
  expect(begun).toBe(2);
});

test('an order whose workflow fails is reported as failed', async () => {
  const auditPrices: Activities['auditPrices'] = async () => {
    throw ApplicationFailure.nonRetryable('no such relation');
  };
  const { connection, namespace = 'default' } = server.env;
  const audits = createAuditRunner(new Client({ connection, namespace }), warn);
  await withAudits(auditPrices, async () => {
    expect(await audits.run('racing_greyhound', PATIENT_MS)).toMatchObject({ failed: true });
  });
  expect(logged).toEqual(['an ordered audit did not end well']);
});

test('while Temporal is away no run is ordered, and the log has the reason', async () => {
  const connection = Connection.lazy({ address: '127.0.0.1:1', connectTimeout: 200, interceptors: [] });
  expect(await createAuditRunner(new Client({ connection }), warn).run('racing_horse', 200)).toBeNull();
  expect(logged).toEqual(['an audit could not be ordered']);
  await connection.close();
});
