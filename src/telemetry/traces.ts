// Traces, only where a collector is configured: HTTP in and out, Koa, PostgreSQL and Redis by their instrumentations,
// the service's own spans by `@opentelemetry/api`. Must run before the instrumented modules are loaded.
import { createNoopMeter } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
import { KoaInstrumentation } from '@opentelemetry/instrumentation-koa';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { UndiciInstrumentation, type UndiciRequest } from '@opentelemetry/instrumentation-undici';
import type { Resource } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';

/** In mailed and signed links, which a reader of traces could use, and people's addresses. */
const SECRET_PARAMETERS = ['token', 'sig', 'signature', 'key', 'api_key', 'email'];

let provider: NodeTracerProvider | null = null;

/** `url`: the collector's OTLP/HTTP address; `ratio`: the share of traces kept, 0 to 1. */
export function startTraces(resource: Resource, url: string, ratio: number): void {
  provider = new NodeTracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${url.replace(/\/+$/, '')}/v1/traces` }))],
  });
  provider.register();
  registerInstrumentations({
    tracerProvider: provider,
    // They would measure requests a second time under their own names, by route and status: a page of a megabyte.
    meterProvider: { getMeter: createNoopMeter },
    instrumentations: [
      new HttpInstrumentation({
        ignoreIncomingRequestHook: ({ url: path }) => path === '/healthz' || path === '/metrics',
        redactedQueryParamsServer: SECRET_PARAMETERS,
      }),
      new KoaInstrumentation(),
      new UndiciInstrumentation({ ignoreRequestHook: isOfWebhook }),
      new PgInstrumentation({ requireParentSpan: true }),
      new IORedisInstrumentation({ requireParentSpan: true }),
    ],
  });
}

/** A post to a customer: its URL may contain a secret, and none of our context is sent with it. */
const isOfWebhook = ({ headers }: UndiciRequest): boolean => [headers].flat().includes('webhook-id');

/** Sends waiting spans. If the collector is unreachable, only the spans are lost. */
export async function stopTraces(): Promise<void> {
  await provider?.shutdown().catch(() => undefined);
}
