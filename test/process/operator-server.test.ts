import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { alive, json, serveOperator } from '../../src/process/operator-server';

const failures: unknown[] = [];
const log = { error: ({ err }: { err: unknown }) => void failures.push(err) } as never;
const ANY = { host: '127.0.0.1', port: 0, setting: 'WORKER_HEALTH_PORT', log };

test('it serves only its pages, on a free port; a page that cannot be made is a 500, reported once, and the next one is served', async () => {
  const server = await serveOperator(ANY, {
    '/livez': alive,
    '/readyz': () => json(false, { status: 'unavailable' }),
    '/metrics': async () => {
      if (failures.length === 0) throw new Error('no metrics');
      return { status: 200, type: 'text/plain', body: 'up 1' };
    },
  });
  try {
    const get = async (path: string) => {
      const reply = await fetch(server.url + path, { headers: { connection: 'close' } });
      return [reply.status, await reply.text()];
    };
    expect(await get('/livez')).toEqual([200, '{"status":"ok"}']);
    expect(await get('/readyz?verbose')).toEqual([503, '{"status":"unavailable"}']);
    expect(await get('/metrics')).toEqual([500, '']);
    expect(failures).toEqual([new Error('no metrics')]);
    expect(await get('/metrics')).toEqual([200, 'up 1']);
    expect((await get('/'))[0]).toBe(404);
  } finally {
    server.close();
  }
});

test('switched off it does not listen', async () => {
  const server = await serveOperator({ ...ANY, port: null }, { '/livez': alive });
  expect(server.url).toBeNull();
  server.close();
});

test('a port used by another process is one sentence with the setting', async () => {
  const other = createServer();
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const { port } = other.address() as AddressInfo;
  try {
    await expect(serveOperator({ ...ANY, port }, {})).rejects.toMatchObject({
      name: 'StartProblem',
      message: `port ${port} on 127.0.0.1 cannot be used (another process has it): set WORKER_HEALTH_PORT to another port, to 0 (off) or to auto (a free one)`,
    });
  } finally {
    other.close();
  }
});

test('so is an address that the machine does not have', async () => {
  await expect(serveOperator({ ...ANY, host: '203.0.113.1' }, {})).rejects.toMatchObject({
    name: 'StartProblem',
    message: '203.0.113.1 is no address of this machine: set WORKER_HEALTH_HOST to one, or to 0.0.0.0',
  });
});
