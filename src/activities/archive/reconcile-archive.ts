// Compares the counts of the archive with its rows, for the last days: totals that customers read are these counts (D48). A difference is logged and
// never repaired silently.
import type { Day } from '../../domain/race/race';
import { addDays, aetDay } from '../../domain/time/aet';
import type { ArchiveDeps } from './archive-race';

export interface ReconcileReport {
  readonly days: number;
  /** Days with a count that is not that of the rows. */
  readonly wrong: readonly Day[];
}

const DAYS = 3;

export async function reconcileArchive(
  { stores, now, log }: ArchiveDeps,
  alive: () => void = () => undefined,
): Promise<ReconcileReport> {
  const today = aetDay(now());
  const wrong: Day[] = [];
  for (let back = 0; back < DAYS; back++) {
    const day = addDays(today, -back);
    const differing = (await stores.archive.counted(day)).filter(
      ({ rows, byRace, byDay }) => rows !== byRace || rows !== byDay,
    );
    if (differing.length > 0) {
      wrong.push(day);
      log.error({ day, differing }, 'the archive counts other rows than it has');
    }
    alive();
  }
  return { days: DAYS, wrong };
}
