// An operator's placings (A 3: the only way out of `final`), at any time: a race whose workflow has ended is started
// again from stored data. The workflow checks and carries out the order; nothing is written here.
import { WithStartWorkflowOperation, WorkflowUpdateFailedError } from '@temporalio/client';
import { raceArgs, raceStartOptions, type StartDeps } from '../../activities/races/start-race';
import type { FeedPlacing } from '../../domain/race/feed-race';
import { collectDeps } from '../../wiring/collecting';
import type { Wiring } from '../../wiring/service';
import { overrideResult, WORKFLOWS } from '../../workflows/contract';
import { Mistake, requireRace } from '../command';
import { withTemporal } from '../temporal';

const ORDER = /^\d{1,2}([,=]\d{1,2})*$/;

/** `4,2=7,1`: 4 won, 2 and 7 dead heated for second, 1 was fourth. Throws a sentence for anything else. */
export function placingsIn(order: string): readonly FeedPlacing[] {
  if (!ORDER.test(order))
    throw new Mistake(`'${order}' is no order of finish: 4,2=7,1 has 2 and 7 in a dead heat for second.`);
  const ranks = order.split(',').map((rank) => rank.split('=').map(Number));
  return ranks.flatMap((numbers, i) => {
    const position = 1 + ranks.slice(0, i).flat().length;
    return numbers.map((number) => ({ position, number, name: null }));
  });
}

/** Resolves when the placings are written. */
export async function orderOverride(
  deps: StartDeps,
  raceId: string,
  placings: readonly FeedPlacing[],
  note: string | null,
): Promise<void> {
  const header = await deps.stores.races.raceHeader(raceId);
  if (!header) throw new Mistake(`There is no race ${raceId}.`);
  const startWorkflowOperation = new WithStartWorkflowOperation(WORKFLOWS.race, {
    ...raceStartOptions(header),
    args: await raceArgs(deps, header),
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  try {
    await deps.client.workflow.executeUpdateWithStart(overrideResult, {
      args: [{ placings, note }],
      startWorkflowOperation,
    });
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError) throw new Mistake((error.cause ?? error).message);
    throw error;
  }
}

/** Returns one line for the operator. */
export async function override(wiring: Wiring, raceId: string, order: string, note: string | null): Promise<string> {
  const placings = placingsIn(order);
  await requireRace(wiring, raceId);
  await withTemporal(wiring, (client) => orderOverride(collectDeps(wiring, client), raceId, placings, note));
  return `the placings of ${raceId} are set to ${order} and become final after 30 minutes`;
}
