import { type AddressInfo, createServer, type Server } from 'node:net';

interface Ports {
  isFree(port: number): Promise<boolean>;
  freePorts(count: number): Promise<number[]>;
  requireFree(need: { port: number; what: string; variable: string }): Promise<void>;
}
const { isFree, freePorts, requireFree } = require('../../../scripts/process/ports.mjs') as Ports;

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
});
