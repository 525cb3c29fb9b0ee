// The page of metrics while a server that a figure is read from hangs.
import { metrics } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { metricsPage, startMetrics } from '../../src/telemetry/metrics';

test('figures that cannot be read in time are missing, and the page is there with all others', async () => {
  startMetrics(resourceFromAttributes({}));
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
