import { type AddressInfo, createServer, type Server } from 'node:net';

interface Ports {
  isFree(port: number): Promise<boolean>;
  freePorts(count: number): Promise<number[]>;
  sliceOf(worker?: string): [from: number, to: number];
  requireFree(need: { port: number; what: string; variable: string }): Promise<void>;
}
const { isFree, freePorts, requireFree, sliceOf } = require('../../../scripts/process/ports.mjs') as Ports;

describe('ports', () => {
  let server: Server;
  let taken: number;

  beforeEach(async () => {
    server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    taken = (server.address() as AddressInfo).port;
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  test('a port that something listens on is not free', async () => {
    expect(await isFree(taken)).toBe(false);
  });

  test('the sentence names the port, who needs it and the variable that moves it', async () => {
    await expect(requireFree({ port: taken, what: 'the API', variable: 'API_PORT' })).rejects.toThrow(
      `Port ${taken}, which the API needs, is used by another program: stop that program, or set API_PORT to another port.`,
    );
  });

  test('free ports are free, and all different', async () => {
    const ports = await freePorts(5);
    expect(new Set(ports).size).toBe(5);
    expect(await Promise.all(ports.map(isFree))).toEqual([true, true, true, true, true]);
    await expect(requireFree({ port: ports[0]!, what: 'Redis', variable: 'REDIS_PORT' })).resolves.toBeUndefined();
  });

  test('jest workers and e2e pick from disjoint ranges, and none of them shares one with other processes', async () => {
    const slices = [sliceOf(), ...['1', '2', '3', '4', '5'].map(sliceOf)];
    const inOrder = [...slices].sort(([a], [b]) => a - b);
    for (const [n, [from, to]] of inOrder.entries()) {
      expect(from).toBeLessThan(to);
      expect(from).toBeGreaterThanOrEqual(inOrder[n - 1]?.[1] ?? 10_000);
      expect(to).toBeLessThanOrEqual(32_768);
    }
    const [from, to] = sliceOf(process.env.JEST_WORKER_ID);
    for (const port of await freePorts(20)) expect(port >= from && port < to).toBe(true);
  });

  test('a port is assigned once, even after its listener has ended', async () => {
    const given = new Set(await freePorts(300));
    expect((await freePorts(300)).filter((port) => given.has(port))).toEqual([]);
  });
});
