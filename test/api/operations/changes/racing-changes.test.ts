import type { FeedRunner } from '../../../../src/domain/race/feed-race';
import { createRaceStore } from '../../../../src/store/card/races';
import { createQuoteStore } from '../../../../src/store/polls/quotes';
import { createReads } from '../../../../src/store/reads/reads';
import { memoryKeys, startApi } from '../../../support/api/api';
import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { addRace, type BookReport } from '../../../support/races/board';
import { feedRunner, raceSnapshot } from '../../../support/races/builders';
import { slowWriter } from '../../../support/servers/slow-writer';

const HERE = '/v1/racing/changes';
const SET_BACK_MS = 30_000;

let served: Served;
let standard: string;
let plus: string;
beforeAll(async () => {
  served = await serve();
  [standard, plus] = [await served.addKey({ plan: 'standard' }), await served.addKey({ plan: 'plus' })];
});
afterAll(() => served.stop());

let count = 0;
const open = async (books: Record<string, BookReport>, listed = {}): Promise<string> =>
  (
    await addRace(
      served.db.pool,
      { venue: `Venue ${count++}`, startTime: '2026-11-21T04:00:00.000Z', ...listed },
      books,
    )
  ).raceId;

let polls = 0;
async function poll(raceId: string, bookmakerKey: string, runners: FeedRunner[], over = {}, state = false) {
  const observedAt = new Date(Date.parse('2026-11-21T03:00:00.000Z') + polls++ * 1000).toISOString();
  await createQuoteStore(served.db.pool).savePoll({
    raceId,
    bookmakerKey,
    fence: { epoch: 1, attempt: 1 },
    observedAt,
    bookAt: null,
    snapshot: raceSnapshot({ runners, ...over }),
    marketStateSource: state,
    startSource: false,
  });
  return observedAt;
}

const request = (search: string, key = standard) => served.api.get(`${HERE}?${search}`, key);
const iso = (ms: number): string => new Date(ms).toISOString();

/** The changes of the race after the writes of `work`. */
async function after(raceId: string, work: () => Promise<unknown>, key = standard, search = '') {
  const { body } = await request(`since=${iso(Date.now())}`, key);
  await work();
  const answer = await request(`since=${iso(Date.parse(body.server_time) + SET_BACK_MS)}${search}`, key);
  expectConforms('racing_changes', answer.body);
  return answer.body.races.find((race: { race_id: string }) => race.race_id === raceId);
}

const one = (over: Partial<FeedRunner> = {}) => feedRunner(1, { win: 3, place: 1.5, ...over });
const two = (over: Partial<FeedRunner> = {}) => feedRunner(2, { win: 5, ...over });

test('a race has the members that the contract names, and each moved price with its current value', async () => {
  const raceId = await open({ tab: { runners: [one(), two()] }, neds: { runners: [one(), two()] } });
  let at = '';
  const reported = await after(raceId, async () => {
    at = await poll(raceId, 'tab', [one(), two({ win: 6, place: 2, top2: 4 })]);
  });
  expect(Object.keys(reported).join(' ')).toBe(
    'race_id venue race_number category country start_time status market_status inplay market_closed_at inplay_at ' +
      'market_state_source scratchings track_condition_changed_at track_condition weather changed_runners',
  );
  expect(reported.changed_runners).toEqual([
    {
      name: 'Runner 2',
      number: 2,
      bookmaker_key: 'tab',
      win_price: 6,
      place_price: 2,
      top2_price: 4,
      top3_price: null,
      top4_price: null,
      updated_at: at,
    },
  ]);
});

test('a place price that moves alone waits for the win price; a withdrawn price is reported as null', async () => {
  const raceId = await open({ tab: { runners: [one(), two()] } });
  expect(await after(raceId, () => poll(raceId, 'tab', [one({ place: 1.7 }), two()]))).toBeUndefined();
  const moved = await after(raceId, () => poll(raceId, 'tab', [one({ win: 3.5, place: 1.7 }), two()]));
  expect(moved.changed_runners).toMatchObject([{ number: 1, win_price: 3.5, place_price: 1.7 }]);
  const gone = await after(raceId, () => poll(raceId, 'tab', [one({ win: null, place: null }), two({ win: 4 })]));
  expect(gone.changed_runners).toMatchObject([
    { number: 1, win_price: null, place_price: null },
    { number: 2, win_price: 4 },
  ]);
  const left = await after(raceId, () => poll(raceId, 'tab', [one()]));
  expect(left.changed_runners).toMatchObject([
    { name: 'Runner 2', win_price: null },
    { name: 'Runner 1', win_price: 3 },
  ]);
});

