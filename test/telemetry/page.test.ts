// The page of metrics. Metrics start once per process, so all its tests are here.
import { EventEmitter } from 'node:events';
import { metrics } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { Pool } from 'pg';
import type * as FillMetricsModule from '../../src/api/operations/widgets/fills/fill-metrics';
import type * as PoolModule from '../../src/store/pg/pool';
import { metricsPage, startMetrics } from '../../src/telemetry/metrics';

beforeAll(() => startMetrics(resourceFromAttributes({})));

test('fills are counted by what they show and how they were served, refusals by reason', async () => {
  // Instruments are created when their module is loaded.
  const { recordFill } = jest.requireActual<typeof FillMetricsModule>(
    '../../src/api/operations/widgets/fills/fill-metrics',
  );
  recordFill({ type: 'sports', outcome: 'charged' });
  for (let i = 0; i < 3; i++) recordFill({ type: 'racing', outcome: 'cached' });
  recordFill({ reason: 'busy' });
  const page = await metricsPage();
  expect(page).toMatch(/^racing_widgets_fills_total\{type="sports",outcome="charged"[^}]*\} 1$/m);
  expect(page).toMatch(/^racing_widgets_fills_total\{type="racing",outcome="cached"[^}]*\} 3$/m);
  expect(page).toMatch(/^racing_widgets_refused_total\{reason="busy"[^}]*\} 1$/m);
});

test('figures that cannot be read in time are missing, and the page has all the others', async () => {
  const meter = metrics.getMeter('test');
  const hung = meter.createObservableGauge('test.hung');
  const hungToo = meter.createObservableGauge('test.hung_too');
  let release = () => {};
  const never = new Promise<void>((resolve) => {
    release = resolve;
  });
  hung.addCallback(() => never);
  meter.addBatchObservableCallback(() => never, [hungToo]);
  meter.createObservableGauge('test.known').addCallback((gauge) => gauge.observe(7));
  meter.createCounter('test.counted').add(2);
  const page = await metricsPage();
  release();
  expect(page).toMatch(/^test_known 7$/m);
  expect(page).toMatch(/^test_counted_total 2$/m);
  expect(page).not.toMatch(/^test_hung/m);
});

test('queries of the page itself do not wait for a connection; those that wait before it do', async () => {
  const { observePool } = jest.requireActual<typeof PoolModule>('../../src/store/pg/pool');
  const pool = Object.assign(new EventEmitter(), { totalCount: 1, idleCount: 1, waitingCount: 0 });
  metrics
    .getMeter('test')
    .createObservableGauge('test.queried')
    .addCallback(async (gauge) => {
      pool.waitingCount += 1;
      await new Promise((resolve) => setImmediate(resolve));
      pool.waitingCount -= 1;
      gauge.observe(1);
    });
  const timers = jest.spyOn(globalThis, 'setInterval');
  observePool(pool as unknown as Pool, 'of a test');
  const [look] = timers.mock.calls[0]!;
  timers.mockRestore();
  const waiting = async () =>
    /^db_client_connection_pending_requests\{.*"of a test".*\} (\d+)$/m.exec(await metricsPage())?.[1];
  expect(await waiting()).toBe('0');
  pool.waitingCount = 2;
  look();
  expect(await waiting()).toBe('2');
});

test('a gauge whose reading fails has no value, whatever it had before', async () => {
  const meter = metrics.getMeter('test');
  const readings: (() => Promise<number>)[] = [
    async () => 3,
    () => Promise.reject(new Error('the database does not answer')),
    async () => 4,
  ];
  const races = [{ book: 'tab' }, { book: 'neds' }];
  const batch = meter.createObservableGauge('test.batch');
  meter.createObservableGauge('test.read').addCallback(async (gauge) => gauge.observe(await readings[0]!()));
  meter.addBatchObservableCallback(
    async (gauges) => {
      const value = await readings[0]!();
      for (const labels of races) gauges.observe(batch, value, labels);
    },
    [batch],
  );
  const pages: string[][] = [];
  const read = async () => pages.push(((await metricsPage()).match(/^test_(?:read|batch).*$/gm) ?? []).sort());
  await read();
  readings.shift();
  await read();
  readings.shift();
  // One of the series ends: its book is no longer read.
  races.pop();
  await read();
  const of = (value: number, ...books: string[]) => books.map((book) => `test_batch{book="${book}"} ${value}`);
  expect(pages).toEqual([[...of(3, 'neds', 'tab'), 'test_read 3'], [], [...of(4, 'tab'), 'test_read 4']]);
});

test('gauges follow a clock that goes back, however often and however far', async () => {
  const clock = jest.spyOn(Date, 'now');
  let reading = 0;
  metrics
    .getMeter('test')
    .createObservableGauge('test.clock')
    .addCallback((gauge) => gauge.observe(++reading));
  const machine = Date.now();
  for (const seconds of [0, 600, 0, -3600, -3601, 86_400, -86_400]) {
    clock.mockReturnValue(machine + seconds * 1000);
    const page = await metricsPage();
    expect(page).toContain(`\ntest_clock ${reading}\n`);
  }
  clock.mockRestore();
});

test('simultaneous pages have every figure', async () => {
  const slow = Promise.withResolvers<void>();
  const meter = metrics.getMeter('test');
  meter.createObservableGauge('test.quick').addCallback((gauge) => gauge.observe(1));
  meter.createObservableGauge('test.slow').addCallback(async (gauge) => {
    await slow.promise;
    gauge.observe(2);
  });
  const pages = Promise.all([metricsPage(), metricsPage(), metricsPage()]);
  setImmediate(() => slow.resolve());
  for (const page of await pages) {
    expect(page).toMatch(/^test_quick 1$/m);
    expect(page).toMatch(/^test_slow 2$/m);
  }
});
