// Signals to race workflows. A signal to a workflow that does not run is dropped, unless it is worth starting one.
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Instant } from '../../domain/race/race';
import type { RaceHeader } from '../../store/card/races';
import { abandonedElsewhere, lateFill, raceWorkflowId, startMoved, WORKFLOWS } from '../../workflows/contract';
import type { ActivityDeps } from '../deps';
import { raceArgs, raceStartOptions, type StartDeps } from './start-race';

export async function signalStartMoved(
  deps: Pick<ActivityDeps, 'client'>,
  raceId: string,
  advertisedStart: Instant,
  version: number,
): Promise<void> {
  try {
    await deps.client.workflow.getHandle(raceWorkflowId(raceId)).signal(startMoved, { advertisedStart, version });
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/**
 * A full field was written for the race (A 3 "any fill"): its workflow reads the coverage again. False when the workflow has ended, which is
 * harmless: the row is complete without it.
 */
export async function signalLateFill({ client }: Pick<ActivityDeps, 'client'>, raceId: string): Promise<boolean> {
  try {
    await client.workflow.getHandle(raceWorkflowId(raceId)).signal(lateFill);
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

/** The race's result may become final: signals its workflow, and starts it again from stored data if it has ended. */
export async function reopenForResult(deps: StartDeps, raceId: string): Promise<void> {
  const header = await deps.stores.races.raceHeader(raceId);
  if (!header) return;
  const args = await raceArgs(deps, header);
  await deps.client.workflow.signalWithStart(WORKFLOWS.race, { ...raceStartOptions(header), args, signal: lateFill });
}

/** Signals that the race does not run, and starts its workflow if there is none. */
export async function signalAbandoned(deps: StartDeps, header: RaceHeader, note: string): Promise<void> {
  await deps.client.workflow.signalWithStart(WORKFLOWS.race, {
    ...raceStartOptions(header),
    args: await raceArgs(deps, header),
    signal: abandonedElsewhere,
    signalArgs: [{ note }],
  });
}

/** Signals the abandonment to every other race of the meeting that has not run. Returns how many. */
export async function abandonMeeting(deps: ActivityDeps, order: { raceId: string; note: string }): Promise<number> {
  const siblings = (await deps.stores.races.meetingRaces(order.raceId)).filter((raceId) => raceId !== order.raceId);
  let count = 0;
  for (const raceId of siblings) {
    const header = await deps.stores.races.raceHeader(raceId);
    if (!header || !hasNotRun(header)) continue;
    await signalAbandoned(deps, header, order.note);
    count += 1;
  }
  return count;
}

const hasNotRun = ({ phase }: RaceHeader): boolean => phase === 'card' || phase === 'live';
