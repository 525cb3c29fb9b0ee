// All metrics of this process as one Prometheus page. The rest of the service uses only `@opentelemetry/api`, which costs nothing where
// metrics are not started (tests, the CLI).
import { metrics } from '@opentelemetry/api';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node';
import type { Resource } from '@opentelemetry/resources';
import { MeterProvider } from '@opentelemetry/sdk-metrics';

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Without the names of meters: on each line they are a third of the page. */
const SERIALIZER = new PrometheusSerializer(undefined, false, undefined, false, true);

let exporter: PrometheusExporter | null = null;

/** Once per process, before the first module that makes an instrument is loaded: the metrics API has no late binding. */
export function startMetrics(resource: Resource): void {
  exporter = new PrometheusExporter({ preventServerStart: true });
  const meterProvider = new MeterProvider({ resource, readers: [exporter] });
  metrics.setGlobalMeterProvider(meterProvider);
  // Event loop, garbage collection and heap of this process.
  registerInstrumentations({ meterProvider, instrumentations: [new RuntimeNodeInstrumentation()] });
}

/** Wall. Of a figure that a server is asked for. A page that waited for a server that hangs would itself be missed, and the process with it. */
const READ_WITHIN_MS = 1000;

/** The page as it stands now, without figures that could not be read in time; empty where metrics were not started. */
export async function metricsPage(): Promise<string> {
  if (!exporter) return '';
  const { resourceMetrics } = await exporter.collect({ timeoutMillis: READ_WITHIN_MS });
  return SERIALIZER.serialize(resourceMetrics);
}
