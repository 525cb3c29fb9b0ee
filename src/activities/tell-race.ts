// Messages to race workflows. One that is not running has nothing to be told, unless the message is worth starting it again for.
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Instant } from '../domain/race';
import type { RaceHeader } from '../store/store';
import { abandonedElsewhere, lateFill, raceWorkflowId, startMoved, WORKFLOWS } from '../workflows/contract';
import type { ActivityDeps } from './deps';
import { raceArgs, raceStartOptions } from './start-race';

export async function tellStartMoved(
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

type WakeDeps = Parameters<typeof raceArgs>[0];

/**
 * A full field was written for the race, by hand or long after (A 3 "any fill"): its workflow re-reads the coverage, and is started
 * again where it has ended. False when no such race is known.
 */
export async function notifyLateFill(deps: WakeDeps, raceId: string): Promise<boolean> {
  const header = await deps.stores.races.raceHeader(raceId);
  if (!header) return false;
  await deps.client.workflow.signalWithStart(WORKFLOWS.race, {
    ...raceStartOptions(header),
    args: await raceArgs(deps, header),
    signal: lateFill,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  });
  return true;
}

/** Tells every other race of the meeting that has not run that the meeting is off. */
export async function abandonMeeting(deps: ActivityDeps, order: { raceId: string; note: string }): Promise<number> {
  const siblings = (await deps.stores.races.meetingRaces(order.raceId)).filter((raceId) => raceId !== order.raceId);
  let told = 0;
  for (const raceId of siblings) {
    const header = await deps.stores.races.raceHeader(raceId);
    if (!header || !hasNotRun(header)) continue;
    await deps.client.workflow.signalWithStart(WORKFLOWS.race, {
      ...raceStartOptions(header),
      args: await raceArgs(deps, header),
      signal: abandonedElsewhere,
      signalArgs: [{ note: order.note }],
    });
    told += 1;
  }
  return told;
}

const hasNotRun = ({ phase }: RaceHeader): boolean => phase === 'card' || phase === 'live';
