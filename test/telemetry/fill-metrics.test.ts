// Fills of widgets on the metrics page.
import { resourceFromAttributes } from '@opentelemetry/resources';
import type * as FillMetricsModule from '../../src/api/services/widgets/fill-metrics';
import { metricsPage, startMetrics } from '../../src/telemetry/metrics';

test('fills are counted by what they show and how they were served, refusals by reason', async () => {
  startMetrics(resourceFromAttributes({}));
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