test('every scratching is always listed; a scratched runner is never priced, and is reported again when it returns', async () => {
  const out = { at: null, late: null, winDeduction: null, placeDeduction: null };
  const raceId = await open({ tab: { runners: [one(), two()] }, neds: { runners: [one(), two(), feedRunner(3)] } });
  const first = await after(raceId, () => poll(raceId, 'tab', [one(), two({ win: null, scratching: out })]));
  expect(first.scratchings).toMatchObject([{ name: 'Runner 2', number: 2 }]);
  expect(first.changed_runners).toEqual([]);
  const next = await after(raceId, () =>
    poll(raceId, 'neds', [one({ win: 3.2 }), two({ win: 5.5 }), feedRunner(3, { scratching: out })]),
  );
  expect(next.scratchings).toMatchObject([{ number: 2 }, { number: 3 }]);
  expect(next.changed_runners).toMatchObject([{ number: 1, bookmaker_key: 'neds', win_price: 3.2 }]);
  const moved = await after(raceId, () =>
    poll(raceId, 'tab', [one({ win: 2.8 }), two({ win: null, scratching: out })]),
  );
  expect(moved.scratchings).toHaveLength(2);
  const back = await after(raceId, () => poll(raceId, 'tab', [one({ win: 2.8 }), two({ win: null })]));
  expect(back.scratchings).toMatchObject([{ number: 3 }]);
  expect(back.changed_runners).toMatchObject([
    { number: 2, bookmaker_key: 'neds', win_price: 5.5 },
    { number: 2, bookmaker_key: 'tab', win_price: null },
  ]);
});

test('a change of the race alone is listed without runners; a race off the board is not listed', async () => {
  const raceId = await open({ pointsbetau: { runners: [one()] } });
  const facts = { ...raceSnapshot().facts, weather: 'Rain', trackCondition: 'Soft (5)' };
  const written = await after(raceId, () => poll(raceId, 'pointsbetau', [one()], { facts }));
  expect(written).toMatchObject({ weather: 'Rain', track_condition: 'Soft (5)', changed_runners: [] });
  const races = createRaceStore(served.db.pool);
  const at = '2026-11-21T04:01:00.000Z';
  const shut = await after(raceId, async () => {
    await races.savePhase(raceId, 'jumped', { jumpedAt: at }, at);
    await poll(raceId, 'pointsbetau', [one()], { facts, marketStatus: 'CLOSED' }, true);
  });
  expect(shut).toMatchObject({ market_status: 'CLOSED', market_state_source: 'pointsbetau', changed_runners: [] });
  expect(shut.market_closed_at).not.toBeNull();
  await races.savePhase(raceId, 'final', { leftBoardAt: at }, at);
  expect(await after(raceId, () => poll(raceId, 'pointsbetau', [one({ win: 9 })], { facts }))).toBeUndefined();
});

test('a change by the exchange alone, in prices or state, is not a change for a customer (A 1)', async () => {
  const raceId = await open({ tab: { runners: [one()] }, betfair_ex_au: { runners: [one({ win: 3.1 })] } });
  const operator = await served.addKey({ role: 'internal', plan: 'enterprise' });
  const exchange = () =>
    poll(raceId, 'betfair_ex_au', [one({ win: 777.5 })], { marketStatus: 'SUSPENDED', inPlay: true }, true);
  expect(await after(raceId, exchange)).toBeUndefined();
  const shown = await after(raceId, () => poll(raceId, 'betfair_ex_au', [one({ win: 888.5 })]), operator);
  expect(shown).toMatchObject({ market_status: 'SUSPENDED', inplay: true, changed_runners: [{ win_price: 888.5 }] });
  const customers = await after(raceId, () => poll(raceId, 'tab', [one({ win: 4 })]));
  expect(customers).toMatchObject({ market_status: null, inplay: null, inplay_at: null, market_state_source: null });
  expect(customers.changed_runners).toHaveLength(1);
});

test('betslip links come with Plus and above', async () => {
  const ids = { sourceIds: { win: 'a1', place: 'a2' } };
  const sourceUrl = 'https://www.ladbrokes.com.au/racing/flemington/e1';
  const field = (win: number | null) => [one({ ...ids, win, place: null })];
  const raceId = await open({ ladbrokes_au: { runners: field(3), sourceUrl } });
  const below = await after(raceId, () => poll(raceId, 'ladbrokes_au', field(4), { sourceUrl }));
  expect(JSON.stringify(below)).not.toContain('betslip');
  const above = await after(raceId, () => poll(raceId, 'ladbrokes_au', field(5), { sourceUrl }), plus);
  expect(above.changed_runners).toMatchObject([
    { betslip_win_url: expect.stringContaining('a1'), betslip_place_url: null, betslip_app_only: true },
  ]);
  expect(JSON.stringify(above)).not.toContain('source_url');
});

test('category, country and include_unresolved filter; a race whose country is resolved lists every price', async () => {
  const raceId = await open({ tab: { runners: [one(), two()] } }, { country: null, category: 'greyhound' });
  const move = (win: number) => () => poll(raceId, 'tab', [one({ win }), two()]);
  expect(await after(raceId, move(3.1))).toBeUndefined();
  expect(await after(raceId, move(3.2), standard, '&include_unresolved=true')).toMatchObject({ country: null });
  expect(await after(raceId, move(3.3), standard, '&include_unresolved=true&category=horse')).toBeUndefined();
  expect(await after(raceId, move(3.35), standard, '&country=NZ')).toBeUndefined();
  expect(await after(raceId, move(3.4), standard, '&include_unresolved=true&country=NZ')).toMatchObject({
    country: null,
    changed_runners: [{ win_price: 3.4 }],
  });
  const resolved = await after(raceId, () =>
    served.db.pool.query("UPDATE races SET country = 'NZ' WHERE race_id = $1", [raceId]),
  );
  expect(resolved.changed_runners).toMatchObject([{ win_price: 3.4 }, { win_price: 5 }]);
  expect(await after(raceId, move(3.5), standard, '&country=NZ&categories=greyhound')).toMatchObject({ country: 'NZ' });
});

