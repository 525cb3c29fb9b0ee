// Packed price paths: no reader can find whether a race is packed, and a row goes only once its like is packed.
import fc from 'fast-check';
import type { Pool } from 'pg';
import { packPricePaths } from '../../../src/activities/archive/pack-price-paths';
import { CUSTOMER_BOOKMAKER_KEYS } from '../../../src/domain/bookmakers';
import { differingCounts } from '../../../src/store/archive/reconcile';
import { createRetentionStore } from '../../../src/store/archive/retention/retention';
import { grantRights, readRights } from '../../../src/store/pg/roles';
import { createReads } from '../../../src/store/reads/reads';
import { runs } from '../../support/property';
import { archivedRace } from '../../support/races/archived-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { poolAs } from '../../support/servers/roles';

const DAY = '2026-08-20';
const START = `${DAY}T01:00:00.000Z`;
const AT = '2026-11-21T03:00:00.000Z';
const LATER = '2026-11-28T03:00:00.000Z';

let db: TestDatabase;
let worker: Pool;
let api: Pool;
let raceNumber = 0;
beforeAll(async () => {
  db = await createTestDatabase();
  worker = poolAs(db, 'racing_worker');
  api = poolAs(db, 'racing_api');
});
afterAll(async () => {
  await Promise.all([worker.end(), api.end()]);
  await db.drop();
});
beforeEach(() =>
  db.pool.query(
    'UPDATE archived_races SET paths_packed_at = now(), withheld_packed_at = now(), lines_packed_at = now()',
  ),
);

const PINNACLE = { pinnacle: [[2000, 3.2, 2] as const] };

async function standingRace(startTime = START, withheld: Partial<typeof PINNACLE> = {}): Promise<string> {
  raceNumber++;
  const race = { startTime, meetingDate: startTime.slice(0, 10), raceNumber };
  return archivedRace(db.pool, race, {
    tab: [
      [3000, 3, 2],
      [60, 2.8, 2.1],
    ],
    neds: [[600, 3.1, 2.2]],
    ...withheld,
  });
}

/** Archived, and its ticks are gone. */
async function pastRace(startTime = START, withheld: Partial<typeof PINNACLE> = {}): Promise<string> {
  const id = await standingRace(startTime, withheld);
  await db.pool.query('DELETE FROM price_ticks WHERE race_id = $1', [id]);
  await db.pool.query('UPDATE archived_races SET ticks_dropped_at = $2 WHERE race_id = $1', [id, AT]);
  return id;
}

interface Capture {
  readonly runner: number;
  readonly book: string;
  /** Before the start. */
  readonly microseconds: number;
  readonly win: number;
  readonly place: number | null;
  readonly top2: number | null;
  readonly top3: number | null;
  readonly top4: number | null;
  /** The exchange's, of a withheld book. */
  readonly lay: number | null;
}

/** Every price is one that a double can hold: also a third, and what a sum of tenths leaves. */
const price = fc.oneof(
  fc.integer({ min: 101, max: 100_000 }).map((n) => n / 100),
  fc.integer({ min: 4, max: 40 }).map((n) => n / 3),
  fc.double({ min: 1.001, max: 1_000_000, noNaN: true }),
  fc.constantFrom(2.8, 2.8000000000000003),
);
const leg = fc.option(price, { freq: 3 });
const second = 1_000_000;
const microseconds = fc.oneof(
  fc.integer({ min: -900, max: 3600 }).map((s) => s * second),
  fc.integer({ min: -900_000, max: 3_600_000 }).map((ms) => ms * 1000),
  fc.integer({ min: -900 * second, max: 3600 * second }),
);
const book = fc.constantFrom('tab', 'neds', 'sportsbet');
const runner = fc.constantFrom(1, 2);
const capture = fc.record({
  runner,
  book,
  microseconds,
  win: price,
  place: leg,
  top2: leg,
  top3: leg,
  top4: leg,
  lay: leg,
});
const captures = fc.uniqueArray(capture, {
  minLength: 1,
  maxLength: 60,
  selector: (one) => [one.runner, one.book, one.microseconds].join(),
});

