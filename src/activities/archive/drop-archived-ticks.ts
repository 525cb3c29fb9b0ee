// Retention (D48): ticks are kept for 45 days and deleted by whole UTC days, when every race of the day is verified. An
// unverified race is archived again while all its ticks exist. If it still has a gap, its ticks are first moved to a
// separate table, and it is reported. What cannot be verified is kept. Price paths of races without ticks are packed.
import type { Day } from '../../domain/race/race';
import { type ActivityDeps, instantNow } from '../deps';
import { type ArchiveDeps, archiveRace } from './archive-race';
import { packPricePaths } from './pack-price-paths';

export type RetentionDeps = ArchiveDeps & { readonly stores: Pick<ActivityDeps['stores'], 'retention'> };

export interface DropReport {
  readonly dropped: readonly Day[];
  /** Races whose ticks are kept because the archive has a gap. */
  readonly kept: readonly string[];
}

const DAY_MS = 24 * 3_600_000;
/** Race time. */
const STAND_MS = 45 * DAY_MS;
/** No race's ticks lie further apart: its archive is compared with them as long as any are left. */
const SPAN_MS = 2 * DAY_MS;
const TRIES = 5;

/** `alive` is called after every step. */
export async function dropArchivedTicks(deps: RetentionDeps, alive: () => void = () => undefined): Promise<DropReport> {
  const { retention } = deps.stores;
  const beforeMs = deps.now() - STAND_MS;
  const daysBefore = (ms: number) => retention.daysBefore(new Date(ms).toISOString());
  const report = { dropped: [] as Day[], kept: [] as string[] };
  const due = await daysBefore(beforeMs);
  // The day after them too: once a day of a race is gone, its archive cannot be written again.
  const standing = due.length === 0 ? [] : await daysBefore(beforeMs + DAY_MS);
  for (const day of standing) await archiveAgain(deps, day, alive);
  for (const day of due) {
    report.kept.push(...(await keepGaps(deps, day, alive)));
    // A race's later ticks and breaks are never deleted before its earlier ones: from then on its archive is the
    // source.
    if (!(await drop(deps, day, alive))) break;
    report.dropped.push(day);
    alive();
  }
  if (report.dropped.length > 0) deps.log.info(report, 'days of ticks were dropped after their archive was verified');
  const before = new Date(beforeMs - SPAN_MS).toISOString();
  const packed = await packPricePaths(deps, before, alive);
  const parts = await retention.dropPacked(before);
  if (packed > 0 || parts !== 0) deps.log.info({ packed, parts }, 'price paths of races were packed');
  return report;
}

/** Archives the unverified races once more. */
async function archiveAgain(deps: RetentionDeps, day: Day, alive: () => void): Promise<void> {
  const { retention } = deps.stores;
  const markets = (await retention.unarchivedMarkets(day)).filter(({ why }) => why !== 'not_in_archive');
  const unverified = [...(await retention.unarchived(day)), ...markets];
  for (const raceId of new Set(unverified.flatMap((one) => one.raceId ?? []))) {
    await archiveRace(deps, raceId, 'rewrite').catch((err) =>
      deps.log.warn({ err, raceId }, 'a race could not be archived'),
    );
    alive();
  }
  alive();
}

/**
 * A race that is still not verified has a gap, and its ticks are kept, as are those of markets that the archive never
 * has.
 */
async function keepGaps(deps: RetentionDeps, day: Day, alive: () => void): Promise<string[]> {
  const { retention } = deps.stores;
  const gaps = await retention.unarchived(day);
  for (const { raceId, why, ticks } of gaps) {
    deps.log.error({ raceId, day, why, ticks }, 'the archive of a race has a gap: its ticks are kept');
    await retention.keep(raceId, day);
    alive();
  }
  const markets = await retention.unarchivedMarkets(day);
  for (const { marketId, raceId, why, ticks } of markets) {
    if (why !== 'not_in_archive')
      deps.log.error(
        { marketId, raceId, day, why, ticks },
        'the archive of a race has a gap: its exchange ticks are kept',
      );
    await retention.keepMarket(marketId, day);
    alive();
  }
  const reported = [...gaps, ...markets.filter(({ why }) => why !== 'not_in_archive')];
  return [...new Set(reported.flatMap(({ raceId }) => raceId ?? []))];
}

/** A day in use is retried at once; each attempt gives up the lock after two seconds. */
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
