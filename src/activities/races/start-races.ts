// Starts a workflow for every race that is near and has none: newly discovered races, and workflows that should run and do not.
// Starts are spread over time, because hundreds at one instant starve the pollers.
import { setTimeout as delay } from 'node:timers/promises';
import type { RaceHeader } from '../../store/card/races';
import { raceWorkflowId, WORKFLOWS } from '../../workflows/contract';
import { type ActivityDeps, instantNow } from '../deps';
import { LONG_AGO_MS, seekResults } from './seek-results';
import { signalAllUnseen } from './signal-unseen';
import { startRace } from './start-race';

const HOUR_MS = 3_600_000;
const AHEAD_MS = 26 * HOUR_MS;
const MOST_RACES = 5000;
/** Twenty a second. */
const BETWEEN_STARTS_MS = 50;

export interface StartReport {
  readonly missing: number;
  readonly started: number;
}

export async function startRaces(deps: ActivityDeps): Promise<StartReport> {
  const running = await runningRaces(deps);
  const unfinished = await deps.stores.races.unfinishedRaces(instantNow(deps), MOST_RACES);
  const missing = unfinished.filter((raceId) => !running.has(raceWorkflowId(raceId)));
  await signalAllUnseen(deps);
  let started = 0;
  for (const raceId of missing) {
    const header = await deps.stores.races.raceHeader(raceId);
    if (!header || !isWanted(header, deps.now()) || !(await startRace(deps, header))) continue;
    started += 1;
    await delay(BETWEEN_STARTS_MS);
  }
  await seekResults(deps);
  return { missing: missing.length, started };
}

/** Near enough to be polled, or past the card phase and not finished: a race that was polled is followed to its end. */
function isWanted(header: RaceHeader, nowMs: number): boolean {
  const startMs = Date.parse(header.startTime);
  if (header.phase !== 'card') return true;
  return startMs < nowMs + AHEAD_MS && startMs > nowMs - LONG_AGO_MS;
}

async function runningRaces({ client }: ActivityDeps): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  const query = `WorkflowType = "${WORKFLOWS.race}" AND ExecutionStatus = "Running"`;
  for await (const { workflowId } of client.workflow.list({ query })) ids.add(workflowId);
  return ids;
}