test('server_time is the clock less 30 seconds, so a change near the edge is reported twice', async () => {
  const raceId = await open({ tab: { runners: [one()] } });
  await poll(raceId, 'tab', [one({ win: 8 })]);
  const before = Date.now();
  const { body, headers } = await request(`since=${iso(before - 60_000)}`);
  const serverMs = Date.parse(body.server_time);
  expect(serverMs).toBeGreaterThan(before - SET_BACK_MS - 1000);
  expect(serverMs).toBeLessThanOrEqual(Date.now() - SET_BACK_MS);
  expect([headers.get('etag'), headers.get('cache-control')]).toEqual([null, 'no-store']);
  const again = await request(`since=${body.server_time}`);
  const ids = again.body.races.map((race: { race_id: string }) => race.race_id);
  expect(ids).toContain(raceId);
});

test.each([
  ['nothing', '', 'since is required'],
  ['no instant', 'since=yesterday', 'an instant with its UTC offset'],
  ['no zone', 'since=2026-11-21T03:00:00', 'an instant with its UTC offset'],
  ['more than 30 minutes ago', `since=${iso(Date.now() - 31 * 60_000)}`, 'older than 30 minutes'],
  ['in an hour', `since=${iso(Date.now() + 60 * 60_000)}`, 'in the future'],
])('since: %s is a 422', async (_, search, detail) => {
  const answer = await request(search);
  expect(answer.body).toMatchObject({ status: 422, code: 'validation', errors: [{ parameter: 'since' }] });
  expect(answer.body.detail).toContain(detail);
});

test('since may be 29 minutes old, and slightly in the future', async () => {
  for (const aheadMs of [-29 * 60_000, 30_000]) {
    expect((await request(`since=${iso(Date.now() + aheadMs)}`)).status).toBe(200);
  }
});

test('since may have any offset and precision, as clients print the server_time they were sent (D2)', async () => {
  const { body } = await request(`since=${iso(Date.now())}`);
  const python = body.server_time.replace(/Z$/, '000+00:00');
  for (const since of [python, encodeURIComponent(python), body.server_time.toLowerCase()])
    expect(await request(`since=${since}`)).toMatchObject({ status: 200 });
});

test('on a race clock that runs fast, since and server_time are race time', async () => {
  const raceId = await open({ tab: { runners: [one()] } });
  const clock = { anchorMs: Date.now() - 60_000, speed: 30 };
  const keys = memoryKeys();
  const reads = createReads(served.db.pool);
  const key = keys.add();
  const api = await startApi({ reads, keys, clock });
  const raceMs = () => clock.anchorMs + (Date.now() - clock.anchorMs) * clock.speed;
  const beforeMs = raceMs();
  const first = await api.get(`${HERE}?since=${iso(beforeMs - 60_000)}`, key);
  const serverMs = Date.parse(first.body.server_time);
  expect(serverMs).toBeGreaterThan(beforeMs - SET_BACK_MS - 1000);
  expect(serverMs).toBeLessThanOrEqual(raceMs() - SET_BACK_MS);
  await poll(raceId, 'tab', [one({ win: 4 })]);
  const next = await api.get(`${HERE}?since=${first.body.server_time}`, key);
  expect(next.body.races).toContainEqual(expect.objectContaining({ race_id: raceId }));
  expect((await api.get(`${HERE}?since=${iso(raceMs() - 31 * 60_000)}`, key)).status).toBe(422);
  await api.close();
});

test('a write that stays open for too long is a 503, never skipped', async () => {
  const raceId = await open({ tab: { runners: [one()] } });
  const clock = { anchorMs: Date.now(), speed: 1800 };
  const keys = memoryKeys();
  const reads = createReads(served.db.pool);
  const key = keys.add();
  const api = await startApi({ reads, keys, clock });
  const now = () => iso(clock.anchorMs + (Date.now() - clock.anchorMs) * clock.speed);
  /** Half an hour is a second here: a request that took longer is sent again. */
  const changesNow = async () => {
    for (;;) {
      const answer = await api.get(`${HERE}?since=${now()}`, key);
      if (answer.status !== 422) return answer;
    }
  };
  const writer = await slowWriter(served.db.url);
  await writer.pool.query('UPDATE races SET weather = $2 WHERE race_id = $1', [raceId, 'Hail']);
  let answer = await changesNow();
  while (answer.status === 200) answer = await changesNow();
  expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([503, 'unavailable', '30']);
  await writer.commit();
  expect((await changesNow()).status).toBe(200);
  await api.close();
});
