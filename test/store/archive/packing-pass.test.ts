// A pass of the packing: what it tries, and when again.
import type { Pool } from 'pg';
import { packPricePaths } from '../../../src/activities/archive/pack-price-paths';
import { createRetentionStore } from '../../../src/store/archive/retention/retention';
import { archivedRace } from '../../support/races/archived-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { poolAs } from '../../support/servers/roles';

const START = '2026-08-20T01:00:00.000Z';
const AT = '2026-11-21T03:00:00.000Z';
/** A week after it. */
const LATER = '2026-11-28T03:00:00.000Z';

let db: TestDatabase;
let worker: Pool;
let raceNumber = 0;
beforeAll(async () => {
  db = await createTestDatabase();
  worker = poolAs(db, 'racing_worker');
});
afterAll(async () => {
  await worker.end();
  await db.drop();
});
beforeEach(() =>
  db.pool.query(
    'UPDATE archived_races SET paths_packed_at = now(), withheld_packed_at = now(), lines_packed_at = now()',
  ),
);

/** Archived, and its ticks are gone. */
async function pastRace(startTime = START): Promise<string> {
  raceNumber++;
  const books = { tab: [[3000, 3, 2] as const, [60, 2.8, 2.1] as const], neds: [[600, 3.1, 2.2] as const] };
  const id = await archivedRace(db.pool, { startTime, meetingDate: startTime.slice(0, 10), raceNumber }, books);
  await db.pool.query('DELETE FROM price_ticks WHERE race_id = $1', [id]);
  await db.pool.query('UPDATE archived_races SET ticks_dropped_at = $2 WHERE race_id = $1', [id, AT]);
  return id;
}

const countOf = async (table: string, id: string): Promise<number> =>
  (await db.pool.query(`SELECT count(*)::integer AS n FROM ${table} WHERE race_id = $1`, [id])).rows[0].n;
const retention = () => createRetentionStore(worker);

test('a race of which nothing is packed is not fixed, has no mark, and is tried again days later', async () => {
  const [empty, odd] = [await pastRace(), await pastRace()];
  await db.pool.query('UPDATE archived_races SET ticks_dropped_at = NULL WHERE race_id = ANY ($1)', [[empty, odd]]);
  for (const table of ['price_path_rows', 'closing_line_rows', 'withheld_line_rows'])
    await db.pool.query(`DELETE FROM ${table} WHERE race_id = $1`, [empty]);
  await db.pool.query(`UPDATE price_path_rows SET secs_to_jump = secs_to_jump + 1 WHERE race_id = $1`, [odd]);
  await db.pool.query('UPDATE archived_races SET lines_packed_at = $2 WHERE race_id = $1', [odd, AT]);
  expect([await retention().pack(empty, AT), await retention().pack(odd, AT)]).toEqual(['same', 'differs']);
  const { rows } = await db.pool.query(
    `SELECT ticks_dropped_at AS fixed, paths_packed_at AS paths, withheld_packed_at AS withheld FROM archived_races
      WHERE race_id = ANY ($1)`,
    [[empty, odd]],
  );
  expect(rows).toEqual([1, 2].map(() => ({ fixed: null, paths: null, withheld: null })));
  expect(await retention().toPack(AT, AT, null, 10)).toEqual([]);
  const again = await retention().toPack(AT, LATER, null, 10);
  expect(again.map(({ raceId }) => raceId).sort()).toEqual([empty, odd].sort());
});

test('a pass tries so many races, whatever comes of them, and the next pass those after them', async () => {
  const [odd, next] = [await pastRace('2026-08-21T01:00:00.000Z'), await pastRace('2026-08-21T02:00:00.000Z')];
  const store = retention();
  let tried = 0;
  const passOf = (retention: typeof store, at: string) => {
    const deps = { stores: { retention }, log: { error: () => undefined } as never, now: () => Date.parse(at) };
    return packPricePaths(deps, AT, () => void tried++);
  };
  const many = Array.from({ length: 500 }, () => ({ raceId: odd, startTime: START }));
  const differs = async () => 'differs' as const;
  expect(await passOf({ ...store, toPack: async () => many, pack: differs }, AT)).toBe(0);
  expect(tried).toBe(4000);
  await db.pool.query('UPDATE price_path_rows SET secs_to_jump = secs_to_jump + 1 WHERE race_id = $1', [odd]);
  const toPack: typeof store.toPack = async (before, since, after) =>
    after ? [] : store.toPack(before, since, null, 1);
  const ofOne = { ...store, toPack };
  expect([await passOf(ofOne, AT), await passOf(ofOne, AT)]).toEqual([0, 1]);
  tried = 0;
  for (const at of [AT, '2026-11-28T02:59:59.000Z', '2026-11-28T03:00:01.000Z']) await passOf(ofOne, at);
  expect(tried).toBe(1);
  expect([await countOf('price_path_rows', odd), await countOf('price_path_rows', next)]).toEqual([6, 0]);
});

test('one race that fails stops no other; if each fails the pass ends', async () => {
  const [bad, good] = [await pastRace('2026-08-22T01:00:00.000Z'), await pastRace('2026-08-22T02:00:00.000Z')];
  const store = retention();
  let tried = 0;
  const failing = (fails: (id: string) => boolean) => ({
    ...store,
    pack: (id: string, at: string) => {
      tried += 1;
      return fails(id) ? Promise.reject(new Error('broken')) : store.pack(id, at);
    },
  });
  const passOf = (retention: ReturnType<typeof failing>) => {
    const log = { warn: () => undefined } as never;
    return packPricePaths({ stores: { retention }, log, now: () => Date.parse(AT) }, AT, () => undefined);
  };
  expect(await passOf(failing((id) => id === bad))).toBe(1);
  expect([await countOf('price_path_rows', bad), await countOf('price_path_rows', good)]).toEqual([6, 0]);
  tried = 0;
  const many = Array.from({ length: 500 }, () => ({ raceId: bad, startTime: START }));
  expect(await passOf({ ...failing(() => true), toPack: async () => many })).toBe(0);
  expect(tried).toBe(20);
});
