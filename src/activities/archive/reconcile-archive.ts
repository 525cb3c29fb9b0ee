// Compares the counts of the archive with its rows, because totals that customers read are these counts (D48). Covers
// the last days of starts, and every day with a recently archived race. A difference is logged and never repaired
// silently.
import type { Day } from '../../domain/race/race';
import { addDays, aetDay } from '../../domain/time/aet';
import type { ArchiveDeps } from './archive-race';

export interface ReconcileReport {
  readonly days: number;
  /** Days with a count that differs from the rows. */
  readonly wrong: readonly Day[];
}

const DAYS = 3;
/** Race time. */
const LATELY_MS = 24 * 3_600_000;

export async function reconcileArchive(
  { stores: { archive }, now, log }: ArchiveDeps,
  alive: () => void = () => undefined,
): Promise<ReconcileReport> {
  const today = aetDay(now());
  const last = Array.from({ length: DAYS }, (_, back) => addDays(today, -back));
  const written = await archive.daysArchivedSince(new Date(now() - LATELY_MS).toISOString());
  const days = [...new Set([...last, ...written])];
  const wrong: Day[] = [];
  for (const day of days) {
    const differing = await archive.differingCounts(day);
    if (differing.length > 0) {
      wrong.push(day);
      log.error({ day, differing }, 'the archive counts other rows than it has');
    }
    alive();
  }
  const totals = await archive.differingTotals(days);
  if (totals.length > 0) log.error({ differing: totals }, 'the totals of the archive are not those of its days');
  return { days: days.length, wrong };
}
