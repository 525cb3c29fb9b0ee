// Queries the books once for the result of a race that was first seen long after its start: today's and yesterday's
// races without a workflow. A race with a result gets a workflow, which follows it to its end; a race that no book has
// any more stays without one and is counted in coverage.
import { addDays, aetDay } from '../../domain/time/aet';
import type { RaceHeader } from '../../store/card/races';
import { type ActivityDeps, instantNow } from '../deps';
import { pollResults } from '../outcome/poll-results';
import { startRace } from './start-race';

/** A race younger than this gets a workflow without a result. */
export const LONG_AGO_MS = 2 * 3_600_000;
/**
 * Per run: the next one continues. Some seconds each, because the books' budgets belong to races that are still to run.
 */
const MOST_RACES = 20;
/** Wall. */
const SEEK_FOR_MS = 60_000;

/** `alive` is called before every race. Returns how many results were found. */
export async function seekResults(deps: ActivityDeps, alive: () => void = () => undefined): Promise<number> {
  const today = aetDay(deps.now());
  const startedBefore = new Date(deps.now() - LONG_AGO_MS).toISOString();
  const signal = AbortSignal.timeout(SEEK_FOR_MS);
  let found = 0;
  for (const raceId of await deps.stores.races.unsoughtResults(
    [addDays(today, -1), today],
    startedBefore,
    MOST_RACES,
  )) {
    if (signal.aborted) break;
    alive();
    const header = await deps.stores.races.raceHeader(raceId);
    if (header && (await seekResult(deps, header, signal))) found += 1;
  }
  return found;
}

/** A book that could not be reached is queried again by the next run. */
async function seekResult(deps: ActivityDeps, header: RaceHeader, signal: AbortSignal): Promise<boolean> {
  const { raceId } = header;
  const { abandoned, unreachable } = await pollResults(deps, raceId, { signal, urgency: 'idle' });
  if (unreachable) return false;
  const stored = await deps.stores.results.read(raceId);
  const found = abandoned !== null || stored !== null;
  // The phase first: the sweep starts a race that has left its card, if this start fails.
  if (found) await deps.stores.races.savePhase(raceId, 'jumped', {}, instantNow(deps));
  if (found) await startRace(deps, header);
  await deps.stores.races.soughtResult(raceId, instantNow(deps));
  return found;
}
