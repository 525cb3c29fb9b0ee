// Says over HTTP whether this process works for the queues it was given: 200 while every worker is running, else 503.
import { createServer, type Server } from 'node:http';
import type { Worker } from '@temporalio/worker';

export function startHealth(port: number, workers: ReadonlyMap<string, Worker>): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== '/healthz') return response.writeHead(404).end();
    const states = Object.fromEntries([...workers].map(([queue, worker]) => [queue, worker.getState()]));
    const ok = Object.values(states).every((state) => state === 'RUNNING');
    response.writeHead(ok ? 200 : 503, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ status: ok ? 'ok' : 'unavailable', workers: states }));
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
