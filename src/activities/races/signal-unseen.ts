// Signals to a race's workflow what the database has and it has not taken in: a start that moved, an abandonment
// ordered elsewhere. Called wherever the difference is read (each poll, discovery, the sweep), so a lost signal is
// repeated until the control row agrees.
import { WorkflowNotFoundError } from '@temporalio/client';
import type { RaceHeader } from '../../store/card/races';
import type { Abandonment, Unseen } from '../../store/polls/unseen';
import { abandonedElsewhere, raceWorkflowId, startMoved } from '../../workflows/contract';
import { type ActivityDeps, instantNow } from '../deps';
import { signalAbandoned } from './signal-race';
import type { StartDeps } from './start-race';

export type SignalDeps = StartDeps & Pick<ActivityDeps, 'log'>;

/** Wall time. A server that is away must not block anything. */
const SIGNAL_WITHIN_MS = 10_000;

/** Never rejects: false if a signal failed. */
export async function signalUnseen(deps: SignalDeps, raceId: string, unseen: Unseen): Promise<boolean> {
  try {
    await deps.client.withDeadline(Date.now() + SIGNAL_WITHIN_MS, () => signalAll(deps, raceId, unseen));
    return true;
  } catch (err) {
    deps.log.warn({ err, raceId, unseen }, 'a race was not signalled; it will be again');
    return false;
  }
}

/** Of every race, one after another. Returns how many were signalled. */
export async function signalAllUnseen(deps: SignalDeps): Promise<number> {
  let signalled = 0;
  for (const [raceId, unseen] of await deps.stores.control.unseen()) {
    if (await signalUnseen(deps, raceId, unseen)) signalled += 1;
  }
  return signalled;
}

async function signalAll(deps: SignalDeps, raceId: string, { start, abandonment }: Unseen): Promise<void> {
  if (start) await toRunning(() => deps.client.workflow.getHandle(raceWorkflowId(raceId)).signal(startMoved, start));
  const header = abandonment && (await deps.stores.races.raceHeader(raceId));
  if (header) await abandonRace(deps, header, abandonment);
}

/** A race without a workflow is started from stored data, which has the start. */
async function toRunning(signal: () => Promise<void>): Promise<boolean> {
  try {
    await signal();
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

/** If the workflow has ended and the race has left the board, writes the abandonment here. */
async function abandonRace(
  deps: SignalDeps,
  header: RaceHeader,
  { note, source, version }: Abandonment,
): Promise<void> {
  const { raceId } = header;
  const handle = deps.client.workflow.getHandle(raceWorkflowId(raceId));
  if (await toRunning(() => handle.signal(abandonedElsewhere, { note, version }))) return;
  if (header.leftBoardAt === null) return signalAbandoned(deps, header, { note, version });
  await deps.stores.results.abandon(raceId, note, source, instantNow(deps));
  await deps.stores.races.savePhase(raceId, 'abandoned', {}, instantNow(deps));
}
