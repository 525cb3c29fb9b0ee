// What closing lines and market summaries have in common over HTTP: formats that agree, cost, plans and their windows,
// and refusals that are free.
import { once } from 'node:events';
import { get as request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import type { ArchiveReads } from '../../../../src/store/reads/archive/archive-reads';
import { createReads } from '../../../../src/store/reads/reads';
import { expectProblemConforms } from '../../../support/api/conforms';
import { until } from '../../../support/races/stream-lab';
import { archivedWorld, cellsOf, costOf, LINES, RACES, SUMMARY, tableOf } from './archived-world';

const DAY_MS = 24 * 3_600_000;

const world = archivedWorld();
const { ids, keys, get, rowsOf, withArchive } = world;

describe.each([
  ['closing lines', LINES, 'closing_only=false&include_flagged=true&include_scratched=true', 48],
  ['market summaries', SUMMARY, '', 17],
] as const)('%s', (_, path, search, total) => {
  test('are the same as CSV, whose columns are the members in their order', async () => {
    const rows = await rowsOf(`${path}?${search}`);
    const csv = await get(`${path}?${search}&format=csv`);
    expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
    expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="[a-z-]+\.csv"$/);
    const [names] = parse(csv.text) as string[][];
    expect(names).toEqual(Object.keys(rows[0]!));
    expect(tableOf(csv.text)).toEqual(rows.map(cellsOf));
    expect(rows).toHaveLength(total);
  });

  test('cost 5 credits, 20 as CSV, and nothing if no row is sent', async () => {
    expect(costOf(await get(path))).toBe('5');
    const csv = await get(`${path}?format=csv`);
    expect([costOf(csv), csv.headers.get('etag')]).toEqual(['20', null]);
    const head = await world.served.api.send('HEAD', `${path}?format=csv`, { key: keys.plus });
    expect([head.status, costOf(head), head.headers.get('content-type')]).toEqual([
      200,
      '0',
      'text/csv; charset=utf-8; header=present',
    ]);
    const tag = (await get(path)).headers.get('etag')!;
    const same = await world.served.api.get(path, keys.plus, { 'If-None-Match': tag });
    expect([same.status, costOf(same)]).toEqual([304, '0']);
    expect(await world.stores.credits.audit()).toEqual([]);
  });

  test('name every error of a request, for free', async () => {
    const wrong =
      'from=yesterday&to=2026-02-30&category=dogs&country=AUS&race_id=7&format=xml&limit=0&offset=-1&what=1';
    const answer = await get(`${path}?${wrong}`);
    expect([answer.status, costOf(answer)]).toEqual([422, '0']);
    expectProblemConforms(answer.body);
    expect(answer.body.errors.map((one: { parameter: string }) => one.parameter).sort()).toEqual([
      'category',
      'country',
      'format',
      'from',
      'limit',
      'offset',
      'race_id',
      'to',
      'what',
    ]);
    expect(answer.body.detail).toContain(
      'from must be a calendar day as YYYY-MM-DD, or an instant with its UTC offset',
    );
    for (const [more, parameter] of [
      ['date=2026-04-05&from=2026-04-05', 'from'],
      ['date=2026-04-05&to=2026-04-05', 'to'],
      ['from=2026-04-06&to=2026-04-05', 'from'],
      ['from=2027-01-01', 'from'],
      ['limit=5001', 'limit'],
      ['format=csv&limit=50001', 'limit'],
      ['format=parquet&limit=50001', 'limit'],
      ['format=xls', 'format'],
      ['venue=', 'venue'],
    ]) {
      const { status, body } = await get(`${path}?${more}`);
      expect([more, status, body.errors?.[0].parameter]).toEqual([more, 422, parameter]);
    }
    expect((await get(`${path}?format=csv&limit=50000`)).status).toBe(200);
    for (const far of [
      'from=0001-01-01&to=9999-12-31',
      'to=9999-12-31T23:59:59.999Z',
      'date=9999-12-31',
      'offset=1000000000',
    ])
      expect([far, (await get(`${path}?${far}`)).status]).toEqual([far, 200]);
  });

  test('are complete for Plus and older Standard keys, and the last 90 days for younger ones', async () => {
    for (const key of [keys.plus, keys.older]) {
      const answer = await get(path, key);
      expect([answer.status, answer.headers.get('x-archive-window-days')]).toEqual([200, null]);
      expect(answer.body).toMatchObject({ window_days: null });
      expect(answer.body.rows[0].race_id).toBe(ids.midnight);
    }
    const cut = await get(path, keys.standard);
    expect([cut.headers.get('x-archive-window-days'), cut.body.window_days]).toEqual(['90', 90]);
    expect(cut.body.rows[0].race_id).toBe(ids.spring);
    expect(cut.body.total_rows).toBe(cut.body.rows.length);
    const csv = await get(`${path}?format=csv`, keys.standard);
    expect(csv.headers.get('x-archive-window-days')).toBe('90');
    expect(tableOf(csv.text)).toEqual(cut.body.rows.map(cellsOf));
    expect((await get(`${path}?race_id=${ids.autumn}`, keys.standard)).body.total_rows).toBe(0);
  });

  test('have a window of 90 × 24 hours, to the second', async () => {
    const startMs = Date.parse(RACES.spring.startTime);
    const before = world.served.api.now;
    try {
      for (const [second, first] of [
        [0, ids.spring],
        [1, ids.late],
      ] as const) {
        world.served.api.now = startMs + 90 * DAY_MS + second * 1000;
        expect((await get(`${path}?to=2026-10-04`, keys.standard)).body.rows[0].race_id).toBe(first);
      }
      world.served.api.now = startMs + 90 * DAY_MS;
      for (const older of [
        'to=2026-10-03',
        'to=2026-10-03T14:09:59.998Z',
        'from=2026-04-05&to=2026-04-05',
        'date=2026-10-02',
      ]) {
        const refused = await get(`${path}?${older}`, keys.standard);
        expect([older, refused.status, costOf(refused)]).toEqual([older, 403, '0']);
        expect(refused.headers.get('x-archive-window-days')).toBe('90');
        expectProblemConforms(refused.body);
        expect(refused.body).toMatchObject({ code: 'archive_window', required_plan: 'plus' });
        expect((await get(`${path}?${older}`, keys.older)).status).toBe(200);
      }
    } finally {
      world.served.api.now = before;
    }
  });

  test('are a free 403 for other plans, with sample rows of the archive', async () => {
    const all = await rowsOf(`${path}?race_id=${ids.newest}`);
    for (const key of [keys.free, keys.younger]) {
      const refused = await get(path, key);
      expect([refused.status, costOf(refused)]).toEqual([403, '0']);
      expectProblemConforms(refused.body);
      // Of the last 90 days.
      expect(refused.body).toMatchObject({ code: 'plan_required', required_plan: 'standard' });
      expect(refused.body.sample).toEqual(all.slice(0, 5));
      expect(refused.body.sample.length).toBeGreaterThan(2);
      expect((await get(`${path}?format=csv`, key)).body.sample).toEqual(refused.body.sample);
    }
    expect((await get(path, keys.free, await withArchive({ sampleRace: async () => null }))).body.sample).toEqual([]);
    const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    await world.other?.close();
    const lost = await get(path, keys.free, await withArchive({ sampleRace: () => Promise.reject(away) }));
    expect([lost.status, 'sample' in lost.body]).toEqual([403, false]);
  });

  test('are never shared between keys with different windows within a second (D35)', async () => {
    const api = await withArchive({}, 60_000);
    const asked = await Promise.all([keys.plus, keys.standard, keys.older].map((key) => get(path, key, api)));
    const windows = asked.map(({ body }) => [body.window_days, body.rows[0].race_id]);
    expect(windows).toEqual([
      [null, ids.midnight],
      [90, ids.spring],
      [null, ids.midnight],
    ]);
  });

  test('as CSV end the connection when the archive breaks in mid-stream, and are refunded', async () => {
    const breaking: Partial<ArchiveReads> = {
      streamClosingLines: () => broken(createReads(world.pool).archive.streamClosingLines({}, 5)),
      streamMarketSummary: () =>
        broken(createReads(world.pool).archive.streamMarketSummary({ includeScratched: true }, 5)),
    };
    const key = await world.served.addKey({ plan: 'plus' });
    const api = await withArchive(breaking);
    const sent = request(`${api.url}${path}?format=csv`, { agent: false, headers: { 'X-API-Key': key } });
    const [response] = await once(sent, 'response');
    await expect(buffer(response)).rejects.toThrow('aborted');
    await until(async () => (await world.served.api.get('/v1/usage', key)).body.credits_used === 0);
    expect(api.logged).toHaveLength(1);
  });
});

async function* broken<R>(batches: AsyncGenerator<readonly R[]>): AsyncGenerator<readonly R[]> {
  yield* batches;
  throw new Error('the archive broke');
}
