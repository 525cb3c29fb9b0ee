// The gate of a registry that refuses us: the only caller left, with one page at growing intervals, until a page is
// read or an operator opens the door (D49).
import type { Client } from '@temporalio/client';
import { doorAt } from '../../domain/registry/door';
import { gateWorkflowId, QUEUES, WORKFLOWS } from '../../workflows/contract';
import { activitySignal, stillWanted } from '../activity-context';
import { type ActivityDeps, instantNow } from '../deps';
import { callAgainIn } from '../wait';

/** `was_open`: nothing refuses us any more, whoever opened the door. */
export type GateEnd = 'read' | 'was_open';

type GateDeps = Pick<ActivityDeps, 'now' | 'clock' | 'client' | 'probes'> & {
  readonly stores: Pick<ActivityDeps['stores'], 'doors'>;
};

export async function startGate(client: Client, registry: string): Promise<void> {
  await client.workflow.start(WORKFLOWS.gate, {
    workflowId: gateWorkflowId(registry),
    taskQueue: QUEUES.forms,
    args: [registry],
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
}

/** Race time. */
const MINUTE_MS = 60_000;
const LONGEST_MS = 60 * MINUTE_MS;

/** The first attempt finds the wall just met, and waits. */
const untilNextMs = (attempt: number): number => Math.min(LONGEST_MS, MINUTE_MS * 2 ** Math.max(0, attempt - 2));

/** Fails without an event, to be called again, as long as the registry refuses us. */
export async function probeRegistry(deps: GateDeps, registry: string, attempt: number): Promise<GateEnd> {
  const { doors } = deps.stores;
  const view = doorAt(await doors.read(registry), deps.now());
  if (view.state !== 'walled') return 'was_open';
  if (view.retryInMs) throw callAgainIn(deps, view.retryInMs, `${registry} refuses us`);
  const probe = deps.probes?.get(registry);
  if (!probe) throw callAgainIn(deps, LONGEST_MS, `${registry} has no address here`);
  const signal = activitySignal();
  const requestedAt = instantNow(deps);
  const reply = await probe(signal && { signal });
  stillWanted();
  if (reply.kind !== 'failed') {
    await doors.open(registry, instantNow(deps), requestedAt, null);
    return 'read';
  }
  const inMs = Math.max(untilNextMs(attempt), reply.retryAfterMs ?? 0);
  const retryAt = new Date(deps.now() + inMs).toISOString();
  await doors.wall(registry, { at: instantNow(deps), retryAt, note: reply.detail }, true);
  throw callAgainIn(deps, inMs, `${registry} refuses us: ${reply.reason}`);
}

export interface DoorOpened {
  readonly registry: string;
  readonly reason: string;
}

export async function openRegistry(deps: GateDeps, { registry, reason }: DoorOpened): Promise<void> {
  const at = instantNow(deps);
  await deps.stores.doors.open(registry, at, at, `opened by an operator: ${reason}`);
}

/** Makes up for gates whose start was lost. Returns how many registries refuse us. */
export async function startGates({ stores, client, probes }: GateDeps): Promise<number> {
  const walled = (await stores.doors.walled()).filter((registry) => probes?.has(registry));
  for (const registry of walled) await startGate(client, registry);
  return walled.length;
}
