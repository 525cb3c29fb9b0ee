// Races that were really archived, read over HTTP with a key of each plan.
import { parse } from 'csv-parse/sync';
import type { Pool } from 'pg';
import { createCharger } from '../../../../src/api/kernel/charging/charger';
import { createStores } from '../../../../src/store/create-stores';
import type { ArchiveReads } from '../../../../src/store/reads/archive/archive-reads';
import { createReads } from '../../../../src/store/reads/reads';
import type { Stores } from '../../../../src/store/stores';
import { type Answer, startApi, type TestApi } from '../../../support/api/api';
import { type Served, serve } from '../../../support/api/served';
import { archivedRace, markRunners } from '../../../support/races/archived-race';
import type { TimedQuotes } from '../../../support/races/polled-race';
import { poolAs } from '../../../support/servers/roles';

export const LINES = '/v1/racing/closing-lines';
export const SUMMARY = '/v1/racing/market-summary';

/** Two books close, one is last seen 15 minutes before the jump; the exchange and the reference book are withheld. */
const BOOKS: Readonly<Record<string, readonly TimedQuotes[]>> = {
  tab: [
    [3590, 3, 2.2, 9],
    [600, 2.8, 2.4, 9],
    [5, 2.8, 2.4, 9],
  ],
  neds: [
    [3580, 3.1, 2.1, 8],
    [400, 2.9, 2.3, 8],
    [4, 2.9, 2.3, 8],
  ],
  sportsbet: [[900, 3, 2, 8]],
  betfair_ex_au: [
    [3000, 777.5, 777.5, 777.5],
    [3, 777.5, 777.5, 777.5],
  ],
  pinnacle: [
    [3000, 777.5, 777.5, 777.5],
    [9, 777.5, 777.5, 777.5],
  ],
};
const LAST_SEEN_ONLY = { sportsbet: BOOKS.sportsbet!, betfair_ex_au: BOOKS.betfair_ex_au! };

/** Sydney's clocks change at 03:00 on 2026-04-05 (back) and at 02:00 on 2026-10-04 (forward). */
export const RACES = {
  /** At 00:30 on the 5th, of a meeting of the 4th. */
  midnight: { startTime: '2026-04-04T13:30:00.000Z', meetingDate: '2026-04-04', venue: 'Albury', placed: [1, 2, 3] },
  /** At 23:30 on a day of 25 hours. */
  autumn: { startTime: '2026-04-05T13:30:00.000Z', meetingDate: '2026-04-05', venue: 'Albury', placed: [2, 1, 3] },
  /** At 00:10 and at 23:30 on a day of 23 hours. */
  spring: { startTime: '2026-10-03T14:10:00.000Z', meetingDate: '2026-10-04', venue: 'Bendigo', country: null },
  late: { startTime: '2026-10-04T12:30:00.000Z', meetingDate: '2026-10-04', venue: 'Addington', country: 'NZ' },
  newest: { startTime: '2026-11-20T01:00:00.000Z', meetingDate: '2026-11-20', venue: 'The "Valley", Kew', placed: [3] },
  noClose: { startTime: '2026-11-20T02:00:00.000Z', meetingDate: '2026-11-20', venue: 'Wentworth Park' },
} as const;

export const costOf = ({ headers }: Answer) => headers.get('x-credits-cost');
/** RFC 4180, strictly. */
export const tableOf = (text: string): string[][] => parse(text, { recordDelimiter: '\r\n' }).slice(1);
export const cellsOf = (row: object): string[] =>
  Object.values(row).map((value) => (value === null ? '' : String(value)));

interface ArchivedWorld {
  readonly ids: Record<keyof typeof RACES, string>;
  readonly keys: Record<'free' | 'standard' | 'older' | 'younger' | 'plus', string>;
  served: Served;
  stores: Stores;
  pool: Pool;
  /** It is closed after each test. */
  other: TestApi | undefined;
}

/** Call it once. */
export function archivedWorld() {
  const world = { ids: {}, keys: {}, other: undefined } as ArchivedWorld;
  const { ids, keys } = world;
  beforeAll(async () => {
    world.served = await serve((db) => {
      world.pool = poolAs(db, 'racing_api');
      world.stores = createStores(world.pool);
      return { charger: createCharger(world.stores.credits) };
    });
    const { db } = world.served;
    for (const [i, [name, race]] of Object.entries(RACES).entries()) {
      const category = name === 'late' ? 'harness' : name === 'noClose' ? 'greyhound' : 'horse';
      const books = name === 'noClose' ? LAST_SEEN_ONLY : BOOKS;
      ids[name as keyof typeof RACES] = await archivedRace(db.pool, { ...race, raceNumber: i + 1, category }, books);
    }
    await markRunners(db.pool, ids.late, 'scratched = (runner = 3), name_fragment_suspect = (runner = 2)');
    keys.free = await world.served.addKey({ plan: 'free' });
    keys.standard = await world.served.addKey({ plan: 'standard', issuedAt: '2026-09-20T00:00:00.000Z' });
    keys.older = await world.served.addKey({ plan: 'standard', issuedAt: '2026-09-19T23:59:59.999Z' });
    keys.younger = await world.served.addKey({ plan: 'hobby', issuedAt: '2026-09-19T23:59:59.999Z' });
    keys.plus = await world.served.addKey({ plan: 'plus' });
  });
  afterEach(async () => {
    await world.other?.close();
    world.other = undefined;
  });
  afterAll(async () => {
    await world.served.stop();
    await world.pool.end();
  });

  const get = (path: string, key = keys.plus, api: TestApi = world.served.api): Promise<Answer> => api.get(path, key);
  const rowsOf = async (path: string) => {
    const { status, body } = await get(path);
    expect([path, status]).toEqual([path, 200]);
    return body.rows as Record<string, unknown>[];
  };
  /** Another API over the same database, with an archive that a test changes. */
  async function withArchive(change: Partial<ArchiveReads>, responsesCachedMs = 0): Promise<TestApi> {
    const { keys: keyStore, ingest, health, credits } = world.stores;
    const charger = createCharger(credits);
    const reads = createReads(world.pool);
    const archive = { ...reads.archive, ...change };
    world.other = await startApi({
      reads: { ...reads, archive },
      keys: keyStore,
      ingest,
      health,
      charger,
      responsesCachedMs,
    });
    return world.other;
  }

  return Object.assign(world, { get, rowsOf, withArchive });
}
