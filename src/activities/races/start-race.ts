// Starts one race's workflow: from the beginning, or from the race's stored state if there is any.
import { WorkflowExecutionAlreadyStartedError, type WorkflowStartOptions } from '@temporalio/client';
import { restoreRace } from '../../domain/lifecycle/restore-race';
import { aetClock } from '../../domain/time/aet';
import type { RaceHeader } from '../../store/card/races';
import { QUEUES, type RaceCarry, type RaceInput, raceWorkflowId, WORKFLOWS } from '../../workflows/contract';
import { type ActivityDeps, instantNow } from '../deps';

export type StartDeps = Pick<ActivityDeps, 'client' | 'clock' | 'now' | 'heartbeatTimeoutMs'> & {
  readonly stores: Pick<ActivityDeps['stores'], 'races' | 'control' | 'results'>;
};

type RaceArgs = [RaceInput, RaceCarry | null];

/** False when the race has a running workflow. The store leaves out races that ended by their own rules. */
export async function startRace(deps: StartDeps, header: RaceHeader): Promise<boolean> {
  const args = await raceArgs(deps, header);
  try {
    await deps.client.workflow.start(WORKFLOWS.race, {
      ...raceStartOptions(header),
      args,
      workflowIdConflictPolicy: 'FAIL',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

export const raceStartOptions = (header: RaceHeader) =>
  ({
    workflowId: raceWorkflowId(header.raceId),
    taskQueue: QUEUES.workflows,
    staticSummary: raceTitle(header),
  }) satisfies Partial<WorkflowStartOptions>;

/** `Flemington R3 · horse · 14:10 AEDT`. */
function raceTitle({ venueCanonical, identity, startTime }: RaceHeader): string {
  return `${venueCanonical} R${identity.raceNumber} · ${identity.category} · ${aetClock(Date.parse(startTime))}`;
}

export async function raceArgs(deps: StartDeps, header: RaceHeader): Promise<RaceArgs> {
  const { raceId } = header;
  const input: RaceInput = {
    raceId,
    meetingDate: header.identity.meetingDate,
    category: header.identity.category,
    country: header.country,
    venue: header.venueCanonical,
    raceNumber: header.identity.raceNumber,
    advertisedStart: header.startTime,
    startVersion: header.startVersion,
    clock: deps.clock,
    ...(deps.heartbeatTimeoutMs !== undefined && { heartbeatTimeoutMs: deps.heartbeatTimeoutMs }),
  };
  const row = await deps.stores.control.readControl(raceId);
  if (!row) return [input, null];
  const { epoch, abandonmentVersion } = row;
  const stored = await deps.stores.results.read(raceId);
  const state = restoreRace(
    { ...input, at: instantNow(deps) },
    { ...header, epoch, abandonmentVersion, result: stored },
  );
  return [input, { state, story: [], inbox: [] }];
}
