// Retention (D48): ticks stand for 45 days and go by whole UTC days, when every race of the day is verified. A race with a gap has its ticks kept in a
// table of their own first, and is reported. What cannot be verified stays.
import type { Day } from '../../domain/race/race';
import { type ActivityDeps, instantNow } from '../deps';
import { type ArchiveDeps, archiveRace } from './archive-race';

export type RetentionDeps = ArchiveDeps & { readonly stores: Pick<ActivityDeps['stores'], 'retention'> };

export interface DropReport {
  readonly dropped: readonly Day[];
  /** Races whose ticks are kept because the archive has a gap. */
  readonly kept: readonly string[];
}

/** Race time. */
const STAND_MS = 45 * 24 * 3_600_000;
const TRIES = 5;

/** `alive` is called after every step. */
export async function dropArchivedTicks(deps: RetentionDeps, alive: () => void = () => undefined): Promise<DropReport> {
  const { retention } = deps.stores;
  const before = new Date(deps.now() - STAND_MS).toISOString();
  const report = { dropped: [] as Day[], kept: [] as string[] };
  for (const day of await retention.daysBefore(before)) {
    report.kept.push(...(await keepGaps(deps, day, alive)));
    if (await drop(deps, day, alive)) report.dropped.push(day);
    alive();
  }
  if (report.dropped.length > 0) deps.log.info(report, 'days of ticks were dropped after their archive was verified');
  return report;
}

/** Archives once more what is not verified; what still is not has a gap, and its ticks are kept. */
async function keepGaps(deps: RetentionDeps, day: Day, alive: () => void): Promise<string[]> {
  const { retention } = deps.stores;
  const unverified = [...(await retention.unarchived(day)), ...(await retention.unarchivedMarkets(day))];
  for (const raceId of new Set(unverified.flatMap((one) => one.raceId ?? []))) {
    await archiveRace(deps, raceId).catch((err) => deps.log.warn({ err, raceId }, 'a race could not be archived'));
    alive();
  }
  const gaps = await retention.unarchived(day);
  for (const { raceId, why, ticks } of gaps) {
    deps.log.error({ raceId, day, why, ticks }, 'the archive of a race has a gap: its ticks are kept');
    await retention.keep(raceId, day);
    alive();
  }
  const markets = await retention.unarchivedMarkets(day);
  for (const { marketId, raceId, why, ticks } of markets) {
    deps.log.error(
      { marketId, raceId, day, why, ticks },
      'the archive of a race has a gap: its exchange ticks are kept',
    );
    await retention.keepMarket(marketId, day);
    alive();
  }
  return [...new Set([...gaps, ...markets].flatMap(({ raceId }) => raceId ?? []))];
}

/** A day that is in use is tried again at once; the lock is given up after two seconds each time. */
async function drop({ stores, log, ...deps }: RetentionDeps, day: Day, alive: () => void): Promise<boolean> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const done = await stores.retention.drop(day, instantNow(deps));
    if (done === 'dropped') return true;
    log.warn({ day, attempt, done }, 'a day of ticks was not dropped');
    if (done === 'unverified') return false;
    alive();
  }
  return false;
}
