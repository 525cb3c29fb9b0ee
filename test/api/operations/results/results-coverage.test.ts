import type { ListedRace } from '../../../../src/domain/race/feed-race';
import type { PlacedRace } from '../../../../src/store/card/card';
import { createStores } from '../../../../src/store/create-stores';
import type { Stores } from '../../../../src/store/stores';
import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { addRace } from '../../../support/races/board';
import { feedResult, placedRace } from '../../../support/races/builders';

let served: Served;
let key: string;
const HERE = '/v1/racing/results/coverage';
const get = async (search = '') => (await served.api.get(HERE + search, key)).body;

beforeAll(async () => {
  served = await serve();
  key = await served.addKey();
});
afterAll(() => served.stop());

test('with nothing stored, counts are 0 and shares are null', async () => {
  const body = await get();
  expectConforms('results_coverage', body);
  expect(body).toMatchObject({ races: 0, complete_pct: null, supported_complete_pct: null, coverage_from: null });
  expect(body).toMatchObject({
    days: 7,
    from_day: '2026-11-15',
    to_day: '2026-11-21',
    by_day: [],
    venues_incomplete: [],
  });
});

describe('with results', () => {
  beforeAll(async () => {
    const { results } = createStores(served.db.pool);
    const at = '2026-11-21T02:30:00.000Z';
    const ran = async (listed: Parameters<typeof addRace>[1]) => {
      const { raceId } = await addRace(
        served.db.pool,
        { startTime: '2026-11-21T02:00:00.000Z', ...listed },
        { tab: {} },
      );
      await results.saveResult({ raceId, source: 'tab', result: feedResult(), at });
      return raceId;
    };
    const row = { number: 1, name: 'One', box: 1, position: 1, status: 'ran', dead_heat: false } as const;
    const nulls = { jockey: null, trainer: null, sp: null, sp_note: null, margin: null, time_s: null, abnormal: null };
    const filled = await ran({ raceNumber: 1 });
    const field = [{ ...row, ...nulls, runner_ref: null, origin: 'test' }];
    await results.fillField(filled, field, 'racing_australia', at);
    await ran({ raceNumber: 2 });
    const overdue = await ran({ raceNumber: 3 });
    const passed = 'UPDATE race_results SET field_last_pass_at = $2 WHERE race_id = $1';
    await served.db.pool.query(passed, [overdue, at]);
    const old = { meetingDate: '2026-11-13', startTime: '2026-11-13T02:00:00.000Z', venue: 'Old' };
    const gone = await ran(old);
    await results.finalise(gone, at);
    await ran({ category: 'harness', venue: 'Menangle' });
    await results.abandon(await ran({ raceNumber: 9, venue: 'Off' }), 'abandoned', 'tab', at);
  });

  test('the six counts sum to the races, everywhere', async () => {
    const body = await get('?days=30');
    expectConforms('results_coverage', body);
    expect(body).toMatchObject({
      races: 6,
      complete: 1,
      pending: 1,
      overdue: 1,
      unavailable: 1,
      unsupported: 1,
      not_applicable: 1,
    });
    for (const row of [body, ...body.by_category, ...body.by_day, ...body.venues_incomplete]) {
      const { complete, pending, overdue, unavailable, unsupported, not_applicable } = row;
      expect(complete + pending + overdue + unavailable + unsupported + not_applicable).toBe(row.races);
    }
    for (const rows of [body.by_category, body.by_day]) {
      expect(rows.reduce((sum: number, row: { races: number }) => sum + row.races, 0)).toBe(6);
    }
  });

  test('shares are given of all races, and of those with a collector', async () => {
    expect(await get('?days=30')).toMatchObject({ collectable: 4, complete_pct: 16.67, supported_complete_pct: 25 });
  });

  test('each count is the number of results with that status (A 2.12)', async () => {
    const body = await get('?days=30');
    const statuses = (await served.api.get('/v1/racing/results?hours_back=168', key)).body.map(
      (row: { field_status: string }) => row.field_status,
    );
    expect(statuses.filter((status: string) => status === 'pending')).toHaveLength(body.pending);
    expect(statuses.filter((status: string) => status === 'overdue')).toHaveLength(body.overdue);
    expect(statuses.filter((status: string) => status === 'not_applicable')).toHaveLength(body.not_applicable);
  });

  test('days end today, newest first, and only the requested ones are listed', async () => {
    expect(await get('?days=1')).toMatchObject({ from_day: '2026-11-21', races: 5, unavailable: 0 });
    const days = (await get('?days=30')).by_day.map((row: { day: string }) => row.day);
    expect(days).toEqual([...days].sort().reverse());
  });

  test('incomplete meetings with the most missing races come first, each with its settled flag', async () => {
    const { venues_incomplete: venues, venues_incomplete_truncated: cut } = await get('?days=30');
    expect(venues.map((row: { venue: string; settled: boolean }) => [row.venue, row.settled])).toEqual([
      ['Flemington', false],
      ['Old', true],
    ]);
    expect(cut).toBe(false);
  });

  test('a collector is named if there is one', async () => {
    const { by_category: rows } = await get('?days=1');
    expect(rows.find((row: { category: string }) => row.category === 'horse').field_source).toBe('racing_australia');
    expect(rows.find((row: { category: string }) => row.category === 'harness')).not.toHaveProperty('field_source');
  });
});