const write = (table: string, lay = ''): string => `
  INSERT INTO ${table} (start_time, race_id, runner, bookmaker_key, captured_at, secs_to_jump, win_price, place_price, top2_price, top3_price,
         top4_price${lay && ', lay_price'})
  SELECT r.start_time, r.race_id, c.runner, c.book, at, floor(extract(epoch FROM r.jump_at - at))::integer, c.win, c.place, c.top2, c.top3,
         c.top4${lay}
    FROM archived_races r, jsonb_to_recordset($2) AS c (runner smallint, book text, microseconds bigint, win float8, place float8, top2 float8,
         top3 float8, top4 float8, lay float8), LATERAL (SELECT r.start_time - c.microseconds * interval '1 microsecond' AS at) a
   WHERE r.race_id = $1`;

const WITHHELD: Readonly<Record<string, string>> = { tab: 'betfair_ex_au', neds: 'pinnacle' };

async function withCaptures(id: string, all: readonly Capture[], jumpAt: string): Promise<void> {
  for (const table of ['packed_price_paths', 'price_path_rows', 'packed_withheld_paths', 'withheld_path_rows'])
    await db.pool.query(`DELETE FROM ${table} WHERE race_id = $1`, [id]);
  await db.pool.query('SELECT add_archived_day($1, -1)', [id]);
  await db.pool.query(
    'UPDATE archived_races SET jump_at = $2, paths_packed_at = NULL, withheld_packed_at = NULL WHERE race_id = $1',
    [id, jumpAt],
  );
  await db.pool.query(write('price_path_rows'), [id, JSON.stringify(all)]);
  const withheld = all.flatMap((one) => (WITHHELD[one.book] ? [{ ...one, book: WITHHELD[one.book] }] : []));
  await db.pool.query(write('withheld_path_rows', ', c.lay'), [id, JSON.stringify(withheld)]);
  await db.pool.query('SELECT count_archived_race($1)', [id]);
}

const rowsOf = async (id: string, view = 'archived_price_paths'): Promise<unknown[]> =>
  (await db.pool.query(`SELECT to_jsonb(p) AS row FROM ${view} p WHERE race_id = $1 ORDER BY p`, [id])).rows;
const packedOf = async (id: string, table: string): Promise<unknown[]> =>
  (await db.pool.query(`SELECT to_jsonb(p) AS row FROM ${table} p WHERE race_id = $1 ORDER BY runner`, [id])).rows;
const withheldOf = (id: string): Promise<unknown[]> => rowsOf(id, 'withheld_price_paths');
const countOf = async (table: string, id: string): Promise<number> =>
  (await db.pool.query(`SELECT count(*)::integer AS n FROM ${table} WHERE race_id = $1`, [id])).rows[0].n;

async function gathered<T>(batches: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const batch of batches) all.push(...batch);
  return all;
}

/** All that is read of price paths, as the API reads it. */
async function everyReading(id: string): Promise<unknown> {
  const { archive } = createReads(api, api);
  const all = { meetingDate: DAY, includeFlagged: true, includeScratched: true };
  return {
    pages: [
      await archive.pricePaths(all, { limit: 3, offset: 0 }),
      await archive.pricePaths({ ...all, series: ['neds'] }, { limit: 50, offset: 1 }),
    ],
    rows: await gathered(archive.streamPricePaths(all, 1000)),
    lines: (await gathered(archive.streamPricePathLines(all, 1000))).join(''),
    history: await archive.priceHistory(id, CUSTOMER_BOOKMAKER_KEYS, AT),
    operators: await archive.priceHistory(id, [...CUSTOMER_BOOKMAKER_KEYS, ...Object.values(WITHHELD)], AT),
    selected: await archive.replayRaces({ raceId: id }),
    replay: await archive.racesToReplay([{ raceId: id } as never], null),
    checksum: await archive.dayChecksum('path', DAY),
    differing: await differing(),
  };
}

