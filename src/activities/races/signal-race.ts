// Signals to race workflows. A signal to a workflow that does not run is dropped, unless it is worth starting one.
import { WorkflowNotFoundError } from '@temporalio/client';
import type { RaceHeader } from '../../store/card/races';
import { abandonedElsewhere, lateFill, raceWorkflowId, WORKFLOWS } from '../../workflows/contract';
import { type ActivityDeps, instantNow } from '../deps';
import { raceArgs, raceStartOptions, type StartDeps } from './start-race';

/**
 * A full field was written for the race (A 3 "any fill"): its workflow reads the coverage again. False when the
 * workflow has ended, which is harmless: the row is complete without it.
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
export async function signalAbandoned(
  deps: StartDeps,
  header: RaceHeader,
  order: { readonly note: string; readonly version: number },
): Promise<void> {
  await deps.client.workflow.signalWithStart(WORKFLOWS.race, {
    ...raceStartOptions(header),
    args: await raceArgs(deps, header),
    signal: abandonedElsewhere,
    signalArgs: [order],
  });
}

/**
 * Orders every other race of the meeting abandoned that has not run, and signals it. Returns how many. `orderId`: the
 * same for every attempt, so that a repeated attempt does not undo a reinstatement.
 */
export async function abandonMeeting(
  deps: StartDeps,
  { raceId: ordered, note }: { readonly raceId: string; readonly note: string },
  orderId: string,
): Promise<number> {
  const { races, control } = deps.stores;
  let count = 0;
  for (const raceId of await races.meetingRaces(ordered)) {
    const header = raceId === ordered ? null : await races.raceHeader(raceId);
    if (!header || !hasNotRun(header)) continue;
    const order = { raceId, note, source: 'operator', order: orderId };
    const version = await control.orderAbandonment(order, instantNow(deps));
    await signalAbandoned(deps, header, { note, version });
    count += 1;
  }
  return count;
}

const hasNotRun = ({ phase }: RaceHeader): boolean => phase === 'card' || phase === 'live';
