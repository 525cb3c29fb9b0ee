// The public reports over a real archive: no figure while nothing is measured, then exactly what the operations count,
// for bookmakers that customers may see.
import { createStores } from '../../../../src/store/create-stores';
import { expectConforms, expectProblemConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { archivedRace } from '../../../support/races/archived-race';

const COVERAGE = '/coverage-report.json';
const FACTS = '/platform-facts.json';
const HALF_HOUR_MS = 30 * 60_000;

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.stop());

const get = async (path: string, key?: string) => (await served.api.get(path, key)).body;
/** No report is older: one without a part is kept for a minute, a complete one for half an hour. */
const later = async (path: string) => {
  served.api.now += HALF_HOUR_MS;
  try {
    return await get(path);
  } finally {
    served.api.now -= HALF_HOUR_MS;
  }
};

const secondsBefore = (at: string, seconds: number): string => new Date(Date.parse(at) - seconds * 1000).toISOString();

test.each([
  [COVERAGE, ['prices', 'bookmakers', 'results', 'archive']],
  [
    FACTS,
    [
      'bookmakers_collected',
      'races_archived',
      'closing_lines_archived',
      'prices_archived',
      'archive_first_day',
      'uptime_30d_pct',
      'probe_latency_median_ms',
    ],
  ],
])(
  '%s is a 503 that names what is missing, without a number, while nothing is measured (A 4.14)',
  async (path, names) => {
    const { status, headers, body } = await served.api.get(path);
    expect([status, headers.get('retry-after'), headers.get('x-credits-cost')]).toEqual([503, '60', null]);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expectProblemConforms(body);
    expect(body.code).toBe('unavailable');
    expect(body.unavailable.map(({ name }: { name: string }) => name)).toEqual(names);
    for (const { reason } of body.unavailable) expect(reason).toMatch(/^[A-Z].*\.$/);
    expect(body).not.toHaveProperty('facts');
    // HEAD does no work, so it cannot know it.
    const head = await served.api.send('HEAD', path);
    expect([head.status, head.text]).toEqual([200, '']);
    expect(served.api.logged).toEqual([]);
  },
);

