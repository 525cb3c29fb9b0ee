// When the exchange's ticks of a day are deleted (D48): once the archive's lay prices follow from them, and not before.
import { archivePast } from '../../../src/activities/archive/archive-past';
import { dropArchivedTicks } from '../../../src/activities/archive/drop-archived-ticks';
import { ADD_MARKET, after, LAY_DAMAGES, retainedDays } from './retained-days';

const { logged, query, deps, pastAtExchange, count } = retainedDays();

test('exchange ticks are deleted with their day once the archived lay prices equal those computed from the ticks', async () => {
  const raceId = await pastAtExchange();
  await archivePast(deps(1));
  const { rows } = await query(
    'SELECT captured_at AS at, lay_price AS lay FROM withheld_price_paths WHERE race_id = $1 AND runner = 1 ORDER BY 1',
    [raceId],
  );
  expect(rows).toEqual([
    { at: after(-3000), lay: 7 },
    { at: after(-600), lay: 4.6 },
    { at: after(-60), lay: 4.6 },
  ]);
  expect(await dropArchivedTicks(deps(45))).toEqual({ dropped: ['2026-11-20'], kept: [] });
  expect(await count('exchange_ticks')).toBe(4);
  expect(await dropArchivedTicks(deps(50))).toEqual({ dropped: ['2026-11-21'], kept: [] });
  expect([await count('exchange_ticks'), await count('kept_exchange_ticks')]).toEqual([0, 0]);
});

test('exchange ticks outside the archive are kept: markets other than WIN, and markets without a captured price', async () => {
  const raceId = await pastAtExchange();
  const uncaptured = await pastAtExchange();
  const win = `1.${uncaptured}`;
  const place = `2.${raceId}`;
  await query('DELETE FROM price_ticks WHERE race_id = $1', [uncaptured]);
  await query(ADD_MARKET, [place, raceId, 'PLACE']);
  await query(
    'INSERT INTO exchange_ticks (at, market_id, selection_id, back_price, lay_price) VALUES ($2, $1, 11, 1.4, 1.5)',
    [place, after(-600)],
  );
  await archivePast(deps(1));
  logged.length = 0;
  expect(await deps(50).stores.retention.drop('2026-11-21', after(0))).toBe('unverified');
  expect(await dropArchivedTicks(deps(50))).toEqual({ dropped: ['2026-11-20', '2026-11-21'], kept: [] });
  const kept = await query(
    'SELECT market_id AS market, count(*)::integer AS ticks FROM kept_exchange_ticks GROUP BY 1 ORDER BY 1',
  );
  expect(kept.rows).toEqual([
    { market: win, ticks: 10 },
    { market: place, ticks: 1 },
  ]);
  // It is not a gap.
  expect(logged).toEqual([
    'days of ticks were dropped after their archive was verified',
    'price paths of races were packed',
  ]);
});

test.each(LAY_DAMAGES)(
  'if an archived lay price differs %s, the exchange ticks of that market and day are kept',
  async (_, damage) => {
    const raceId = await pastAtExchange();
    await pastAtExchange();
    await archivePast(deps(1));
    await query(damage, [raceId]);
    // Its ticks were deleted before the exchange's.
    await query('TRUNCATE price_ticks, price_breaks');
    const { retention } = deps(50).stores;
    expect(await retention.drop('2026-11-21', after(0))).toBe('unverified');
    expect(await dropArchivedTicks(deps(50))).toEqual({ dropped: ['2026-11-20', '2026-11-21'], kept: [raceId] });
    expect(logged).toContain('the archive of a race has a gap: its exchange ticks are kept');
    const kept = await query(
      `SELECT m.race_id, count(*)::integer AS ticks FROM kept_exchange_ticks JOIN exchange_markets m USING (market_id) GROUP BY 1`,
    );
    expect(kept.rows).toEqual([{ race_id: raceId, ticks: 4 }]);
    expect(await count('exchange_ticks')).toBe(0);
  },
);
