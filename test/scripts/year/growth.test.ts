// What `npm run year` considers growth: a planted case of each kind is found, and an ordinary year has none.
import type { Census, TableSize } from '../../support/year/judges/census';
import { grown, grownBeside } from '../../support/year/judges/growth';

const KB = 1024;

function census(
  day: number,
  tables: Readonly<Record<string, Partial<TableSize>>>,
  redis = { keys: 10, bytes: 2e6 },
): Census {
  const sizes = Object.entries(tables).map(
    ([name, size]) => [name, { rows: 0, bytes: 64 * KB, parts: 0, ...size }] as const,
  );
  return { day, tables: new Map(sizes), redisKeys: redis.keys, redisBytes: redis.bytes, files: 0, fileBytes: 0 };
}

test('a table that should stay the same size may fluctuate, but not grow', () => {
  const early = census(92, { price_ticks: { rows: 10_000, bytes: 5000 * KB }, uptime_checks: { rows: 30 } });
  expect(
    grown(early, census(366, { price_ticks: { rows: 11_000, bytes: 6000 * KB }, uptime_checks: { rows: 31 } })),
  ).toEqual([]);
  const late = census(366, { price_ticks: { rows: 40_000, bytes: 20_000 * KB }, uptime_checks: { rows: 366 } });
  expect(grown(early, late)).toEqual([
    'price_ticks is to stay as it is, and grew from 10000 to 40000 rows',
    'price_ticks is to stay as it is, and grew from 5000 to 20000 kB',
    'uptime_checks is to stay as it is, and grew from 30 to 366 rows',
  ]);
});

test('an unlisted table is judged as one that should not grow', () => {
  expect(grown(census(92, {}), census(366, { added_later: { rows: 500 } }))).toEqual([
    'added_later is to stay as it is, and grew from 0 to 500 rows',
  ]);
});

test('a table that grows forever grows with the days and no faster', () => {
  const early = census(92, { races: { rows: 552 } });
  expect(grown(early, census(366, { races: { rows: 2196 } }))).toEqual([]);
  expect(grown(early, census(366, { races: { rows: 5000 } }))).toEqual([
    'races grows faster than the days: from 552 to 5000 rows, days 4.0 times',
  ]);
});

test('keys and memory of Redis are compared too', () => {
  const early = census(92, {});
  expect(grownBeside(early, census(366, {}))).toEqual([]);
  expect(grownBeside(early, census(366, {}, { keys: 400, bytes: 9e6 }))).toHaveLength(2);
});
