import { bookmaker } from '../../../../src/domain/bookmakers';
import { createStores } from '../../../../src/store/create-stores';
import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { addRace } from '../../../support/races/board';

let served: Served;
let customer: string;
beforeAll(async () => {
  served = await serve();
  customer = await served.addKey();
});
afterAll(() => served.stop());

const read = async (query = '', key = customer) => {
  const { status, body } = await served.api.get(`/v1/health/connectors${query}`, key);
  expect(status).toBe(200);
  expectConforms('connectors', body);
  return body;
};
const of = async (connector: string, query = '') =>
  (await read(query)).connectors.find((one: { connector: string }) => one.connector === connector);

const poll = (connector: string, at: string, over = {}) => ({
  connector,
  at,
  ok: true,
  status: 'ok',
  message: null,
  recordsWritten: 2,
  counts: [],
  ...over,
});
const gate = (connector: string, worker: string, reportedAt: string, over: Record<string, unknown> = {}) => {
  const row = { breaker: 'closed', since: '2026-11-21T01:00:00Z', perSecond: 20, source: 'shared', ...over };
  return served.db.pool.query(
    `INSERT INTO connector_gates (connector, worker, breaker, breaker_since, budget_per_second, budget_source,
            refused_over_budget, refused_breaker, reported_at) VALUES ($1, $2, $3, $4, $5, $6, 3, 1, $7)`,
    [connector, worker, row.breaker, row.since, row.perSecond, row.source, reportedAt],
  );
};

test('a book that never reported is stale with nulls, and without invented coverage', async () => {
  const body = await read();
  expect(body).toMatchObject({
    now: '2026-11-21T03:00:00.000Z',
    stale_after_s: 180,
    coverage_stale_after_s: 21_600,
    counted_from: '2026-11-20T00:00:00.000Z',
    any_stale: true,
    not_covering: [],
  });
  expect(await of('boostbet')).toEqual({
    connector: 'boostbet',
    last_ok_age_s: null,
    last_poll_age_s: null,
    last_change_age_s: null,
    polling: false,
    stale: true,
    degraded: false,
    degraded_because: [],
    polls: 0,
    records_written: 0,
    last_msg: null,
    failures: {},
    dropped: {},
    refused: {},
    breaker: null,
    budget: null,
    ages: { live_races: 0, p50_s: null, p90_s: null, p99_s: null },
    sports: [],
    sports_not_covering: [],
  });
  expect(await of('boostbet', '?include_sports=false')).not.toHaveProperty('sports');
});

test('polls, failures and drops are those of the last day, by reason', async () => {
  const { health } = createStores(served.db.pool);
  const counts = (kind: string, reason: string, count: number) => ({ kind, reason, count }) as never;
  await health.recordPolls([
    poll('neds', '2026-11-19T23:00:00.000Z', { counts: [counts('dropped', 'old', 9)] }),
    poll('neds', '2026-11-20T05:00:00.000Z', { counts: [counts('dropped', 'win_not_above_1', 4)] }),
    poll('neds', '2026-11-21T02:59:00.000Z', { counts: [counts('dropped', 'win_not_above_1', 1)] }),
    poll('neds', '2026-11-21T02:59:30.000Z', {
      ok: false,
      status: 'timeout',
      message: 'no answer in 5000 ms',
      recordsWritten: 0,
      counts: [counts('failed', 'timeout', 1), counts('refused', 'ambiguous_race', 2)],
    }),
  ]);
  expect(await of('neds')).toMatchObject({
    last_ok_age_s: 60,
    last_poll_age_s: 30,
    polling: true,
    stale: false,
    degraded: true,
    degraded_because: ['last_poll_failed'],
    polls: 4,
    records_written: 6,
    last_msg: 'timeout: no answer in 5000 ms',
    failures: { timeout: 1 },
    dropped: { win_not_above_1: 5 },
    refused: { ambiguous_race: 2 },
  });
  expect(await of('neds', '?stale_after_s=59')).toMatchObject({ stale: true, polling: true });
});

test('ages are those of a book’s quotes on the races that are live for it', async () => {
  const at = (seconds: number) => new Date(Date.parse('2026-11-21T03:00:00Z') - seconds * 1000).toISOString();
  const ages = [4, 8, 10, 12, 400];
  for (const [i, age] of ages.entries()) {
    const startTime = `2026-11-21T03:${10 + 10 * i}:00.000Z`;
    await addRace(served.db.pool, { raceNumber: i + 1, startTime }, { tab: { at: at(age) }, betr_au: { at: at(age) } });
  }
  // Neither a race of the card tier nor one without a price is polled as often.
  await addRace(served.db.pool, { raceNumber: 9, startTime: '2026-11-21T07:00:00.000Z' }, { tab: { at: at(900) } });
  await addRace(
    served.db.pool,
    { raceNumber: 10, startTime: '2026-11-21T03:30:00.000Z' },
    { tab: { at: at(900), runners: [] } },
  );
  expect(await of('tab')).toMatchObject({
    ages: { live_races: 5, p50_s: 10, p90_s: 400, p99_s: 400 },
    last_change_age_s: 4,
  });
  // A poll in the future proves no age.
  await addRace(
    served.db.pool,
    { raceNumber: 11, startTime: '2026-11-21T03:30:00.000Z' },
    { palmerbet: { at: at(-600) } },
  );
  expect((await of('palmerbet')).ages).toEqual({ live_races: 1, p50_s: 86_400, p90_s: 86_400, p99_s: 86_400 });
  // Betr is live only inside 30 minutes (D21).
  if (bookmaker('betr_au')!.status === 'active') {
    expect((await of('betr_au')).ages).toEqual({ live_races: 3, p50_s: 8, p90_s: 10, p99_s: 10 });
  }
});

