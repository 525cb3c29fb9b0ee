// Measures how long each request takes, by route and status (OpenTelemetry's HTTP semantic conventions), unknown routes included.
import { metrics } from '@opentelemetry/api';
import type { Middleware } from 'koa';
import { CLIENT_GONE_STATUS, clientGone } from './connection/client-gone';

const duration = metrics.getMeter('racing-odds/api').createHistogram('http.server.request.duration', {
  unit: 's',
  description: 'Duration of HTTP server requests',
  advice: { explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10] },
});

export const requestMetrics: Middleware = async (ctx, next) => {
  const startedMs = performance.now();
  await next();
  // Never the path: each race id would become a time series.
  const route: unknown = ctx._matchedRoute;
  duration.record((performance.now() - startedMs) / 1000, {
    'http.request.method': String(ctx.req.method),
    'http.response.status_code': clientGone(ctx) ? CLIENT_GONE_STATUS : ctx.res.statusCode,
    ...(typeof route === 'string' && { 'http.route': route }),
  });
};
