// `GET /metrics` on a port of its own, for a process whose only other port is public. Never on the public one.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { METRICS_TYPE, metricsPage } from './metrics';

export interface MetricsServer {
  readonly url: string;
  close(): void;
}

/** Port 0 picks a free one. */
export async function serveMetrics(port: number, host: string): Promise<MetricsServer> {
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': METRICS_TYPE }).end(await metricsPage());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return { url: `http://${host}:${(server.address() as AddressInfo).port}/metrics`, close: () => void server.close() };
}