/** Counts that are not those of the rows. */
const differing = () => differingCounts(worker, DAY);

const retention = () => createRetentionStore(worker);

test('of any captures every reading is the same before and after they are packed, and nothing is left of the rows', async () => {
  const id = await pastRace();
  await fc.assert(
    fc.asyncProperty(captures, fc.integer({ min: -second, max: 900 * second }), async (all, late) => {
      const [{ jump }] = (
        await db.pool.query<{ jump: string }>(
          `SELECT ($1::timestamptz + $2::bigint * interval '1 microsecond')::text AS jump`,
          [START, late],
        )
      ).rows as [{ jump: string }];
      await withCaptures(id, all, jump);
      const [rows, withheld, readings] = [await rowsOf(id), await withheldOf(id), await everyReading(id)];
      expect([rows.length, withheld.length]).toEqual([all.length, all.filter(({ book }) => WITHHELD[book]).length]);
      expect(await retention().pack(id, AT)).toBe('packed');
      expect([await rowsOf(id), await withheldOf(id)]).toEqual([rows, withheld]);
      expect(await everyReading(id)).toEqual(readings);
      expect([await countOf('price_path_rows', id), await countOf('withheld_path_rows', id)]).toEqual([0, 0]);
      expect(await retention().pack(id, AT)).toBe('same');
      // Whatever became of the marks: what is packed stays.
      await db.pool.query(
        'UPDATE archived_races SET paths_packed_at = NULL, withheld_packed_at = NULL WHERE race_id = $1',
        [id],
      );
      expect(await retention().pack(id, AT)).toBe('same');
      const stood = [await packedOf(id, 'packed_price_paths'), await packedOf(id, 'packed_withheld_paths')];
      for (const [table, view] of [
        ['price_path_rows', 'archived_price_paths'],
        ['withheld_path_rows', 'withheld_price_paths'],
      ])
        await db.pool.query(`INSERT INTO ${table} SELECT * FROM ${view} WHERE race_id = $1`, [id]);
      await db.pool.query(
        'UPDATE archived_races SET paths_packed_at = NULL, withheld_packed_at = NULL WHERE race_id = $1',
        [id],
      );
      expect(await retention().pack(id, AT)).toBe('differs');
      expect([await packedOf(id, 'packed_price_paths'), await packedOf(id, 'packed_withheld_paths')]).toEqual(stood);
      expect([await countOf('price_path_rows', id), await countOf('withheld_path_rows', id)]).toEqual(
        [rows, withheld].map(({ length }) => length),
      );
    }),
    { numRuns: runs(100) },
  );
});

test('while races are packed a reader finds each row once', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 6; i++) ids.push(await pastRace());
  const sum = async (): Promise<unknown> =>
    (
      await api.query(
        'SELECT count(*) AS n, sum(hashtextextended(p::text, 0)) AS sum FROM archived_price_paths p WHERE race_id = ANY ($1)',
        [ids],
      )
    ).rows[0];
  const before = await sum();
  let packing = true;
  const found: unknown[] = [];
  const readers = [1, 2, 3].map(async () => {
    while (packing) found.push(await sum());
  });
  // Two workers at once: each race is packed by one of them.
  const packed = await Promise.all(
    [1, 2].map(async () => {
      const done: string[] = [];
      for (const id of ids) done.push(await retention().pack(id, AT));
      return done;
    }),
  );
  packing = false;
  await Promise.all(readers);
  expect(packed.flat().filter((one) => one === 'packed')).toHaveLength(ids.length);
  expect(found.length).toBeGreaterThan(0);
  for (const one of found) expect(one).toEqual(before);
});

