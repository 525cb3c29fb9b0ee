// Follows `GET /v1/racing/changes` by its cursor: no change is lost, and what the overlap of two answers repeats is
// left out.
import type { Schemas } from '../types.ts';

export interface ChangesBatch {
  /** Everything before it was sent. To go on later, pass it as `since`: it is good for 30 minutes. */
  readonly since: string;
  /** What changed: each race with its new rows only. */
  readonly races: readonly Schemas['ChangedRace'][];
}

type Page = Schemas['RacingChanges'];

/** Requests one page after another; null: it has nothing new. */
export function changesSince(first: string, get: (since: string) => Promise<Page>): () => Promise<ChangesBatch | null> {
  let since = first;
  // Of the last answer alone: what an answer repeats was in the one before it.
  let seen: ReadonlySet<string> = new Set();
  return async () => {
    const page = await get(since);
    const { races, all } = newIn(page, seen);
    seen = all;
    since = page.server_time;
    return races.length === 0 ? null : { since, races };
  };
}

function newIn(page: Page, seen: ReadonlySet<string>): { races: Schemas['ChangedRace'][]; all: Set<string> } {
  const all = new Set<string>();
  const isNew = (...what: unknown[]): boolean => {
    const text = JSON.stringify(what);
    all.add(text);
    return !seen.has(text);
  };
  const races: Schemas['ChangedRace'][] = [];
  for (const { changed_runners, ...race } of page.races) {
    const isNewRace = isNew(race);
    const rows = changed_runners.filter((row) => isNew(race.race_id, row));
    if (isNewRace || rows.length > 0) races.push({ ...race, changed_runners: rows });
  }
  return { races, all };
}