describe('races without a result', () => {
  const venue = 'Hole';
  const startTime = '2026-11-20T02:00:00.000Z';

  test('are counted besides the six, and their meeting is not settled, once a result is two hours late', async () => {
    const before = await get('?days=30');
    const pool = served.db.pool;
    await addRace(pool, { venue, raceNumber: 1, startTime, meetingDate: '2026-11-20' }, { tab: {} });
    await addRace(pool, { venue, raceNumber: 2, startTime: '2026-11-21T02:59:00.000Z' }, { tab: {} });
    await addRace(pool, { venue: 'Sha Tin', country: 'HK', startTime, meetingDate: '2026-11-20' }, { tab: {} });
    const body = await get('?days=30');
    expectConforms('results_coverage', body);
    expect(body).toMatchObject({ races: before.races, without_result: before.without_result + 1 });
    const hole = body.venues_incomplete.find((row: { venue: string }) => row.venue === venue);
    expect(hole).toMatchObject({ day: '2026-11-20', races: 0, without_result: 1, settled: false });
  });
});

describe('incomplete meetings', () => {
  const DAY = '2026-11-16';
  const START = `${DAY}T02:00:00.000Z`;
  let stores: Stores;

  async function ran(listed: Partial<ListedRace>, over: Partial<PlacedRace> = {}) {
    const placed = { ...placedRace({ meetingDate: DAY, startTime: START, ...listed }), ...over };
    await stores.races.saveCard('tab', [placed], START);
    await stores.results.saveResult({ raceId: placed.raceId, source: 'tab', result: feedResult(), at: START });
  }
  const meetings = async () =>
    (await get('?days=7')).venues_incomplete.filter(({ day }: { day: string }) => day === DAY);

  beforeAll(() => {
    stores = createStores(served.db.pool);
  });

  test('are spelled as the feeds do, so that `venue` of the results finds them (A 2.1)', async () => {
    await ran({ venue: 'Picklebet Park Wodonga' }, { venueCanonical: 'Wodonga' });
    const [{ venue, venue_id, races }] = await meetings();
    const found = (await served.api.get(`/v1/racing/results?date=${DAY}&venue=${encodeURIComponent(venue)}`, key)).body;
    expect(found).toHaveLength(races);
    expect(found[0]).toMatchObject({ venue_id, venue_canonical: 'Wodonga' });
  });

  test('are ordered by races missing, then newest day, venue, country and code, whichever ran later', async () => {
    const late = `${DAY}T09:00:00.000Z`;
    await ran({ venue: 'Bendigo', category: 'horse', startTime: late });
    await ran({ venue: 'Bendigo', category: 'greyhound' });
    await ran({ venue: 'Angle Park', category: 'greyhound' });
    await ran({ venue: 'Zeehan', raceNumber: 1 });
    await ran({ venue: 'Zeehan', raceNumber: 2 });
    const order = (await meetings()).map(({ venue, category }: Record<string, string>) => `${venue} ${category}`);
    expect(order).toEqual([
      'Zeehan horse',
      'Angle Park greyhound',
      'Bendigo greyhound',
      'Bendigo horse',
      'Picklebet Park Wodonga horse',
    ]);
  });
});