test('the breaker is the worst, and the budget the sum, of the reporting workers', async () => {
  await gate('tab', 'a', '2026-11-21T02:59:55Z');
  await gate('tab', 'b', '2026-11-21T02:59:50Z', { breaker: 'open', since: '2026-11-21T02:50:00Z' });
  await gate('tab', 'gone', '2026-11-21T02:50:00Z', { breaker: 'open', since: '2026-11-21T02:00:00Z' });
  expect(await of('tab')).toMatchObject({
    degraded: true,
    degraded_because: ['breaker_open'],
    breaker: { state: 'open', since: '2026-11-21T02:50:00.000Z', workers: 2, workers_open: 1, refused: 2 },
    budget: { per_second: 20, source: 'shared', refused: 6 },
  });
  await gate('neds', 'gone', '2026-11-21T02:50:00Z', { breaker: 'closed' });
  expect(await of('neds')).toMatchObject({ breaker: null, budget: null });
  await gate('pointsbetau', 'a', '2026-11-21T02:59:55Z', { source: 'own_share', perSecond: 10 });
  await gate('pointsbetau', 'b', '2026-11-21T02:59:55Z', { source: 'own_share', perSecond: 10 });
  expect(await of('pointsbetau')).toMatchObject({
    degraded_because: ['budget_not_shared'],
    breaker: { state: 'closed' },
    budget: { per_second: 20, source: 'own_share' },
  });
});

test('only operators see the exchange (A 1)', async () => {
  const { health } = createStores(served.db.pool);
  await health.recordPolls([poll('betfair_ex_au', '2026-11-21T02:59:59.000Z')]);
  expect(await of('betfair_ex_au')).toBeUndefined();
  const all = await read('', await served.addKey({ role: 'internal' }));
  const names = all.connectors.map((one: { connector: string }) => one.connector);
  expect(names).toContain('betfair_ex_au');
  expect(names).not.toContain('ponybet');
});

test('a threshold outside its limits is a 422 that names it', async () => {
  const { status, body } = await served.api.get('/v1/health/connectors?stale_after_s=0', customer);
  expect([status, body.errors[0].parameter]).toEqual([422, 'stale_after_s']);
});

describe('a registry, which is read every two hours', () => {
  const ago = (minutes: number) => new Date(Date.parse('2026-11-21T03:00:00Z') - minutes * 60_000).toISOString();
  const wall = { ok: false, status: 'blocked', message: 'HTTP 200 with "Just a moment..."', recordsWritten: 0 };
  const away = { ok: false, status: 'network', message: 'ECONNREFUSED', recordsWritten: 0 };
  const summaryOf = async (connector: string) => {
    const { polling, stale, degraded, last_ok_age_s, last_msg } = await of(connector);
    return { polling, stale, degraded, last_ok_age_s, last_msg };
  };
  const NEVER = { polling: false, stale: true, degraded: false, last_ok_age_s: null, last_msg: null };

  test.each(['racing_australia', 'racing_australia_results', 'topaz'])('%s', async (connector) => {
    const { health } = createStores(served.db.pool);
    expect(await summaryOf(connector)).toEqual(NEVER);
    await health.recordPolls([poll(connector, ago(400), wall)]);
    expect(await summaryOf(connector)).toEqual({
      ...NEVER,
      degraded: true,
      last_msg: 'blocked: HTTP 200 with "Just a moment..."',
    });
    await health.recordPolls([poll(connector, ago(119))]);
    const well = { polling: true, stale: false, degraded: false, last_ok_age_s: 7140, last_msg: null };
    expect(await summaryOf(connector)).toEqual(well);
    await health.recordPolls([poll(connector, ago(5), away)]);
    expect(await summaryOf(connector)).toEqual({ ...well, degraded: true, last_msg: 'network: ECONNREFUSED' });
  });

  test('a registry without a success for more than a run and a half is stale; a longer stale_after_s allows more', async () => {
    await served.db.pool.query("UPDATE connector_health SET last_ok_at = $1 WHERE connector = 'topaz'", [ago(181)]);
    expect(await of('topaz')).toMatchObject({ stale: true, polling: true });
    expect(await of('topaz', '?stale_after_s=14400')).toMatchObject({ stale: false });
  });
});
