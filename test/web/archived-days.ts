// Days of archived and resulted races with their bulk files, for the programs of guides. On the archived days the first
// runner firms at every book and wins, and the second drifts.
import { buildBulkPeriod, dueBulkPeriods } from '../../src/activities/bulk-files';
import type { FileStore } from '../../src/file-store/file-store';
import { createStores } from '../../src/store/create-stores';
import { createReads } from '../../src/store/reads/reads';
import type { Stores } from '../../src/store/stores';
import { SIGNER } from '../support/manifests';
import { feedResult } from '../support/races/builders';
import { polledRace, type TimedQuotes } from '../support/races/polled-race';
import type { TestDatabase } from '../support/servers/database';

const BOOKS: Readonly<Record<string, readonly TimedQuotes[]>> = {
  ladbrokes_au: [
    [3500, 5, 2, 2.9],
    [1800, 4.2, 2.2, 2.8],
    [900, 3.8, 2.4, 2.7],
    [40, 3.6, 2.5, 2.6],
  ],
  neds: [
    [3490, 5, 2, 2.9],
    [880, 3.8, 2.4, 2.7],
    [35, 3.5, 2.5, 2.6],
  ],
  tab: [
    [3400, 5.2, 1.95, 2.9],
    [850, 4.2, 2.3, 2.7],
    [30, 3.4, 2.6, 2.6],
  ],
  pointsbetau: [
    [3300, 4.8, 2.05, 2.85],
    [60, 3.5, 2.5, 2.6],
  ],
  // It has no close: it was last seen long before the jump.
  unibet: [[2000, 4.6, 2.1, 2.85]],
  betfair_ex_au: [[3000, 777.5, 777.5]],
};

export const ARCHIVED_DAYS = ['2026-11-19', '2026-11-20'] as const;

/** A price of 201, and one that has stood for 20 minutes and more shortly before the start; then a day of value. */
export const TEMPTING_DAYS = ['2026-11-16', '2026-11-17'] as const;
const FAIR: Readonly<Record<string, readonly TimedQuotes[]>> = {
  neds: [[600, 2, 2]],
  sportsbet: [[600, 2, 2]],
  tab: [
    [600, 2, 2],
    [250, 1.99, 2.01],
  ],
};
const TEMPTING: readonly (readonly [startTime: string, unibet: TimedQuotes])[] = [
  ['2026-11-16T01:00:00.000Z', [600, 201, 2]],
  ['2026-11-16T02:00:00.000Z', [1500, 2.4, 2.4]],
  ['2026-11-17T01:00:00.000Z', [1400, 2.4, 2.4]],
];

/** Of each archived day two races, an hour apart, and the tempting days. Returns the ids of the former by time. */
export async function addArchivedDays(db: TestDatabase, files: FileStore, now: () => number): Promise<string[]> {
  const stores = createStores(db.pool);
  const ids: string[] = [];
  for (const meetingDate of ARCHIVED_DAYS) {
    for (const raceNumber of [1, 2]) {
      const startTime = `${meetingDate}T0${raceNumber}:30:00.000Z`;
      const race = { venue: 'Moonee Valley', country: 'AU', raceNumber, startTime, meetingDate };
      const { raceId } = await polledRace(db.pool, race, BOOKS);
      await finish(stores, raceId, startTime);
      ids.push(raceId);
    }
  }
  for (const [i, [startTime, unibet]] of TEMPTING.entries()) {
    const race = { venue: 'Placeholden', raceNumber: i + 1, startTime, meetingDate: startTime.slice(0, 10) };
    const { raceId } = await polledRace(db.pool, race, { ...FAIR, unibet: [unibet] });
    await finish(stores, raceId, startTime);
  }
  const deps = { stores, files, signer: SIGNER, bulkReads: createReads(db.pool), now, wallMs: now };
  for (const due of await dueBulkPeriods(deps)) await buildBulkPeriod(deps, due, () => {});
  return ids;
}

async function finish({ races, results, archive }: Stores, raceId: string, startTime: string): Promise<void> {
  const at = new Date(Date.parse(startTime) + 660_000).toISOString();
  const result = feedResult({
    placings: [1, 2, 3].map((number) => ({ position: number, number, name: `Runner ${number}` })),
  });
  await results.saveResult({ raceId, source: 'ladbrokes_au', result, at });
  await results.finalise(raceId, at);
  await races.savePhase(raceId, 'final', { jumpedAt: startTime, leftBoardAt: at }, at);
  await archive.archive(raceId, at);
}
