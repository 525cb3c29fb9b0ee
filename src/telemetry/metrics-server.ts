// `GET /metrics` on a port of its own, for a process whose only other port is public. Never on the public one. A page that cannot be made
// is a 500, and never ends the process.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { METRICS_TYPE, metricsPage } from './metrics';

export interface MetricsServer {
  readonly url: string;
  close(): void;
}

export interface MetricsPlace {
  /** 0 picks a free one. */
  readonly port: number;
  readonly host: string;
  /** A page could not be made. */
  failed(error: unknown): void;
}

export async function serveMetrics({ port, host, failed }: MetricsPlace, page = metricsPage): Promise<MetricsServer> {
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') return response.writeHead(404).end();
    try {
      const text = await page();
      return response.writeHead(200, { 'content-type': METRICS_TYPE }).end(text);
    } catch (error) {
      failed(error);
      return response.writeHead(500).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return { url: `http://${host}:${(server.address() as AddressInfo).port}/metrics`, close: () => void server.close() };
}
