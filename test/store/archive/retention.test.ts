// When a day of ticks is deleted (D48): only after every race of it is verified, and never by anything else.
import { archivePast } from '../../../src/activities/archive/archive-past';
import { dropArchivedTicks } from '../../../src/activities/archive/drop-archived-ticks';
import { reconcileArchive } from '../../../src/activities/archive/reconcile-archive';
import { CUSTOMERS } from '../../../src/api/kernel/endpoint/visibility';
import { scoreBets } from '../../../src/api/operations/clv/clv';
import type { Bet } from '../../../src/api/operations/clv/clv-subject';
import { createReads } from '../../../src/store/reads/reads';
import { poolAs } from '../../support/servers/roles';
import { after, DAMAGES, DAY_MS, LAY_DAMAGES, retainedDays, startMs } from './retained-days';

const { logged, query, database, worker, deps, past, pastAtExchange, archiveOf, count } = retainedDays();

/** As `clv` measures a bet on each runner. */
async function closesOf(raceId: string) {
  const api = poolAs(database(), 'racing_api', 2);
  try {
    const bets = [1, 2].map((number) => ({ race_id: raceId, runner_number: number, price: 3 }));
    const scores = await scoreBets(createReads(api), bets as Bet[], 'best', CUSTOMERS, startMs + 51 * DAY_MS);
    return scores.map(({ close, reason }) => ({ close, reason }));
  } finally {
    await api.end();
  }
}

test.each([
  ['of a day', `UPDATE archived_day_counts SET n = n + 1 WHERE what = 'path' AND series = ''`],
  ['of one book, the sum being right', `UPDATE archived_day_counts SET scratched = true WHERE series = 'tab'`],
  ['of a race', `UPDATE archived_counts SET n = n + 1 WHERE what = 'summary'`],
  ['of races', 'UPDATE archived_days SET has_lines = NOT has_lines'],
  ['of marks', 'UPDATE archived_day_marks SET close_sum = close_sum + 1 WHERE minutes = 10'],
  ['of rows that went', 'DELETE FROM price_path_rows WHERE runner = 1'],
])('a count %s that differs from its rows is reported with its day and not repaired', async (_, damage) => {
  await past();
  // Long after its start: it is compared because it was archived recently.
  await archivePast(deps(20));
  expect(await reconcileArchive(deps(20))).toEqual({ days: 4, wrong: [] });
  expect(logged).toEqual([]);
  await query(damage);
  for (let hour = 0; hour < 2; hour++) expect((await reconcileArchive(deps(20))).wrong).toEqual(['2026-11-21']);
  expect(logged).toContain('the archive counts other rows than it has');
});

test('totals that differ from the sum of the days are reported', async () => {
  await past();
  await archivePast(deps(1));
  await query(`UPDATE archived_totals SET n = n + 1 WHERE what = 'race'`);
  await reconcileArchive(deps(0.5));
  expect(logged).toEqual(['the totals of the archive are not those of its days']);
});

test('ticks are kept for 45 days; older days are deleted once their races are archived, and the archive is then the source', async () => {
  const raceId = await past();
  await archivePast(deps(1));
  expect((await dropArchivedTicks(deps(45))).dropped).toEqual(['2026-11-20']);
  expect([await count('price_ticks'), await count('price_breaks')]).toEqual([2, 1]);
  expect((await dropArchivedTicks(deps(46.1))).dropped).toEqual(['2026-11-21']);
  expect([await count('price_ticks'), await count('price_breaks'), await count('kept_ticks')]).toEqual([0, 0, 0]);
  const { rows } = await query(
    'SELECT ticks_dropped_at IS NOT NULL AS dropped FROM archived_races WHERE race_id = $1',
    [raceId],
  );
  expect(rows).toEqual([{ dropped: true }]);
  const paths = await query('SELECT count(*)::integer AS n FROM archived_price_paths WHERE race_id = $1', [raceId]);
  expect(paths.rows[0].n).toBe(4);
  // Nothing is left to rewrite its prices from: they stay, whatever a worker clears.
  const before = await archiveOf(raceId);
  await worker().query('SELECT clear_archived_race($1, true)', [raceId]);
  expect(await archiveOf(raceId)).toEqual(before);
});

test('a race that was never archived is archived first', async () => {
  await past();
  expect(await dropArchivedTicks(deps(50))).toEqual({ dropped: ['2026-11-20', '2026-11-21'], kept: [] });
});

test('a damaged archive is rewritten from the ticks while all of them exist, and the ticks are then deleted', async () => {
  const damaged: { raceId: string; damage: string }[] = [];
  for (const [, damage] of DAMAGES) damaged.push({ raceId: await past(), damage });
  for (const [, damage] of LAY_DAMAGES) damaged.push({ raceId: await pastAtExchange(), damage });
  await archivePast(deps(1));
  const archives = () => Promise.all(damaged.map(({ raceId }) => archiveOf(raceId)));
  const whole = await archives();
  for (const { raceId, damage } of damaged) await query(damage, [raceId]);
  for (const [i, archive] of (await archives()).entries()) expect(archive).not.toEqual(whole[i]);
  // One day is due; the damage is in the next.
  expect(await dropArchivedTicks(deps(45))).toEqual({ dropped: ['2026-11-20'], kept: [] });
  expect(await archives()).toEqual(whole);
  expect(await dropArchivedTicks(deps(50))).toEqual({ dropped: ['2026-11-21'], kept: [] });
  expect([await count('kept_ticks'), await count('kept_exchange_ticks')]).toEqual([0, 0]);
  expect(await reconcileArchive(deps(45))).toEqual({ days: 4, wrong: [] });
});

