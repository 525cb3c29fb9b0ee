// The rules of A 2.11, each on results written by the real stores.
import { aetDay } from '../../../../src/domain/time/aet';
import { createStores } from '../../../../src/store/create-stores';
import { createReads } from '../../../../src/store/reads/reads';
import type { Stores } from '../../../../src/store/stores';
import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { addRace } from '../../../support/races/board';
import { feedField, feedResult, feedRunner } from '../../../support/races/builders';

let served: Served;
let stores: Stores;
let key: string;
const get = async (search: string) => (await served.api.get(`/v1/racing/results${search}`, key)).body;
const rowOf = async (venue: string) => {
  const rows = await get(`?venue=${venue}&hours_back=168`);
  expectConforms('race_results', rows);
  expect(rows).toHaveLength(1);
  return rows[0];
};

const START = '2026-11-21T02:00:00.000Z';
const at = (minutes: number): string => new Date(Date.parse(START) + minutes * 60_000).toISOString();

async function race(venue: string, listed: Parameters<typeof addRace>[1] = {}, books = {}) {
  const priced = { ladbrokes_au: { runners: feedField(2.5, 4.2, 8), at: START }, ...books };
  const { raceId } = await addRace(served.db.pool, { venue, startTime: START, ...listed }, priced);
  const report = (minutes: number, over: Parameters<typeof feedResult>[0] = {}, source = 'ladbrokes_au') =>
    stores.results.saveResult({ raceId, source, result: feedResult(over), at: at(minutes) });
  return { raceId, report };
}

const placed = (...order: [position: number, number: number][]) =>
  order.map(([position, number]) => ({ position, number, name: `Runner ${number}` }));

beforeAll(async () => {
  served = await serve();
  stores = createStores(served.db.pool);
  key = await served.addKey();
});
afterAll(() => served.stop());

test('four positions of a book that lists the whole field are placings, and the field stays pending', async () => {
  const { report } = await race('Whole');
  await report(4, { placings: placed([1, 3], [2, 1], [3, 2], [4, 4], [4, 5], [6, 6], [7, 7]) });
  const row = await rowOf('whole');
  expect(row.placings.map((placing: { number: number }) => placing.number)).toEqual([3, 1, 2, 4, 5]);
  expect(row).toMatchObject({ runners: null, field_status: 'pending' });
});

test.each([
  ['upheld', placed([1, 2], [2, 1], [3, 3])],
  ['dismissed', placed([1, 1], [2, 2], [3, 3])],
])('a protest %s: in the note while it stands, settled only at final', async (outcome, placings) => {
  const { raceId, report } = await race(outcome);
  await report(4);
  expect(await rowOf(outcome)).toMatchObject({ status: 'interim', status_note: null });
  await report(6, { protest: true, note: 'protest: second against first' });
  expect(await rowOf(outcome)).toMatchObject({ status: 'interim', status_note: 'protest: second against first' });
  await report(7, { protest: true, note: null }, 'tab');
  expect((await rowOf(outcome)).status_note).toContain('protest');
  await report(9, {}, 'tab');
  await report(9, { stage: 'final', placings });
  expect(await rowOf(outcome)).toMatchObject({ status: 'interim', status_note: null });
  await stores.results.finalise(raceId, at(40));
  const row = await rowOf(outcome);
  expect(row).toMatchObject({ status: 'final', status_note: null, resulted_at: at(4) });
  expect(row.placings[0].number).toBe(placings[0]!.number);
});

test('a protest without a reason is in the note too', async () => {
  const { report } = await race('Wordless');
  await report(4, { protest: true });
  expect(await rowOf('wordless')).toMatchObject({ status: 'interim', status_note: 'protest' });
});

const shut = { runners: feedField(2.4), at: START, marketStatus: 'CLOSED' };

test('market stamps are copied while the race is on the board; a late result keeps null (A 2.2)', async () => {
  const soon = await race('Soon', {}, { pointsbetau: shut });
  await soon.report(4);
  const late = await race('Late', {}, { pointsbetau: shut });
  await stores.races.savePhase(late.raceId, 'jumped', { jumpedAt: START, leftBoardAt: at(10) }, at(10));
  await late.report(50);
  expect(await rowOf('soon')).toMatchObject({ market_closed_at: START, market_state_source: 'pointsbetau' });
  expect(await rowOf('late')).toMatchObject({ market_closed_at: null, inplay_at: null, market_state_source: null });
});

test('a market state that only an exchange reports is withheld', async () => {
  const { report } = await race('Exchange', {}, { betfair_ex_au: { ...shut, inPlay: true } });
  await report(4);
  expect(await rowOf('exchange')).toMatchObject({
    market_closed_at: null,
    inplay_at: null,
    market_state_source: null,
  });
});

const QUADDIE = {
  code: 'QD',
  type: 'Quaddie',
  product: 'VIC',
  selection: '1,2,3,1',
  amount: 90,
  legs: [1, 2, 3, 4].map((raceNumber) => ({ raceNumber })),
};

