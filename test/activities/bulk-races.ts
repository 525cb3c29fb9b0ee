// Two days of racing whose bulk files are built: results, a registry's card, two archived races of one meeting, and
// track conditions, one of them from a book that customers do not see.
import type { Stores } from '../../src/store/stores';
import { feedField, resultRunner } from '../support/races/builders';
import { addPastRace } from '../support/races/past-race';
import { polledRace, type TimedQuotes } from '../support/races/polled-race';
import { registryCard, registryListing, registryRace } from '../support/races/registry';
import type { TestDatabase } from '../support/servers/database';

/** `archived`: one race in the afternoon, and one of the same meeting after midnight. */
export async function addBulkRaces(db: TestDatabase, stores: Stores): Promise<{ first: string; archived: string[] }> {
  const first = await addPastRace(db.pool, { startTime: '2026-11-29T03:00:00.000Z', runners: feedField(2, 3, 4, 5) });
  await addPastRace(db.pool, {
    startTime: '2026-11-30T03:00:00.000Z',
    runners: feedField(2, 3),
    field: [resultRunner(1), resultRunner(2, { name: 'O’Brien, "The"' })],
  });
  await db.pool.query(
    `UPDATE race_results SET dividends = '{"exotics": [{"code": "QN", "type": "Quinella", "product": "tab", "selection": "1-2", "amount": 7.5}]}'
      WHERE race_id = $1`,
    [first],
  );
  const key = '2026Nov29,VIC,Flemington';
  await stores.registry.saveCalendar([registryListing({ key, day: '2026-11-29' })], '2026-11-27T00:00:00.000Z');
  await stores.registry.saveAcceptances(
    registryCard({ key, races: [registryRace(1), registryRace(2)] }),
    '2026-11-27T00:00:00.000Z',
  );
  const archived = [
    await archivedRace(db, stores, 5, '2026-11-29T05:00:00.000Z'),
    await archivedRace(db, stores, 9, '2026-11-29T13:30:00.000Z'),
  ];
  for (const book of ['tab', 'betfair_ex_au']) {
    await db.pool.query(
      `INSERT INTO track_condition_changes (race_id, source, observed_at, category, track_condition, weather)
       VALUES ($1, $2, '2026-11-29T01:00:00Z', 'horse', 'Soft5', 'Fine')`,
      [first, book],
    );
  }
  return { first, archived };
}

/** Quoted by three books that customers see, one of them foreign, and two that they do not. */
async function archivedRace(db: TestDatabase, stores: Stores, raceNumber: number, startTime: string): Promise<string> {
  const quotes = (price: number): readonly TimedQuotes[] => [
    [3590, price, 2.2],
    [600, price - 0.2, 2.4],
    [5, price - 0.2, 2.4],
  ];
  const seen = { tab: quotes(3), neds: quotes(3.1), ladbrokes_uk: quotes(3.4) };
  const books = { ...seen, pinnacle: quotes(3.2), betfair_ex_au: quotes(3.3) };
  const listed = { startTime, raceNumber, venue: 'Albury', meetingDate: '2026-11-29', country: 'AU' };
  const { raceId } = await polledRace(db.pool, listed, books);
  await db.pool.query(
    `UPDATE races SET left_board_at = start_time + interval '11 min', jumped_at = start_time WHERE race_id = $1`,
    [raceId],
  );
  await stores.archive.archive(raceId, startTime);
  return raceId;
}
