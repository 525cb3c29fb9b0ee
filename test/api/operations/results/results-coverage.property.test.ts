// Coverage and results agree about the same rows at the same instant (A 2.12), for any results, through the real
// endpoints.
import fc from 'fast-check';
import type { Category } from '../../../../src/domain/race/race';
import { fieldSource } from '../../../../src/domain/results/field-coverage';
import { addDays, aetDay } from '../../../../src/domain/time/aet';
import { createStores } from '../../../../src/store/create-stores';
import type { Stores } from '../../../../src/store/stores';
import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { runs } from '../../../support/property';
import { feedResult, placedRace, resultRunner } from '../../../support/races/builders';

let served: Served;
let stores: Stores;
let key: string;
beforeAll(async () => {
  served = await serve();
  stores = createStores(served.db.pool);
  key = await served.addKey();
});
afterAll(() => served.stop());

const NOW_MS = Date.parse('2026-11-21T03:00:00.000Z');
const HOUR_MS = 3_600_000;
const STATUSES = ['complete', 'pending', 'overdue', 'unavailable', 'unsupported', 'not_applicable'] as const;

interface Ran {
  readonly category: Category;
  readonly country: string | null;
  readonly venue: string;
  /** How long before the request the race started. */
  readonly hoursAgo: number;
  /** How far its start was moved from the day of its meeting. */
  readonly movedHours: number;
  readonly end: 'interim' | 'final' | 'abandoned';
  readonly field: 'stored' | 'passed' | 'none';
}

const ran: fc.Arbitrary<Ran> = fc.record({
  category: fc.constantFrom<Category>('horse', 'harness', 'greyhound'),
  country: fc.constantFrom('AU', 'AU', 'NZ', 'HK', null),
  venue: fc.constantFrom('Ascot', 'Bendigo', 'Cranbourne'),
  hoursAgo: fc.integer({ min: 0, max: 14 * 24 }),
  movedHours: fc.constantFrom(0, 0, 0, -50, 9, 30, 75, 200),
  end: fc.constantFrom('interim', 'final', 'final', 'abandoned'),
  field: fc.constantFrom('stored', 'passed', 'none'),
});

async function write(races: readonly Ran[]): Promise<void> {
  const placed = races.map(({ hoursAgo, movedHours, category, country, venue }, i) => {
    const startMs = NOW_MS - hoursAgo * HOUR_MS;
    const when = { startTime: new Date(startMs).toISOString(), meetingDate: aetDay(startMs - movedHours * HOUR_MS) };
    return placedRace({ ...when, category, country, venue, raceNumber: i + 1 });
  });
  await stores.races.saveCard('tab', placed, new Date(NOW_MS).toISOString());
  for (const [i, { raceId, listed }] of placed.entries()) await end(raceId, listed.startTime, races[i]!);
}

async function end(raceId: string, at: string, { end, field, category, country }: Ran): Promise<void> {
  await stores.results.saveResult({ raceId, source: 'tab', result: feedResult(), at });
  if (end === 'final') await stores.results.finalise(raceId, at);
  const source = fieldSource(category, country);
  if (source && field === 'stored') await stores.results.fillField(raceId, [resultRunner(1)], source, at);
  if (source && field === 'passed')
    await served.db.pool.query('UPDATE race_results SET field_last_pass_at = $2 WHERE race_id = $1', [raceId, at]);
  if (end === 'abandoned') await stores.results.abandon(raceId, 'abandoned', 'tab', at);
}

// biome-ignore lint/suspicious/noExplicitAny: rows as they came over the wire.
type Row = any;
const get = async (path: string): Promise<Row> => (await served.api.get(path, key)).body;

/** The six counts of these results. */
const counted = (rows: readonly Row[]): Record<string, number> =>
  Object.fromEntries([
    ['races', rows.length],
    ...STATUSES.map((status) => [status, rows.filter((row) => row.field_status === status).length]),
  ]);
const countsIn = (row: Row): Record<string, number> =>
  Object.fromEntries(['races', ...STATUSES].map((name) => [name, row[name]]));

test('every count is the number of results with that status, and the six sum to the races: in total, by code, by day and by meeting', async () => {
  const property = async (races: readonly Ran[], daysLater: number, days: number): Promise<void> => {
    await served.db.pool.query('TRUNCATE races CASCADE');
    await write(races);
    served.api.now = NOW_MS + daysLater * 24 * HOUR_MS;
    const body = await get(`/v1/racing/results/coverage?days=${days}`);
    expectConforms('results_coverage', body);
    const returned: Row[] = [];
    for (let day = body.from_day; day <= body.to_day; day = addDays(day, 1))
      returned.push(...(await get(`/v1/racing/results?limit=200&date=${day}`)).map((row: Row) => ({ ...row, day })));

    expect(countsIn(body)).toEqual(counted(returned));
    for (const row of [body, ...body.by_category, ...body.by_day, ...body.venues_incomplete])
      expect(STATUSES.reduce((sum, status) => sum + row[status], 0)).toBe(row.races);
    for (const [groups, names] of [
      [body.by_category, ['country', 'category']],
      [body.by_day, ['day', 'country', 'category']],
    ] as const) {
      const same = (a: Row, b: Row): boolean => names.every((name) => a[name] === b[name]);
      for (const group of groups) expect(countsIn(group)).toEqual(counted(returned.filter((row) => same(row, group))));
      expect(groups.reduce((sum: number, group: Row) => sum + group.races, 0)).toBe(returned.length);
      for (const { country, category, field_source } of groups)
        expect(field_source).toBe(fieldSource(category, country) ?? undefined);
    }
    for (const group of body.venues_incomplete) {
      const rows = returned.filter((row) =>
        ['day', 'venue_id', 'category', 'country'].every((n) => row[n] === group[n]),
      );
      expect(countsIn(group)).toEqual(counted(rows));
      expect(group.settled).toBe(rows.every((row) => row.status !== 'interim'));
    }
    const missing = (row: Row): number => row.pending + row.overdue + row.unavailable;
    const worst = body.venues_incomplete.map(missing);
    expect(worst).toEqual([...worst].sort((a, b) => b - a));
    expect(worst.reduce((a: number, b: number) => a + b, 0)).toBe(missing(body));
    const share = (of: number): number | null => (of === 0 ? null : Math.round((1e4 * body.complete) / of) / 100);
    expect(body.collectable).toBe(body.races - body.unsupported - body.not_applicable);
    expect([body.complete_pct, body.supported_complete_pct]).toEqual([share(body.races), share(body.collectable)]);
  };
  await fc.assert(fc.asyncProperty(fc.array(ran, { maxLength: 14 }), fc.nat(12), fc.constantFrom(1, 7, 30), property), {
    numRuns: runs(30),
  });
});

test('of more than two hundred incomplete meetings the first two hundred are named', async () => {
  await served.db.pool.query('TRUNCATE races CASCADE');
  const meetings = (count: number, from = 0): Ran[] =>
    Array.from({ length: count }, (_, i) => ({
      category: 'horse',
      country: 'AU',
      venue: `Track ${from + i}`,
      hoursAgo: 2,
      movedHours: 0,
      end: 'final',
      field: 'none',
    }));
  served.api.now = NOW_MS;
  await write(meetings(200));
  const full = await get('/v1/racing/results/coverage?days=1');
  expect([full.venues_incomplete.length, full.venues_incomplete_truncated]).toEqual([200, false]);
  await write(meetings(1, 200));
  const cut = await get('/v1/racing/results/coverage?days=1');
  expect([cut.venues_incomplete.length, cut.venues_incomplete_truncated, cut.races]).toEqual([200, true, 201]);
});