test('dividends: per placegetter and product, exotics, and multi-race on its final leg with the legs that we cover', async () => {
  const leg = await race('Legs', { raceNumber: 3 });
  await leg.report(4, {}, 'tab');
  const { raceId, report } = await race('Legs', { raceNumber: 4, startTime: at(30) });
  await report(34, {
    straight: [
      { market: 'WIN', product: 'VIC', number: 1, amount: 5.5 },
      { market: 'PLC', product: 'VIC', number: 2, amount: 1.7 },
    ],
    exotics: [{ code: 'FF', product: 'VIC', selection: '1,2,3,4', amount: 801.2 }],
    multiRace: [QUADDIE],
  });
  const [row, earlier] = await get('?venue=legs');
  expectConforms('race_results', [row, earlier]);
  expect(row.dividends).toEqual({
    straight: [
      { name: 'Runner 1', number: 1, position: 1, market: 'WIN', product: 'VIC', amount: 5.5 },
      { name: 'Runner 2', number: 2, position: 2, market: 'PLC', product: 'VIC', amount: 1.7 },
    ],
    exotics: [{ code: 'FF', type: 'First Four', product: 'VIC', selection: '1,2,3,4', amount: 801.2 }],
    multi_race: [
      {
        code: 'QD',
        type: 'Quaddie',
        selection: '1,2,3,1',
        product: 'VIC',
        amount: 90,
        legs: [
          { race_number: 1, race_id: null },
          { race_number: 2, race_id: null },
          { race_number: 3, race_id: leg.raceId },
          { race_number: 4, race_id: raceId },
        ],
      },
    ],
    straight_types: ['VIC'],
  });
  expect(earlier.dividends).toBeNull();
});

test.each([
  ['2026-09-28', false],
  ['2026-09-29', true],
])('multi-race dividends of meeting day %s: the key is present, %s', async (meetingDate, there) => {
  const { report } = await race(`Day ${meetingDate}`, { meetingDate, startTime: `${meetingDate}T02:00:00.000Z` });
  await report(4, { multiRace: [QUADDIE] });
  const [row] = await get(`?date=${meetingDate}`);
  expectConforms('race_results', [row]);
  expect(Object.hasOwn(row.dividends, 'multi_race')).toBe(there);
});

test('a deduction is a fraction of the dollar, including zero; one that no book has reported is left out', async () => {
  const out = (winDeduction: number | null, placeDeduction: number | null) => ({
    scratching: { at: at(-20), late: true, winDeduction, placeDeduction },
  });
  const runners = [
    ...feedField(2.5, 4.2),
    feedRunner(3, out(0.08, 0.05)),
    feedRunner(4, out(0, null)),
    feedRunner(5, out(null, null)),
  ];
  const { report } = await race('Deducted', {}, { ladbrokes_au: { runners, at: START } });
  await report(4, { placings: placed([1, 1], [2, 2]) });
  expect((await rowOf('deducted')).deductions).toEqual([
    { name: 'Runner 3', number: 3, win: 0.08, place: 0.05, scratched_at: at(-20) },
    { name: 'Runner 4', number: 4, win: 0, place: null, scratched_at: at(-20) },
  ]);
});

test.each(['abandoned', 'postponed', 'transferred to Sandown'])(
  'a race that was %s returns that note and no result',
  async (note) => {
    const { raceId, report } = await race(`Not run ${note}`);
    await report(4);
    await stores.results.abandon(raceId, note, 'racing_australia', at(5));
    expect(await rowOf(`not run ${note}`)).toMatchObject({
      status: 'abandoned',
      status_note: note,
      placings: [],
      runners: null,
      deductions: [],
      dividends: null,
      resulted_at: null,
      field_status: 'not_applicable',
      field_source: 'racing_australia',
      field_note: null,
    });
  },
);

test('Hong Kong has prices only: its races have no results, are not counted, and do not begin the archive (A 1)', async () => {
  const early = { meetingDate: '2026-08-19', startTime: '2026-08-19T10:00:00.000Z' };
  const exotics = [{ code: 'QN', product: 'VIC', selection: '1,2', amount: 8.4 }] as const;
  for (const listed of [early, {}]) {
    const { raceId, report } = await race('Sha Tin', { country: 'HK', ...listed });
    await report(4, { exotics });
    const { body } = await served.api.get(
      `/v1/racing/markets?race_id=${raceId}`,
      await served.addKey({ plan: 'plus' }),
    );
    expect(body.markets).toEqual(['win', 'place']);
    expect(body).not.toHaveProperty('exotics');
    expect(await createReads(served.db.pool).raceExotics(raceId)).toBeNull();
  }
  expect(await get('?venue=sha tin&hours_back=168')).toEqual([]);
  expect(await get('?country=HK')).toEqual([]);
  expect(await get('?date=2026-08-19')).toEqual([]);
  const { by_category: groups, coverage_from } = (await served.api.get('/v1/racing/results/coverage', key)).body;
  expect(groups.map((group: { country: string }) => group.country)).not.toContain('HK');
  const [row] = await get('?hours_back=168');
  expect(Date.parse(row.coverage_from)).toBeGreaterThan(Date.parse(early.startTime));
  expect(coverage_from).toBe(row.coverage_from);
});

describe('the floor of the collection (A 2.11 rule 7)', () => {
  beforeAll(async () => {
    for (const [venue, startTime] of [
      ['Before', '2026-08-14T13:59:00.000Z'],
      ['After', '2026-08-14T14:00:00.000Z'],
    ] as const) {
      const meetingDate = aetDay(Date.parse(startTime));
      const { raceId } = await race(venue, { startTime, meetingDate });
      await stores.results.saveResult({ raceId, source: 'tab', result: feedResult(), at: startTime });
    }
  });
  afterAll(() => {
    served.api.now = Date.parse('2026-11-21T03:00:00.000Z');
  });

  test('hours_back stops at the first midnight of the collection in Sydney', async () => {
    served.api.now = Date.parse('2026-08-15T01:00:00.000Z');
    const venues = (await get('?hours_back=168')).map((row: { venue: string }) => row.venue);
    expect(venues).toContain('After');
    expect(venues).not.toContain('Before');
  });

  test('an earlier date is refused, and the detail names the floor', async () => {
    expect(await get('?date=2026-08-15')).toEqual([expect.objectContaining({ venue: 'After' })]);
    expect(await get('?date=2026-08-14')).toMatchObject({ status: 422, detail: expect.stringContaining('2026-08-15') });
  });
});
