// All metrics of this process as one Prometheus page. The rest of the service uses only `@opentelemetry/api`, which
// costs nothing where metrics are not started (tests, the CLI).
import { metrics } from '@opentelemetry/api';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node';
import type { Resource } from '@opentelemetry/resources';
import { AggregationTemporality, InstrumentType, MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Without the names of meters: on each line they are a third of the page. */
const SERIALIZER = new PrometheusSerializer(undefined, false, undefined, false, true);

/**
 * Counters and histograms add up. A gauge is the value read for this page: added to the previous one, a gauge that can
 * no longer be read, or whose label is gone, would keep its last value forever.
 */
class PageReader extends MetricReader {
  constructor() {
    super({
      aggregationTemporalitySelector: (type) =>
        type === InstrumentType.OBSERVABLE_GAUGE ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE,
    });
  }
  protected async onForceFlush(): Promise<void> {}
  protected async onShutdown(): Promise<void> {}
}

let reader: PageReader | null = null;

/**
 * The delay of the event loop is that of a timer, and includes its interval. Every 10 ms, as by default, it wakes an
 * idle process a hundred times a second, for 2.5 ms of CPU; stalls that matter are a second long.
 */
const LOOP_LOOKED_AT_MS = 50;

/**
 * Once per process, before the first module that makes an instrument is loaded: the metrics API has no late binding.
 */
export function startMetrics(resource: Resource): void {
  reader = new PageReader();
  const meterProvider = new MeterProvider({ resource, readers: [reader] });
  metrics.setGlobalMeterProvider(meterProvider);
  // Event loop, garbage collection and heap of this process.
  const runtime = new RuntimeNodeInstrumentation({ monitoringPrecision: LOOP_LOOKED_AT_MS });
  registerInstrumentations({ meterProvider, instrumentations: [runtime] });
}

/**
 * Wall time, for a figure that a server supplies. A page that waited for a hanging server would itself be missed, and
 * the process with it.
 */
const READ_WITHIN_MS = 1000;

let underWay: Promise<string> | null = null;
let readAtMs = 0;

/**
 * The current page, without figures that could not be read in time; empty if metrics were not started. Requests at the
 * same time share one page, because two readings at once would split the gauges.
 */
export async function metricsPage(): Promise<string> {
  if (!reader) return '';
  underWay ??= readPage(reader).finally(() => {
    underWay = null;
  });
  return underWay;
}

async function readPage(from: PageReader): Promise<string> {
  // The SDK prefers the reading with the later time: after the clock went back, that is the previous one again.
  if (Date.now() < readAtMs) await from.collect({ timeoutMillis: READ_WITHIN_MS });
  readAtMs = Date.now();
  const { resourceMetrics } = await from.collect({ timeoutMillis: READ_WITHIN_MS });
  return SERIALIZER.serialize(resourceMetrics);
}
