// Which requests the closing-line scorer accepts, the order of its checks, and the properties of every list of bets.
import fc from 'fast-check';
import { FREE_METER, type Meter } from '../../../../src/api/kernel/endpoint/meter';
import { CUSTOMER_BOOKMAKER_KEYS } from '../../../../src/domain/bookmakers';
import { createStores } from '../../../../src/store/create-stores';
import { expectConforms, expectProblemConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { runs } from '../../../support/property';
import { addRace } from '../../../support/races/board';
import { feedField, feedResult } from '../../../support/races/builders';

let served: Served;
let key: string;
let races: readonly string[];
const trace: string[] = [];
const meter: Meter = {
  ...FREE_METER,
  precheck: ({ credits }) => void trace.push(`precheck ${credits}`),
  charge: async ({ credits }) => void trace.push(`charge ${credits}`),
};

beforeAll(async () => {
  served = await serve({ meter });
  key = await served.addKey({ plan: 'plus' });
  const { results } = createStores(served.db.pool);
  const at = '2026-11-21T02:00:00.000Z';
  const ran = async (raceNumber: number, withResult: boolean) => {
    const books = { tab: { at, runners: feedField(2.4, 4.2, null) }, neds: { at, runners: feedField(2.6, 4, null) } };
    const { raceId } = await addRace(served.db.pool, { raceNumber, startTime: at }, books);
    if (withResult) {
      await results.saveResult({ raceId, source: 'tab', result: feedResult(), at });
      await results.finalise(raceId, at);
    }
    return raceId;
  };
  races = [await ran(1, true), await ran(2, false), '0d5a1f9e-6f4c-5b6e-9a53-3d9e4f6a7b10'];
});
afterAll(() => served.stop());
beforeEach(() => trace.splice(0));

const send = (body: unknown, by = key) =>
  served.api.send('POST', '/v1/racing/clv', {
    key: by,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
const bet = (more: object = {}) => ({ race_id: races[0], runner_number: 1, price: 2.5, ...more });

test('a request costs 5 credits, even if no bet could be scored', async () => {
  expect((await send({ bets: [bet()] })).status).toBe(200);
  const { status, body } = await send({ bets: [bet({ race_id: races[2] })] });
  expectConforms('race_clv', body);
  expect([status, body.summary.scored, body.summary.average_clv_pct]).toEqual([200, 0, null]);
  expect(trace).toEqual(['precheck 5', 'charge 5', 'precheck 5', 'charge 5']);
});

test('200 bets are accepted; 201 and an empty list are not', async () => {
  const many = (count: number) => ({ bets: Array.from({ length: count }, () => bet()) });
  expect((await send(many(200))).body.bets).toHaveLength(200);
  for (const count of [0, 201]) {
    const { status, body } = await send(many(count));
    expect([status, body.errors[0].pointer]).toEqual([422, '/bets']);
  }
});

test('a free 422 names every error of every bet by its pointer', async () => {
  const { race_id: _, ...unplaced } = bet();
  const { status, body } = await send({
    reference: 'mean',
    bets: [
      bet({ price: 1, stake: 0, extra: true }),
      bet({ race_id: 'x', runner_number: 0, placed_at: 'yesterday' }),
      { ...unplaced, meeting_date: '2026-02-30' },
    ],
  });
  expectProblemConforms(body);
  const places = body.errors.map((one: { pointer: string }) => one.pointer);
  expect([status, places.sort()]).toEqual([
    422,
    [
      '/bets/0/extra',
      '/bets/0/price',
      '/bets/0/stake',
      '/bets/1/placed_at',
      '/bets/1/runner_number',
      '/bets/2/meeting_date',
      '/bets/2/race_number',
      '/bets/2/venue',
      '/reference',
    ],
  ]);
  expect(trace).toEqual([]);
});

test('one 422 lists the errors of the schema and those beyond it', async () => {
  const { status, body } = await send({ reference: 'mean', bets: [{ price: 1 }, 7, bet({ bookmaker: 'zed' })] });
  expectProblemConforms(body);
  const places = body.errors.map((one: { pointer: string }) => one.pointer);
  expect([status, places.sort()]).toEqual([
    422,
    ['/bets/0/price', '/bets/0/race_id', '/bets/0/runner_number', '/bets/1', '/bets/2/bookmaker', '/reference'],
  ]);
  expect(trace).toEqual([]);
});

test('a bet that cannot be resolved does not affect others: a malformed id is a reason, null is absent, the id is preferred', async () => {
  const nothing = { stake: null, bookmaker: null, ref: null, placed_at: null, venue: null, meeting_date: null };
  const { status, body } = await send({
    bets: [
      bet({ race_id: 'race-7', ref: 'a' }),
      bet({ ...nothing, race_number: null, runner_ref: null, runner_name: null }),
      bet({ venue: 'Elsewhere', meeting_date: '2026-11-20', race_number: 9 }),
      bet({ race_id: null, venue: 'Flemington', meeting_date: '2026-11-21', race_number: 1 }),
    ],
  });
  expectConforms('race_clv', body);
  expect(status).toBe(200);
  expect(body.bets[0]).toMatchObject({ race_id: null, ref: 'a', clv_pct: null, reason: 'race_not_found' });
  for (const row of body.bets.slice(1)) expect(row).toMatchObject({ race_id: races[0], stake: 1, reason: null });
});

test('the detail of a problem names the valid values', async () => {
  const { body } = await send({
    reference: 'mean',
    bets: [bet({ placed_at: 'x' }), { ...bet(), meeting_date: '20261121' }],
  });
  const details = body.errors.map((one: { detail: string }) => one.detail);
  expect(details).toEqual(
    expect.arrayContaining([
      '/reference must be one of best, median.',
      '/bets/0/placed_at must be an instant with its UTC offset, as 2026-11-21T05:20:00Z or 2026-11-21T16:20:00+11:00.',
      '/bets/1/meeting_date must be a calendar day as YYYY-MM-DD.',
    ]),
  );
});

test('a stake is at least one cent, because profit is reported to the cent', async () => {
  expect((await send({ bets: [bet({ stake: 0.01 })] })).status).toBe(200);
  const { status, body } = await send({ bets: [bet({ stake: 0.009 })] });
  expect([status, body.errors[0].pointer]).toEqual([422, '/bets/0/stake']);
});

test('an error beyond the schema has a pointer too', async () => {
  const { race_id, runner_number, ...priced } = bet();
  const { status, body } = await send({
    bets: [bet(), bet({ bookmaker: 'zed' }), { race_id, ...priced }, { runner_number, ...priced, venue: 'Flemington' }],
  });
  expectProblemConforms(body);
  expect([status, body.errors.map((one: { pointer: string }) => one.pointer)]).toEqual([
    422,
    ['/bets/1/bookmaker', '/bets/2/runner_number', '/bets/3/meeting_date', '/bets/3/race_number'],
  ]);
  expect(body.errors[0]).toMatchObject({
    detail: expect.stringContaining("bookmaker is 'zed'"),
    valid_values: CUSTOMER_BOOKMAKER_KEYS,
  });
  expect(trace).toEqual([]);
});

test('Plus and above, whenever the key was issued; the parameters are checked before the plan (D7)', async () => {
  for (const plan of ['free', 'hobby', 'standard']) {
    const by = await served.addKey({ plan, issuedAt: '2026-08-01T00:00:00.000Z' });
    const { status, body } = await send({ bets: [bet()] }, by);
    expect([status, body.code, body.required_plan]).toEqual([403, 'plan_required', 'plus']);
    expect((await send({ bets: [] }, by)).status).toBe(422);
    expect((await send({ bets: [bet({ bookmaker: 'zed' })] }, by)).status).toBe(422);
  }
  expect(trace).toEqual([]);
  for (const plan of ['plus', 'growth', 'business'])
    expect((await send({ bets: [bet()] }, await served.addKey({ plan }))).status).toBe(200);
  expect((await send({ bets: [] }, 'nonsense')).status).toBe(401);
});

describe('for any bets', () => {
  const any = fc.record({
    race: fc.nat(2),
    runner_number: fc.integer({ min: 1, max: 4 }),
    price: fc.oneof(fc.constantFrom(2.4, 2.6, 4.2), fc.double({ min: 1.01, max: 50, noNaN: true })),
    stake: fc.integer({ min: 1, max: 500 }),
    bookmaker: fc.option(fc.constantFrom('tab', 'neds', 'unibet'), { nil: undefined }),
  });
  const lists = fc
    .array(any, { minLength: 1, maxLength: 12 })
    .chain((bets) => fc.tuple(fc.constant(bets), fc.shuffledSubarray([...bets.keys()], { minLength: bets.length })));
  type RandomBet = typeof any extends fc.Arbitrary<infer T> ? T : never;
  const reference = fc.constantFrom('best', 'median');
  type Row = Readonly<Record<string, unknown>> & { clv_pct: number | null; beat_close: boolean | null };
  const without = ({ index: _, ...row }: Row) => row;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

  test('permuted bets give permuted rows and the same summary; the average is that of the rows shown', async () => {
    const check = async (bets: RandomBet[], order: number[], against: string) => {
      const sent = bets.map(({ race, ...one }) => ({ ...one, race_id: races[race] }));
      const one = (await send({ bets: sent, reference: against })).body;
      const other = (await send({ bets: order.map((i) => sent[i]), reference: against })).body;
      expectConforms('race_clv', one);
      expect(other.summary).toEqual(one.summary);
      expect(other.bets.map(without)).toEqual(order.map((i) => without(one.bets[i])));
      const rows: Row[] = one.bets;
      for (const row of rows) {
        expect(row.beat_close).toBe(row.clv_pct === null ? null : row.clv_pct > 0);
        expect(row.reason === null).toBe(row.clv_pct !== null);
        if (row.price === row.close_price && row.reason === null) expect(row.clv_pct).toBe(0);
      }
      const scored = rows.flatMap(({ clv_pct }) => (clv_pct === null ? [] : [clv_pct]));
      expect([one.summary.bets, one.summary.scored]).toEqual([bets.length, scored.length]);
      if (scored.length > 0) expect(Math.abs(one.summary.average_clv_pct - mean(scored))).toBeLessThan(0.00501);
      else expect(one.summary.average_clv_pct).toBeNull();
    };
    await fc.assert(
      fc.asyncProperty(lists, reference, ([bets, order], against) => check(bets, order, against)),
      { numRuns: runs(40) },
    );
  });
});
