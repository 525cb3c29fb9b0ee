// Temporal's record of the worker that polls a race: which process, which attempt, and why the previous attempt ended.
// Every instant is the server's own.
import { tsToMs } from '@temporalio/common/lib/time';
import { raceWorkflowId } from '../../src/workflows/contract';
import { PATIENT_MS } from '../support/patient';
import { type Service, type ServiceProcess, waitFor } from '../support/servers/service';

interface Poller {
  readonly pid: number;
  readonly attempt: number;
  readonly startedMs: number;
  readonly heartbeatMs: number;
  /** Why the previous attempt ended; undefined at the first. */
  readonly after: string | undefined;
}

export interface Takeover {
  readonly lost: Poller;
  readonly next: Poller;
  /** The race workflow's heartbeat timeout. */
  readonly heartbeatTimeoutMs: number;
}

/** From the server's API. */
const STARTED = 2;
const HEARTBEAT = 4;

/** Null while no worker polls the race. */
async function pollerOf({ temporal }: Service, raceId: string): Promise<Poller | null> {
  const { raw } = await temporal.client.workflow.getHandle(raceWorkflowId(raceId)).describe();
  const pending = raw.pendingActivities?.find((each) => each.activityType?.name === 'pollLive');
  const pid = Number(pending?.lastWorkerIdentity?.split('@')[0]);
  if (pending?.state !== STARTED || !(pid > 0)) return null;
  const { timeoutFailureInfo: timeout, applicationFailureInfo: failure } = pending.lastFailure ?? {};
  const after = timeout?.timeoutType === HEARTBEAT ? 'missed heartbeat' : (failure?.type ?? undefined);
  const [startedMs, heartbeatMs] = [pending.lastStartedTime, pending.lastHeartbeatTime].map((at) => tsToMs(at ?? {}));
  return { pid, attempt: pending.attempt!, startedMs: startedMs!, heartbeatMs: heartbeatMs!, after };
}

/**
 * Ends the worker that polls the race and waits until another one has it. The ended worker is removed from `workers`.
 */
export async function loseWorker(
  service: Service,
  workers: ServiceProcess[],
  raceId: string,
  signal: 'SIGKILL' | 'SIGTERM',
): Promise<Takeover> {
  const lost = await waitFor(() => pollerOf(service, raceId), PATIENT_MS);
  const [victim] = workers.splice(
    workers.findIndex(({ pid }) => pid === lost.pid),
    1,
  );
  const ending = victim!.kill(signal);
  const next = await waitFor(async () => {
    const now = await pollerOf(service, raceId);
    return now?.pid === lost.pid ? null : now;
  }, PATIENT_MS);
  await ending;
  return { lost, next, heartbeatTimeoutMs: await heartbeatTimeoutMs(service, raceId) };
}

async function heartbeatTimeoutMs({ temporal }: Service, raceId: string): Promise<number> {
  const { events } = await temporal.client.workflow.getHandle(raceWorkflowId(raceId)).fetchHistory();
  const ordered = events!
    .map((event) => event.activityTaskScheduledEventAttributes)
    .find((order) => order?.activityType?.name === 'pollLive');
  return tsToMs(ordered!.heartbeatTimeout!);
}
