import { serveMetrics } from '../../src/telemetry/metrics-server';

test('a page that cannot be made is a 500 and is reported once, and the next one is served', async () => {
  const failures: unknown[] = [];
  const broken = new Error('planted');
  const pages = [() => Promise.reject(broken), async () => 'up 1\n'];
  const server = await serveMetrics({ port: 0, host: '127.0.0.1', failed: (error) => void failures.push(error) }, () =>
    pages.shift()!(),
  );
  const get = () => fetch(server.url, { headers: { connection: 'close' } });
  try {
    expect((await get()).status).toBe(500);
    expect(failures).toEqual([broken]);
    const next = await get();
    expect([next.status, await next.text()]).toEqual([200, 'up 1\n']);
  } finally {
    server.close();
  }
});