test('a race whose rows do not follow from what would be packed keeps them, and is reported; the others are packed', async () => {
  const [odd, next] = [await pastRace('2026-08-21T01:00:00.000Z'), await pastRace('2026-08-21T02:00:00.000Z')];
  await db.pool.query(`UPDATE price_path_rows SET secs_to_jump = secs_to_jump + 1 WHERE race_id = $1 AND runner = 2`, [
    odd,
  ]);
  const before = await rowsOf(odd);
  const logged: unknown[] = [];
  const log = { error: (about: unknown, what: string) => void logged.push([about, what]) } as never;
  const deps = { stores: { retention: retention() }, log, now: () => Date.parse(AT) };
  expect(await packPricePaths(deps, AT, () => undefined)).toBe(1);
  const what = 'the price paths of races cannot be packed: their rows stay';
  expect(logged).toEqual([[{ races: 1, raceIds: [odd] }, what]]);
  expect(await rowsOf(odd)).toEqual(before);
  expect([await countOf('price_path_rows', odd), await countOf('packed_price_paths', odd)]).toEqual([before.length, 0]);
  expect([await countOf('price_path_rows', next), await countOf('packed_price_paths', next)]).toEqual([0, 2]);
});

test('a race whose ticks stand is not packed, and is written again from them; one that is packed keeps its prices', async () => {
  const [standing, packed] = [await standingRace(), await pastRace()];
  expect(await retention().toPack(AT, AT, null, 10)).toEqual([{ raceId: packed, startTime: START }]);
  expect(await retention().toPack(START, AT, null, 10)).toEqual([]);
  expect([await retention().pack(standing, AT), await retention().pack(packed, AT)]).toEqual(['same', 'packed']);
  const before = await rowsOf(packed);
  for (const id of [standing, packed]) await worker.query('SELECT clear_archived_race($1, true)', [id]);
  expect([await rowsOf(standing), await rowsOf(packed)]).toEqual([[], before]);
});

test('a part of the rows goes once it is empty and over, and not while a race in it is unpacked', async () => {
  const parts = async (): Promise<number> =>
    (
      await db.pool.query(
        `SELECT count(*)::integer AS n FROM timescaledb_information.chunks WHERE hypertable_name = 'price_path_rows'`,
      )
    ).rows[0].n;
  await db.pool.query('TRUNCATE price_path_rows');
  await retention().dropPacked('infinity');
  expect(await parts()).toBe(0);
  const ids = [await pastRace('2026-03-02T01:00:00.000Z'), await pastRace('2026-03-02T02:00:00.000Z')] as const;
  const last = await pastRace('2026-05-02T01:00:00.000Z');
  expect(await parts()).toBe(2);
  await retention().pack(ids[0], AT);
  await retention().pack(last, AT);
  expect([await retention().dropPacked('2026-04-02T00:00:00.000Z'), await parts()]).toEqual([0, 2]);
  await retention().pack(ids[1], AT);
  const before = await Promise.all([...ids, last].map((id) => rowsOf(id)));
  // And the part of its closing lines, if that is over.
  expect(await retention().dropPacked('2026-04-02T00:00:00.000Z')).toBeGreaterThan(0);
  expect(await parts()).toBe(1);
  expect(await Promise.all([...ids, last].map((id) => rowsOf(id)))).toEqual(before);
});

test('a race that was archived from kept ticks is packed, and its prices are fixed then', async () => {
  const id = await pastRace();
  await db.pool.query('UPDATE archived_races SET ticks_dropped_at = NULL WHERE race_id = $1', [id]);
  const before = await rowsOf(id);
  expect(await retention().toPack(AT, AT, null, 10)).toEqual([{ raceId: id, startTime: START }]);
  expect(await retention().pack(id, AT)).toBe('packed');
  await worker.query('SELECT clear_archived_race($1, true)', [id]);
  expect([await rowsOf(id), await countOf('price_path_rows', id)]).toEqual([before, 0]);
});

test('a race that was captured weeks before its start keeps its rows', async () => {
  const id = await pastRace();
  await db.pool.query(
    `UPDATE price_path_rows SET captured_at = start_time - interval '25 days', secs_to_jump = 25 * 86400
      WHERE race_id = $1 AND bookmaker_key = 'neds'`,
    [id],
  );
  const before = await rowsOf(id);
  expect(await retention().pack(id, AT)).toBe('differs');
  expect([await rowsOf(id), await countOf('packed_price_paths', id)]).toEqual([before, 0]);
});