describe('with races', () => {
  let key: string;
  beforeAll(async () => {
    key = await served.addKey({ plan: 'plus' });
    const { pool } = served.db;
    const race = (day: string, raceNumber: number) => ({
      startTime: `${day}T02:00:00.000Z`,
      meetingDate: day,
      raceNumber,
    });
    const first = { ...race('2026-11-19', 1), placed: [1] };
    await archivedRace(pool, first, {
      tab: [
        [1800, 4],
        [20, 3.5],
      ],
      betfair_ex_au: [[20, 666]],
    });
    // Neds's last price is too old for a closing line.
    await archivedRace(pool, race('2026-11-20', 2), { tab: [[30, 5]], neds: [[2400, 6]] });
    await archivedRace(pool, race('2026-11-10', 3), { neds: [[30, 7]] });
    const { results, archive } = createStores(pool);
    const abandoned = await archivedRace(pool, race('2026-11-18', 5), { neds: [[30, 8]] });
    await results.abandon(abandoned, 'abandoned', 'neds', '2026-11-18T03:00:00.000Z');
    await archive.archive(abandoned, '2026-11-18T03:00:00.000Z');
  });

  test('the shares of prices cover the races of the last seven Sydney days that were not abandoned, by code, country and bookmaker', async () => {
    const report = await get(COVERAGE);
    expectConforms('coverage_report', report);
    const { by_code, ...span } = report.prices;
    expect(span).toMatchObject({ days: 7, from_day: '2026-11-15', to_day: '2026-11-21', races: 2 });
    expect(by_code).toHaveLength(1);
    expect(by_code[0]).toMatchObject({ category: 'horse', country: 'AU', races: 2 });
    const [tab, neds, third] = by_code[0].bookmakers;
    const named = (bookmaker: string, title: string) => expect.objectContaining({ bookmaker, title });
    expect([tab, neds]).toEqual([named('tab', 'TAB'), named('neds', 'Neds')]);
    expect(tab).toMatchObject({ races_priced: 2, races_priced_pct: 100, races_closed: 2, races_closed_pct: 100 });
    expect(neds).toMatchObject({ races_priced: 1, races_priced_pct: 50, races_closed: 0, races_closed_pct: 0 });
    expect(third).toMatchObject({ bookmaker: 'betdeluxe', races_priced: 0, races_priced_pct: 0 });
    expect(JSON.stringify(report)).not.toMatch(/betfair|pinnacle|ponybet/);
  });

  test('results and archive equal the counts of their operations', async () => {
    const { results, archive, unavailable } = await get(COVERAGE);
    expect(await get('/v1/racing/results/coverage?days=7', key)).toMatchObject(results);
    expect(await get('/v1/racing/closing-lines/coverage', key)).toMatchObject(archive);
    expect([results.races, results.not_applicable, results.without_result, archive.races]).toEqual([2, 1, 1, 3]);
    expect(unavailable).toEqual([{ name: 'bookmakers', reason: 'No bookmaker has been polled yet.' }]);
  });

  test('facts are exact counts with their time, and unmeasured facts are absent and named', async () => {
    const body = await get(FACTS);
    expectConforms('platform_facts', body);
    const { paths } = await get('/openapi.json');
    const operations = Object.values<object>(paths).flatMap((methods) => Object.keys(methods)).length;
    const values = Object.entries<{ value: unknown }>(body.facts).map(([name, { value }]) => [name, value]);
    expect(Object.fromEntries(values)).toEqual({
      races_archived: 3,
      closing_lines_archived: 4,
      prices_archived: 6,
      archive_first_day: '2026-11-10',
      operations_served: operations,
    });
    expect(body.facts.races_archived.as_of).toBe('2026-11-21T03:00:00.000Z');
    expect(body.unavailable.map(({ name }: { name: string }) => name)).toEqual([
      'bookmakers_collected',
      'uptime_30d_pct',
      'probe_latency_median_ms',
    ]);
  });

  test('a part appears once it is measured: a book within a day, the probe, its median latency', async () => {
    const { health } = createStores(served.db.pool);
    const poll = { ok: true, status: 'ok', message: null, recordsWritten: 1, counts: [] };
    const now = '2026-11-21T02:59:00.000Z';
    const yesterday = '2026-11-20T02:00:00.000Z';
    await health.recordPolls([
      { ...poll, connector: 'tab', at: now },
      { ...poll, connector: 'neds', at: yesterday },
      { ...poll, connector: 'betfair_ex_au', at: now },
      { ...poll, connector: 'racing_australia', at: now },
    ]);
    const check = { ok: true, target: 'http://probe.example/healthz' };
    const latencies = [3, 4, 11];
    for (const [i, latencyMs] of latencies.entries())
      await health.recordUptime([{ ...check, latencyMs, at: secondsBefore(now, 600 * i) }]);
    await health.recordUptime([{ ...check, ok: false, latencyMs: 5000, at: secondsBefore(now, 1900) }]);
    const { facts, unavailable } = await later(FACTS);
    expect(unavailable).toEqual([]);
    expect(facts.bookmakers_collected.value).toBe(1);
    expect(facts.uptime_30d_pct).toMatchObject({ value: 75, as_of: now });
    expect(facts.probe_latency_median_ms).toMatchObject({ value: 4, as_of: now });
    const report = await later(COVERAGE);
    expect(report.unavailable).toEqual([]);
    const titles = report.bookmakers.map(({ title }: { title: string }) => title);
    expect(titles).toEqual(expect.arrayContaining(['TAB', 'BoostBet']));
    expect(titles).not.toContain('Betfair Exchange');
    const statusOf = (title: string) => report.bookmakers.find((one: { title: string }) => one.title === title).status;
    expect([statusOf('TAB'), statusOf('BoostBet')]).toEqual(['ok', null]);
  });

  test('bookmakers have their current states, whenever the report was counted', async () => {
    const before = await get(COVERAGE);
    const { health } = createStores(served.db.pool);
    const failed = { ok: false, status: 'timeout', message: null, recordsWritten: 0, counts: [] };
    const statusOf = (report: { bookmakers: { title: string; status: string }[] }) =>
      report.bookmakers.find(({ title }) => title === 'TAB')!.status;
    expect(statusOf(before)).toBe('ok');
    served.api.now += 20_000;
    try {
      await health.recordPolls([{ ...failed, connector: 'tab', at: '2026-11-21T03:00:10.000Z' }]);
      const report = await get(COVERAGE);
      expectConforms('coverage_report', report);
      expect([statusOf(report), report.bookmakers_as_of]).toEqual(['error', '2026-11-21T03:00:20.000Z']);
      expect(report.as_of).toBe(before.as_of);
    } finally {
      served.api.now -= 20_000;
    }
  });

  test('a complete report is computed once in half an hour, and its tag leaves out its age', async () => {
    served.api.now += 2 * HALF_HOUR_MS;
    const first = await served.api.get(COVERAGE);
    const start = { startTime: '2026-11-21T01:00:00.000Z', meetingDate: '2026-11-21', raceNumber: 4 };
    await archivedRace(served.db.pool, start, { tab: [[30, 2]] });
    served.api.now += HALF_HOUR_MS - 1000;
    const tag = first.headers.get('etag')!;
    const same = await served.api.get(COVERAGE, undefined, { 'If-None-Match': tag });
    expect([same.status, same.headers.get('x-data-age-seconds')]).toEqual([304, '1799']);
    served.api.now += 1000;
    const next = await served.api.get(COVERAGE, undefined, { 'If-None-Match': tag });
    expect([first, next].map(({ headers }) => headers.get('x-data-age-seconds'))).toEqual(['0', '0']);
    expect([next.status, first.body.prices.races, next.body.prices.races]).toEqual([200, 2, 3]);
    expect(Date.parse(next.body.as_of) - Date.parse(first.body.as_of)).toBe(HALF_HOUR_MS);
  });
});
