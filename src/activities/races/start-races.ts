// Starts a workflow for every race that is near and has none: newly discovered races, and workflows that should be
// running. The races nearest to now come first; a race that cannot be started does not delay others.
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { UnfinishedRace } from '../../store/card/races';
import { raceIdOf, WORKFLOWS } from '../../workflows/contract';
import { type ActivityDeps, instantNow } from '../deps';
import { LONG_AGO_MS, seekResults } from './seek-results';
import { signalAllUnseen } from './signal-unseen';
import { startRace } from './start-race';
import { inSweepOrder, isUrgent } from './sweep-order';

const HOUR_MS = 3_600_000;
const AHEAD_MS = 26 * HOUR_MS;
/**
 * Each pauses after a start, because hundreds at one instant starve the pollers: a hundred starts a second at most, and
 * twenty of races that are not urgent, which would delay the first decisions of the urgent ones.
 */
const IN_FLIGHT = 20;
const URGENT_REST_MS = 200;
const REST_MS = 1000;
/** This many failures, or more than half, are not the fault of a race: the sweep fails and is repeated. */
const MOST_FAILURES = 100;

export interface StartReport {
  readonly missing: number;
  readonly started: number;
  /** Absent in the report of an older version. */
  readonly failed?: number;
}

export interface SweepHost {
  readonly signal: AbortSignal;
  heartbeat(details: SweepProgress): void;
}

/** Heartbeat details, for an operator to read under the pending activity. */
export interface SweepProgress {
  readonly missing: number;
  readonly handled: number;
}

export async function startRaces(deps: ActivityDeps, host: SweepHost): Promise<StartReport> {
  const { races } = deps.stores;
  const nowMs = deps.now();
  const unfinished = await races.unfinishedRaces(instantNow(deps), await runningRaces(deps, host));
  const missing = inSweepOrder(
    unfinished.filter((race) => isWanted(race, nowMs)),
    nowMs,
  );
  const counts = { handled: 0, started: 0, failed: 0 };
  // One listener per lane: more than Node expects of a signal.
  setMaxListeners(0, host.signal);
  const next = missing.values();
  const lane = async (): Promise<void> => {
    for (const race of next) {
      host.signal.throwIfAborted();
      const restMs = isUrgent(race, nowMs) ? URGENT_REST_MS : REST_MS;
      if (await startOne(deps, race.raceId, counts)) await delay(restMs, undefined, { signal: host.signal });
      counts.handled += 1;
      host.heartbeat({ missing: missing.length, handled: counts.handled });
    }
  };
  await signalAllUnseen(deps);
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  await seekResults(deps, () => host.heartbeat({ missing: missing.length, handled: counts.handled }));
  if (counts.failed * 2 > missing.length)
    throw new Error(`${counts.failed} of ${missing.length} races could not be started`);
  return { missing: missing.length, started: counts.started, failed: counts.failed };
}

async function startOne(deps: ActivityDeps, raceId: string, counts: { started: number; failed: number }) {
  try {
    const header = await deps.stores.races.raceHeader(raceId);
    const started = header !== null && (await startRace(deps, header));
    if (started) counts.started += 1;
    return started;
  } catch (err) {
    counts.failed += 1;
    if (counts.failed > MOST_FAILURES) throw err;
    deps.log.warn({ err, raceId }, 'a race could not be started: the next sweep tries again');
    return false;
  }
}

/** Near enough to be polled, or past the card phase and not finished: a race that was polled is followed to its end. */
function isWanted({ phase, startTime }: UnfinishedRace, nowMs: number): boolean {
  const startMs = Date.parse(startTime);
  if (phase !== 'card') return true;
  return startMs < nowMs + AHEAD_MS && startMs > nowMs - LONG_AGO_MS;
}

const PAGE = 1000;

async function runningRaces({ client }: ActivityDeps, host: SweepHost): Promise<string[]> {
  const raceIds: string[] = [];
  const query = `WorkflowType = "${WORKFLOWS.race}" AND ExecutionStatus = "Running"`;
  for await (const { workflowId } of client.workflow.list({ query, pageSize: PAGE })) {
    raceIds.push(raceIdOf(workflowId));
    if (raceIds.length % PAGE !== 0) continue;
    host.signal.throwIfAborted();
    host.heartbeat({ missing: 0, handled: 0 });
  }
  return raceIds;
}
