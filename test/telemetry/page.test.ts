// The page of metrics. Metrics start once in a process, so both tests are here.
import { metrics } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type * as FillMetricsModule from '../../src/api/services/widgets/fill-metrics';
import { metricsPage, startMetrics } from '../../src/telemetry/metrics';

beforeAll(() => startMetrics(resourceFromAttributes({})));

test('fills are counted by what they show and how they were served, refusals by reason', async () => {
  // Instruments are made when their module is loaded.
  const { recordFill } = jest.requireActual<typeof FillMetricsModule>('../../src/api/services/widgets/fill-metrics');
  recordFill({ type: 'sports', outcome: 'charged' });
  for (let i = 0; i < 3; i++) recordFill({ type: 'racing', outcome: 'cached' });
  recordFill({ reason: 'busy' });
  const page = await metricsPage();
  expect(page).toMatch(/^racing_widgets_fills_total\{type="sports",outcome="charged"[^}]*\} 1$/m);
  expect(page).toMatch(/^racing_widgets_fills_total\{type="racing",outcome="cached"[^}]*\} 3$/m);
  expect(page).toMatch(/^racing_widgets_refused_total\{reason="busy"[^}]*\} 1$/m);
});

test('figures that cannot be read in time are missing, and the page is there with all others', async () => {
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
