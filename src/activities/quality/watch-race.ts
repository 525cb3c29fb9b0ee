// What is served of a race while it is audited.
import type { ServedRace } from '../../domain/quality/served';
import type { Category } from '../../domain/race/race';
import type { AuditRun } from './audit-run';
import { servedRace } from './served-race';

export interface WatchedRace {
  readonly raceId: string;
  readonly category: Category;
  /** Null: it has left the board. */
  look(): Promise<ServedRace | null>;
  /** A moment later. All that wait for the next check share it. */
  lookLater(): Promise<ServedRace | null>;
  /** By the last check that found it on the board; null: none did. */
  lastServed(): ServedRace | null;
}

export function watchRace(
  { deps, wait, signal }: AuditRun,
  { race_id: raceId, category }: { readonly race_id: string; readonly category: Category },
): WatchedRace {
  let last: ServedRace | null = null;
  let next: Promise<ServedRace | null> | null = null;
  const look = async (): Promise<ServedRace | null> => {
    signal.throwIfAborted();
    const served = await servedRace(deps, raceId);
    last = served ?? last;
    return served;
  };
  return {
    raceId,
    category,
    look,
    lookLater() {
      next ??= wait().then(() => {
        next = null;
        return look();
      });
      return next;
    },
    lastServed: () => last,
  };
}