test('a call drops one part', async () => {
  await db.pool.query('TRUNCATE price_path_rows');
  await retention().dropPacked('infinity');
  for (const day of ['2026-03-02', '2026-04-02', '2026-05-02'])
    await retention().pack(await pastRace(`${day}T01:00:00.000Z`), AT);
  const drop = async () => (await worker.query(`SELECT drop_packed_rows('infinity') AS n`)).rows[0].n;
  expect(await drop()).toBe(1);
  expect(await retention().dropPacked('infinity')).toBeGreaterThan(1);
  expect(await drop()).toBe(0);
});

test('withheld paths of a race that the release before packed are packed; what would differ stays, beside what is packed', async () => {
  const [packed, odd] = [await pastRace(START, PINNACLE), await pastRace(START, PINNACLE)];
  await db.pool.query('UPDATE archived_races SET paths_packed_at = $2 WHERE race_id = $1', [packed, AT]);
  await db.pool.query('UPDATE withheld_path_rows SET secs_to_jump = secs_to_jump + 1 WHERE race_id = $1', [odd]);
  const before = [await withheldOf(packed), await withheldOf(odd)];
  expect(before.map(({ length }) => length)).toEqual([2, 2]);
  const due = await retention().toPack(AT, AT, null, 10);
  expect(due.map(({ raceId }) => raceId).sort()).toEqual([packed, odd].sort());
  for (const _ of [1, 2])
    expect([await retention().pack(packed, AT), await retention().pack(odd, AT)].at(1)).toBe('differs');
  expect([await withheldOf(packed), await withheldOf(odd)]).toEqual(before);
  expect([await countOf('withheld_path_rows', packed), await countOf('packed_withheld_paths', packed)]).toEqual([0, 2]);
  expect([await countOf('withheld_path_rows', odd), await countOf('packed_withheld_paths', odd)]).toEqual([2, 0]);
  expect([await countOf('price_path_rows', packed), await countOf('price_path_rows', odd)]).toEqual([6, 0]);
  expect(await retention().toPack(AT, AT, null, 10)).toEqual([]);
  expect(await retention().toPack(AT, LATER, null, 10)).toEqual([{ raceId: odd, startTime: START }]);
  await worker.query('SELECT clear_archived_race($1, true)', [packed]);
  expect(await withheldOf(packed)).toEqual(before[0]);
});

test.each(['archived_price_paths', 'withheld_price_paths'])(
  'beside processes of the release before nothing is packed, and they write rows as %s, not what is packed',
  async (view) => {
    const [rows, packed] = [await pastRace(START, PINNACLE), await pastRace(START, PINNACLE)];
    await retention().pack(packed, AT);
    await db.pool.query(readRights());
    try {
      expect(await retention().toPack(AT, AT, null, 10)).toEqual([]);
      await expect(retention().pack(rows, AT)).rejects.toMatchObject({ code: '42501' });
      const [before, stood] = [await rowsOf(rows, view), await rowsOf(packed, view)];
      expect(before.length).toBeGreaterThan(0);
      // As its function does, until this release's replaces it.
      await db.pool.query(`CREATE TABLE moved AS SELECT * FROM ${view} WHERE race_id = $1`, [rows]);
      for (const id of [rows, packed])
        await worker.query(`DELETE FROM ${view} WHERE start_time = $1 AND race_id = $2`, [START, id]);
      expect([await rowsOf(rows, view), await rowsOf(packed, view)]).toEqual([[], stood]);
      const { rowCount } = await db.pool.query(`INSERT INTO ${view} SELECT * FROM moved`);
      expect([rowCount, await rowsOf(rows, view)]).toEqual([before.length, before]);
    } finally {
      await db.pool.query('DROP TABLE moved');
      await grantRights(db.pool);
    }
    await expect(worker.query(`DELETE FROM ${view} WHERE false`)).rejects.toMatchObject({ code: '42501' });
  },
);
