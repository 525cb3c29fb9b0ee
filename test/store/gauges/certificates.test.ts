// When our servers' certificates expire, as `racing_certificate_left` reports it.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { connect, createServer, type Server, type TLSSocket } from 'node:tls';
import { certificatesLeft, noteCertificate } from '../../../src/store/gauges/certificates';

const read = (name: string) => readFileSync(join(__dirname, '../../fixtures/tls', name), 'utf8');

let server: Server;
let socket: TLSSocket;

beforeAll(async () => {
  server = createServer({ key: read('server.key'), cert: read('server.pem') });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => {
    socket = connect({ port, host: '127.0.0.1', ca: read('ca.pem'), checkServerIdentity: () => undefined }, resolve);
  });
});
afterAll(async () => {
  socket?.destroy();
  await new Promise((resolve) => server.close(resolve));
});

test('a TLS connection reports the seconds to its certificate’s expiry, also after it; a connection without TLS reports nothing', () => {
  const endMs = Date.parse(new X509Certificate(read('server.pem')).validTo);
  noteCertificate('redis', new Socket());
  noteCertificate('redis', undefined);
  noteCertificate('database', socket);
  expect(certificatesLeft(endMs - 60_000)).toEqual([['database', 60]]);
  expect(certificatesLeft(endMs + 60_000)).toEqual([['database', -60]]);
});
