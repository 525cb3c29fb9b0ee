// Advances the coverage of every field (A 3), even if the race's workflow is gone, was reset or restarted: makes up for
// a missed pass and writes the rows as in `fieldStateOf`. Leaves to a live workflow what it has done or is about to do.

import type { Instant } from '../../domain/race/race';
import { fieldStateOf, nextFieldPass } from '../../domain/results/field-coverage';
import type { CollectedRace } from '../../store/registry/published-races';
import { type CollectDeps, instantNow } from '../deps';
import type { ResultsCollector } from './collector';

export interface SettledCoverage {
  readonly awaited: number;
  readonly passesMadeUp: number;
  readonly filled: number;
}

/** A live workflow has run its pass by then. */
const GRACE_MS = 10 * 60_000;

/** `alive` is called after every race. */
export async function settleCoverage(
  deps: CollectDeps,
  collector: Pick<ResultsCollector, 'pass'>,
  alive: () => void = () => undefined,
): Promise<SettledCoverage> {
  const races = await deps.stores.published.awaitingField();
  let passesMadeUp = 0;
  let filled = 0;
  for (const race of races) {
    const due = missedPass(race, deps.now() - GRACE_MS);
    const found = due !== null && (await collector.pass(race.raceId, due));
    if (due !== null) passesMadeUp += 1;
    if (found) filled += 1;
    else await saveState(deps, race, due === null ? race.fieldLastPassAt : instantNow(deps));
    alive();
  }
  return { awaited: races.length, passesMadeUp, filled };
}

/**
 * The first pass that was due after the last one that ran, or after there was a result; null when none was due by
 * `byMs`.
 */
function missedPass(race: CollectedRace, byMs: number): Instant | null {
  const due = nextFieldPass(race, race.fieldLastPassAt ?? race.resultedAt ?? race.startTime);
  return due !== null && Date.parse(due) <= byMs ? due : null;
}

async function saveState({ stores, now }: CollectDeps, race: CollectedRace, lastPassAt: Instant | null): Promise<void> {
  const at = instantNow({ now });
  const resultStatus = race.resultStatus ?? 'interim';
  const field = fieldStateOf({ ...race, resultStatus, hasRunners: false, lastPassAt, now: at });
  await stores.results.saveFieldState(race.raceId, field, at, lastPassAt);
}
