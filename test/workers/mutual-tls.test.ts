// Temporal behind mutual TLS, as in a cluster with client certificates or in Temporal Cloud: the real server behind a
// proxy that requires a certificate. The certificates come from the test's own authority.
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { NativeConnection } from '@temporalio/worker';
import { loadConfig } from '../../src/config';
import { connectTemporal, openTemporal } from '../../src/temporal-client';
import { checkNamespace } from '../../src/workers/check-namespace';
import { PATIENT_MS } from '../support/patient';
import { installQuietRuntime } from '../support/servers/quiet-runtime';
import { waitFor } from '../support/servers/service';
import { createTestNamespace, type TestNamespace } from '../support/servers/temporal';

const TLS = join(__dirname, '../fixtures/tls');
const pem = (name: string) => readFileSync(join(TLS, name));

let temporal: TestNamespace;
let proxy: Server;
beforeAll(async () => {
  installQuietRuntime();
  temporal = await createTestNamespace();
  const [host, port] = temporal.address.split(':');
  const certificates = { key: pem('server.key'), cert: pem('server.pem'), ca: pem('ca.pem') };
  proxy = createServer({ ...certificates, requestCert: true, ALPNProtocols: ['h2'] }, (near) => {
    const far = connect(Number(port), host);
    near.pipe(far).pipe(near);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  proxy?.close();
  await temporal?.close();
});

const config = (more: Record<string, string>) =>
  loadConfig({
    TEMPORAL_ADDRESS: `127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    TEMPORAL_NAMESPACE: temporal.namespace,
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: join(TLS, 'ca.pem'),
    TEMPORAL_TLS_SERVER_NAME: 'temporal.test',
    ...more,
  });
const CLIENT = {
  TEMPORAL_TLS_CLIENT_CERT_DATA: pem('client.pem').toString(),
  TEMPORAL_TLS_CLIENT_KEY_DATA: pem('client.key').toString(),
};

test('with the certificate a worker, its queries and a command get through', async () => {
  const settings = config(CLIENT);
  const { connection, close } = openTemporal(settings, 'once');
  await waitFor(() => checkNamespace(connection, temporal.namespace).then(() => true), PATIENT_MS);
  await close();
  const native = await NativeConnection.connect(settings.temporal.connection);
  const { namespaceInfo } = await native.workflowService.describeNamespace({ namespace: temporal.namespace });
  expect(namespaceInfo?.name).toBe(temporal.namespace);
  await native.close();
  const command = await connectTemporal(settings);
  expect(await command.client.workflow.count()).toEqual({ count: 0, groups: [] });
  await command.close();
});

test('without it nothing gets through', async () => {
  const settings = config({});
  const { connection, close } = openTemporal(settings, 'once');
  await expect(checkNamespace(connection, temporal.namespace)).rejects.toThrow();
  await close();
  await expect(NativeConnection.connect(settings.temporal.connection)).rejects.toThrow();
});