test('a day whose rows were rewritten has another checksum, because a file may have been built from damaged rows', async () => {
  const raceId = await past();
  const { archive } = deps(1).stores;
  await archive.archive(raceId, after(700));
  const checksum = () => createReads(database().pool).archive.dayChecksum('path', '2026-11-21');
  const before = await checksum();
  expect(await archive.rewrite(raceId, after(800))).toMatchObject({ verdict: 'replaced' });
  const written = await checksum();
  expect(before).not.toBe('no rows');
  expect(written).not.toBe(before);
  // The same prices once more.
  await query(`UPDATE races SET left_board_at = left_board_at + interval '1 s' WHERE race_id = $1`, [raceId]);
  expect(await archive.archive(raceId, after(900))).toMatchObject({ verdict: 'replaced' });
  expect(await checksum()).toBe(written);
});

test('a race that was not past when its days were deleted is archived from its kept ticks, with the same result', async () => {
  const early = await past();
  const late = await past();
  const earlyExchange = await pastAtExchange();
  const lateExchange = await pastAtExchange();
  const leave = (at: string | null) =>
    query('UPDATE races SET left_board_at = $2 WHERE race_id = ANY ($1)', [[late, lateExchange], at]);
  await leave(null);
  await archivePast(deps(1));
  const { dropped, kept } = await dropArchivedTicks(deps(50));
  expect([dropped, new Set(kept)]).toEqual([['2026-11-20', '2026-11-21'], new Set([late, lateExchange])]);
  expect([await count('price_ticks'), await count('price_breaks'), await count('exchange_ticks')]).toEqual([0, 0, 0]);
  await leave(after(640));
  await archivePast(deps(51));
  const closes = await closesOf(early);
  expect(closes).toContainEqual({ close: expect.objectContaining({ price: 2.1, isClosingLine: true }), reason: null });
  expect(await closesOf(late)).toEqual(closes);
  expect(await archiveOf(late)).toEqual(await archiveOf(early));
  expect(await archiveOf(lateExchange)).toEqual(await archiveOf(earlyExchange));
  expect((await archiveOf(lateExchange)).withheld_price_paths).toContainEqual(
    expect.objectContaining({ lay_price: 4.6 }),
  );
});

test.each(DAMAGES)(
  'if %s after one day of a race is deleted, the ticks of its other day are kept and the gap is reported',
  async (_, damage) => {
    const raceId = await past();
    const whole = await past();
    await archivePast(deps(1));
    await dropArchivedTicks(deps(45));
    await query(damage, [raceId]);
    const { retention } = deps(50).stores;
    expect(await retention.unarchived('2026-11-21')).toEqual([{ raceId, why: 'gap', ticks: 2 }]);
    expect(await retention.drop('2026-11-21', after(0))).toBe('unverified');
    expect(await count('price_ticks')).toBe(4);
    const report = await dropArchivedTicks(deps(50));
    expect(report).toEqual({ dropped: ['2026-11-21'], kept: [raceId] });
    expect(logged).toContain('the archive of a race has a gap: its ticks are kept');
    const kept = await query('SELECT DISTINCT race_id FROM kept_ticks');
    expect(kept.rows).toEqual([{ race_id: raceId }]);
    expect([await count('kept_ticks'), await count('kept_breaks'), await count('price_ticks')]).toEqual([2, 1, 0]);
    expect(whole).not.toBe(raceId);
  },
);

test('a worker cannot drop ticks by itself, and the API cannot cause it', async () => {
  await expect(worker().query(`SELECT drop_chunks('price_ticks', older_than => now())`)).rejects.toThrow(
    /must be owner/,
  );
  const api = poolAs(database(), 'racing_api', 1);
  await expect(api.query(`SELECT drop_archived_ticks('2026-11-20', now())`)).rejects.toThrow(/permission denied/);
  await api.end();
});

test('while a day is kept, every later day is kept: a break may belong to a tick of the day before', async () => {
  await past();
  await archivePast(deps(1));
  const { stores, ...rest } = deps(50);
  const { retention } = stores;
  const drop: typeof retention.drop = async (day, at) => (day === '2026-11-20' ? 'busy' : retention.drop(day, at));
  expect(await dropArchivedTicks({ ...rest, stores: { ...stores, retention: { ...retention, drop } } })).toEqual({
    dropped: [],
    kept: [],
  });
  expect([await count('price_ticks'), await count('price_breaks')]).toEqual([6, 1]);
});

test('dropping a day in use is retried after two seconds and succeeds once the day is free', async () => {
  await past();
  await archivePast(deps(1));
  const writer = await database().pool.connect();
  try {
    await writer.query('BEGIN');
    await writer.query('SELECT count(*) FROM price_ticks');
    let freed: Promise<unknown> | null = null;
    const report = await dropArchivedTicks(deps(50), () => {
      if (logged.includes('a day of ticks was not dropped')) freed ??= writer.query('COMMIT');
    });
    await freed;
    expect(logged.filter((what) => what === 'a day of ticks was not dropped')).toHaveLength(1);
    expect(report.dropped).toEqual(['2026-11-20', '2026-11-21']);
  } finally {
    writer.release();
  }
});
