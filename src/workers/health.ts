// Serves the health of this process over HTTP (200 while every worker runs, else 503), and its metrics: its own and those of Temporal's SDK
// on one page.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Worker } from '@temporalio/worker';
import { METRICS_TYPE, metricsPage } from '../telemetry/metrics';

export interface Health {
  readonly url: string;
  close(): void;
}

const HOST = '127.0.0.1';

/** Port 0 picks a free one. */
export async function startHealth(
  port: number,
  workers: ReadonlyMap<string, Worker>,
  sdkMetricsPort = 0,
): Promise<Health> {
  const server = createServer(async (request, response) => {
    if (request.url === '/metrics') {
      const pages = await Promise.all([metricsPage(), sdkPage(sdkMetricsPort)]);
      return response.writeHead(200, { 'content-type': METRICS_TYPE }).end(pages.join(''));
    }
    if (request.url !== '/healthz') return response.writeHead(404).end();
    const states = Object.fromEntries([...workers].map(([role, worker]) => [role, worker.getState()]));
    const ok = Object.values(states).every((state) => state === 'RUNNING');
    response.writeHead(ok ? 200 : 503, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ status: ok ? 'ok' : 'unavailable', workers: states }));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, HOST, resolve);
  });
  const url = `http://${HOST}:${(server.address() as AddressInfo).port}/healthz`;
  return { url, close: () => void server.close() };
}

/** Temporal's SDK serves its metrics on a port of its own; without them the page has only ours. */
async function sdkPage(port: number): Promise<string> {
  if (port === 0) return '';
  const reply = await fetch(`http://${HOST}:${port}/metrics`).catch(() => null);
  return reply?.ok ? reply.text() : '';
}
