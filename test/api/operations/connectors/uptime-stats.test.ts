import { createStores } from '../../../../src/store/create-stores';
import { createReads } from '../../../../src/store/reads/reads';
import { memoryKeys, startApi } from '../../../support/api/api';
import { type Served, serve } from '../../../support/api/served';

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.stop());

const get = async () => (await served.api.get('/v1/uptime')).body;

test('without a check uptime is null, not a number', async () => {
  expect(await get()).toMatchObject({ uptime_30d_pct: null, checks: 0, status: 'no data yet', monitor_stale: true });
});

test('uptime is the share of successful checks over 30 days', async () => {
  const { health } = createStores(served.db.pool);
  const check = { ok: true, latencyMs: 3, target: 'http://probe.example/healthz' };
  const ats = [
    '2026-10-01T00:00:00.000Z',
    '2026-11-20T03:00:00.000Z',
    '2026-11-21T02:30:00.000Z',
    '2026-11-21T02:44:00.000Z',
  ];
  for (const at of ats) await health.recordUptime([{ ...check, at }]);
  await health.recordUptime([{ ...check, ok: false, at: '2026-11-21T02:40:00.000Z' }]);
  expect(await get()).toEqual({
    uptime_30d_pct: 75,
    checks: 4,
    probe_target: 'http://probe.example/healthz',
    measures: expect.any(String),
    note: expect.any(String),
    last_check: '2026-11-21T02:44:00.000Z',
    last_status: 'ok',
    monitor_stale: true,
    last_check_age_min: 16,
    window_first_check: '2026-11-20T03:00:00.000Z',
    window_span_days: 1,
  });
});

test('a probe once a minute of wall time is not stale on a race clock that runs fast', async () => {
  const fast = await startApi({
    reads: createReads(served.db.pool),
    keys: memoryKeys(),
    clock: { anchorMs: 0, speed: 20 },
  });
  expect((await fast.get('/v1/uptime')).body).toMatchObject({ monitor_stale: false, last_check_age_min: 16 });
  await fast.close();
});
