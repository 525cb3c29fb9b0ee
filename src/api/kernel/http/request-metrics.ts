// Counts requests by route and status, and measures the duration by route, including unknown routes. Two instruments,
// because a histogram by route and status would be two thousand series: the metrics page stays below 200 kB.
import { metrics } from '@opentelemetry/api';
import type { Middleware } from 'koa';
import { CLIENT_GONE_STATUS, clientGone } from './client-gone';

const meter = metrics.getMeter('racing-odds/api');
const requests = meter.createCounter('http.server.requests', {
  description: 'HTTP server requests, by route and status',
});
const duration = meter.createHistogram('http.server.request.duration', {
  unit: 's',
  description: 'Duration of HTTP server requests, by route',
  advice: { explicitBucketBoundaries: [0.025, 0.1, 0.25, 1, 5] },
});

export const requestMetrics: Middleware = async (ctx, next) => {
  const startedMs = performance.now();
  await next();
  // Never the path, because each race id would become a time series.
  const route: unknown = ctx._matchedRoute;
  const ofRoute = typeof route === 'string' ? { 'http.route': route } : {};
  const status = clientGone(ctx) ? CLIENT_GONE_STATUS : ctx.res.statusCode;
  requests.add(1, { 'http.request.method': ctx.method, 'http.response.status_code': status, ...ofRoute });
  duration.record((performance.now() - startedMs) / 1000, ofRoute);
};
