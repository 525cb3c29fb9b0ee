// The operations of data quality over one database: what is matched, how fresh it is, and audits as their runs stored
// them.
import type { AuditRunner } from '../../../../src/api/operations/quality/audit-runner';
import { type AuditFigures, auditRunId, type Finding } from '../../../../src/domain/quality/audit';
import { createStores } from '../../../../src/store/create-stores';
import { expectConforms, expectProblemConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { addRace } from '../../../support/races/board';
import { addMatches } from '../../../support/sports/stored-matches';

const RUN = '/v1/data-quality/audit/run';
const LATEST = '/v1/data-quality/audit/latest';
const SUMMARY = '/v1/data-quality/summary';
const FIGURES: AuditFigures = {
  apiRows: 24,
  sourceRows: 24,
  commonRows: 23,
  exactMatches: 22,
  diffRows: 1,
  missingApi: 1,
  missingSource: 1,
  maxDelta: 0.4,
  booksChecked: 3,
  racesChecked: 2,
  outliers: 1,
  crossChecks: 0,
};
const RACE = { raceId: '5d0c9b7e-2f6a-5c1d-8e4b-7a9f0c3d2e1b', venue: 'Flemington', raceNumber: 4, day: '2026-11-21' };
const SELECTION = '7. Gold Trip (FR)';
const FINDINGS: readonly Finding[] = [
  {
    bookmakerKey: 'tab',
    race: RACE,
    event: null,
    market: 'place',
    status: 'diff',
    delta: 0.4,
    message: '1 price is served differently.',
    api: [{ selection: SELECTION, price: 4.6, consensus: 4.225, deviationPct: 8.8757396 }],
    source: { [SELECTION]: 4.2 },
  },
  {
    bookmakerKey: 'neds',
    race: RACE,
    event: null,
    market: null,
    status: 'unread',
    delta: null,
    message: 'Not read: timeout.',
    api: [],
    source: {},
  },
];

let served: Served;
let customer: string;
let operator: string;
let ordered: string[] = [];
let runId: string | null = null;
let failed = false;
const auditRunner: AuditRunner = {
  run: async (sport) => {
    ordered.push(sport);
    return runId === null ? null : { runId, failed };
  },
};

beforeAll(async () => {
  served = await serve({ auditRunner });
  [customer, operator] = [await served.addKey(), await served.addKey({ role: 'internal' })];
});
afterAll(() => served.stop());

const order = (id: string) => ({ runId: id, sportKey: 'racing_horse' }) as const;
const audits = () => createStores(served.db.pool).audits;
const get = (path: string, key = customer) => served.api.get(path, key);
const summary = async (key = customer) => {
  const { status, body } = await get(SUMMARY, key);
  expect(status).toBe(200);
  expectConforms('data_quality_summary', body);
  return body;
};
const post = async (path: string, key = operator) => {
  const response = await fetch(`${served.api.url}${path}`, { method: 'POST', headers: { 'X-API-Key': key } });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
};

describe('before anything happened', () => {
  test('figures are 0, ages are null, and nothing is invented', async () => {
    const body = await summary();
    expect(body).toMatchObject({
      as_of: '2026-11-21T03:00:00.000Z',
      status: 'degraded',
      degraded_because: ['connector_failed', 'audit_missing'],
      canonical_events: 0,
      source_mappings: 0,
      recent_market_quality: { ok: 0, warn: 0, stale: 0 },
      sport_market_quality: { ok: 0, warn: 0, stale: 0 },
      latest_audit: null,
    });
    const never = { connector: 'tab', last_ok: null, age_seconds: null, records_written: 0, message: 'never polled' };
    expect(body.connectors).toContainEqual(never);
    expect((await get(LATEST)).body).toEqual([]);
  });
});

describe('the summary', () => {
  test('counts races and matches, the bookmakers’ listings of them, and markets by age; the exchange is for operators only', async () => {
    const at = (seconds: number) => new Date(Date.parse('2026-11-21T03:00:00.000Z') - seconds * 1000).toISOString();
    const unpriced = { at: at(5), runners: [] };
    await addRace(
      served.db.pool,
      { startTime: '2026-11-21T03:20:00.000Z' },
      {
        tab: { at: at(90) },
        neds: { at: at(91) },
        unibet: { at: at(121) },
        playup: unpriced,
        betfair_ex_au: { at: at(200) },
      },
    );
    // On the card tier a quote may be half an hour old.
    await addRace(served.db.pool, { raceNumber: 2, startTime: '2026-11-21T09:00:00.000Z' }, { tab: { at: at(1350) } });
    const { health } = createStores(served.db.pool);
    const poll = { at: at(30), ok: true, status: 'ok', message: null, recordsWritten: 7, counts: [] };
    await health.recordPolls(['tab', 'betfair_ex_au'].map((connector) => ({ ...poll, connector })));
    // One of its two matches has started.
    await addMatches(served.db);
    const body = await summary();
    expect(body).toMatchObject({
      canonical_events: 3,
      source_mappings: 7,
      recent_market_quality: { ok: 2, warn: 1, stale: 1 },
      degraded_because: ['connector_failed', 'market_stale', 'audit_missing'],
    });
    expect(body.connectors).toContainEqual({
      connector: 'tab',
      last_ok: at(30),
      age_seconds: 30,
      records_written: 7,
      message: null,
    });
    expect(JSON.stringify(body)).not.toContain('betfair');
    const all = await summary(operator);
    expect(all).toMatchObject({ source_mappings: 8, recent_market_quality: { ok: 2, warn: 1, stale: 2 } });
    expect(JSON.stringify(all)).toContain('betfair_ex_au');
  });
});

describe('audits', () => {
  const horse = auditRunId('one', 'racing_horse');
  const dogs = auditRunId('one', 'racing_greyhound');

  beforeAll(async () => {
    const store = audits();
    const older = auditRunId('older', 'racing_horse');
    await store.begin({ runId: older, sportKey: 'racing_horse' }, '2026-11-21T02:00:00.000Z');
    await store.end(
      order(older),
      { verdict: 'ok', figures: FIGURES, findings: [], levels: new Map() },
      '2026-11-21T02:00:40.000Z',
    );
    await store.begin({ runId: horse, sportKey: 'racing_horse' }, '2026-11-21T02:50:00.000Z');
    await store.end(
      order(horse),
      { verdict: 'differs', figures: FIGURES, findings: FINDINGS, levels: new Map() },
      '2026-11-21T02:50:40.000Z',
    );
    // A second end, from an attempt that was thought lost, changes nothing.
    await store.end(
      order(horse),
      { verdict: 'ok', figures: FIGURES, findings: FINDINGS, levels: new Map() },
      '2026-11-21T02:51:00.000Z',
    );
    await store.begin({ runId: dogs, sportKey: 'racing_greyhound' }, '2026-11-21T02:44:59.000Z');
    const under = auditRunId('two', 'racing_horse');
    await store.begin({ runId: under, sportKey: 'racing_horse' }, '2026-11-21T02:59:00.000Z');
  });

  test('the newest of each sport that ended, or that did not end in time', async () => {
    const { status, body, headers } = await get(LATEST);
    expect(status).toBe(200);
    expectConforms('latest_audits', body);
    expect(body).toEqual([
      {
        id: horse,
        sport_key: 'racing_horse',
        market_type: 'win',
        status: 'differs',
        api_rows: 24,
        source_rows: 24,
        common_rows: 23,
        exact_matches: 22,
        diff_rows: 1,
        missing_api: 1,
        missing_source: 1,
        max_delta: 0.4,
        books_checked: 3,
        races_checked: 2,
        outliers: 1,
        cross_checks: 0,
        started_at: '2026-11-21T02:50:00.000Z',
        finished_at: '2026-11-21T02:50:40.000Z',
      },
      expect.objectContaining({ id: dogs, status: 'failed', finished_at: null, api_rows: null, max_delta: null }),
    ]);
    expect([...headers.keys()].filter((name) => name.startsWith('x-credits'))).toEqual([]);
    expect((await get(`${LATEST}?sport_key=racing_greyhound`)).body).toHaveLength(1);
    expect((await get(`${LATEST}?sport_key=racing_harness`)).body).toEqual([]);
    const other = await get(`${LATEST}?sport_key=nrl`);
    expect([other.status, other.body.errors[0].valid_values]).toEqual([
      422,
      ['racing_horse', 'racing_harness', 'racing_greyhound', 'sports'],
    ]);
    expect(await summary()).toMatchObject({
      degraded_because: ['connector_failed', 'market_stale', 'audit_differs', 'audit_failed', 'audit_missing'],
      latest_audit: { id: horse, status: 'differs', api_rows: 24, exact_matches: 22, diff_rows: 1, max_delta: 0.4 },
    });
  });

  test('the findings of a run, all of them or of one kind', async () => {
    const of = (id: string, query = '') => get(`/v1/data-quality/audit/${id}/results${query}`);
    const { status, body } = await of(horse);
    expect(status).toBe(200);
    expectConforms('audit_results', body);
    expect(body).toEqual([
      {
        bookmaker_key: 'tab',
        event_key: ['Flemington', 'R4', '2026-11-21'],
        race_id: RACE.raceId,
        event_id: null,
        market: 'place',
        status: 'diff',
        delta: 0.4,
        message: '1 price is served differently.',
        source: { [SELECTION]: 4.2 },
        api: [{ selection: SELECTION, price: 4.6, consensus: 4.23, dev_pct: 8.88 }],
      },
      expect.objectContaining({ bookmaker_key: 'neds', status: 'unread', delta: null, api: [], source: {} }),
    ]);
    expect((await of(horse, '?status=unread')).body).toHaveLength(1);
    expect((await of(horse, '?status=outlier')).body).toEqual([]);
    expect((await of(dogs)).body).toEqual([]);
    expect((await of(horse, '?status=wrong')).status).toBe(422);
    for (const id of ['none', auditRunId('none', 'racing_horse')]) {
      const missing = await of(id);
      expect([missing.status, missing.body.code]).toEqual([404, 'not_found']);
      expectProblemConforms(missing.body);
    }
  });

  test('an operator can start an audit of a sport, and gets the run in its current state', async () => {
    [runId, ordered] = [horse, []];
    const ended = await post(`${RUN}?sport_key=racing_horse&market=win`);
    expect(ended.status).toBe(200);
    expectConforms('run_audit', ended.body);
    expect(ended.body).toMatchObject({ run_id: horse, status: 'differs', api_rows: 24, books_checked: 3, outliers: 1 });
    runId = auditRunId('two', 'racing_horse');
    expect((await post(RUN)).body).toMatchObject({
      run_id: runId,
      status: 'running',
      api_rows: null,
      finished_at: null,
    });
    expect(ordered).toEqual(['racing_horse', 'racing_horse']);
    failed = true;
    expect((await post(RUN)).body).toMatchObject({ run_id: runId, status: 'failed', finished_at: null });
    runId = horse;
    expect((await post(RUN)).body).toMatchObject({ run_id: horse, status: 'differs' });
    const none = auditRunId('not begun', 'racing_horse');
    for (const [id, itFailed, detail] of [
      [none, false, 'No worker has begun this audit. Its run starts when one is free.'],
      [none, true, 'The audit failed before it began. Try again.'],
      [null, false, 'The audit could not be ordered. Try again.'],
    ] as const) {
      [runId, failed] = [id, itFailed];
      const away = await post(RUN);
      expect([away.status, away.headers.get('retry-after'), away.body.detail]).toEqual([503, '10', detail]);
    }
    for (const query of ['sport_key=nrl', 'market=quinella']) expect((await post(`${RUN}?${query}`)).status).toBe(422);
  });

  test('a customer cannot', async () => {
    ordered = [];
    const { status, body } = await post(RUN, customer);
    expect([status, body.code]).toEqual([403, 'plan_required']);
    expect(ordered).toEqual([]);
  });

  test('a run is kept for 30 days, with its findings', async () => {
    const late = auditRunId('late', 'racing_horse');
    await audits().begin({ runId: late, sportKey: 'racing_horse' }, '2026-12-21T02:50:00.000Z');
    await audits().end(
      order(late),
      { verdict: 'ok', figures: FIGURES, findings: [], levels: new Map() },
      '2026-12-21T02:50:00.000Z',
    );
    const left = await served.db.pool.query('SELECT run_id FROM quality_audits ORDER BY started_at');
    expect(left.rows).toEqual([horse, auditRunId('two', 'racing_horse'), late].map((run_id) => ({ run_id })));
    const findings = await served.db.pool.query('SELECT DISTINCT run_id FROM quality_findings');
    expect(findings.rows).toEqual([{ run_id: horse }]);
    await audits().end(
      order(late),
      { verdict: 'ok', figures: FIGURES, findings: [], levels: new Map() },
      '2026-12-21T02:50:01.000Z',
    );
    expect((await served.db.pool.query('SELECT FROM quality_findings')).rowCount).toBe(0);
  });
});
