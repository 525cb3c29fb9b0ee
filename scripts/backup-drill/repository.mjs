// The repository of the drill: the S3-compatible server of the tests over TLS, in this process, with a bucket in the
// instance's data folder.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { debianRoot } from '../install/debian-root.mjs';
import { freePorts } from '../process/ports.mjs';
import { run } from '../process/run.mjs';
import { checkoutData } from '../servers/data-folder.mjs';

/** The server's fixed key, not a secret. */
const KEY = 'S3RVER';

/** Settings of pgBackRest by name, with the certificate's path as a process in the root sees it; and `stop`. */
export async function startRepository(ctx, programs, { bucket }) {
  const certificate = await selfSigned(ctx, programs);
  const directory = join(checkoutData(ctx.instance), 's3');
  mkdirSync(directory, { recursive: true });
  const [port] = await freePorts(1);
  const { default: S3rver } = await import('@20minutes/s3rver');
  const server = new S3rver({
    address: '127.0.0.1',
    port,
    silent: true,
    // The server reads an encoded slash in a query differently from the client that signed it.
    allowMismatchedSignatures: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
    key: readFileSync(join(programs.data, 'tls/key.pem')),
    cert: readFileSync(join(programs.data, certificate)),
  });
  await server.run();
  return {
    directory,
    settings: {
      'repo1-s3-endpoint': '127.0.0.1',
      'repo1-storage-port': String(port),
      'repo1-s3-uri-style': 'path',
      'repo1-s3-region': 'us-east-1',
      'repo1-storage-ca-file': join(programs.inside, certificate),
    },
    secrets: { 'repo1-s3-key': KEY, 'repo1-s3-key-secret': KEY },
    stop: () => server.close(),
  };
}

/** Only for this drill, valid for one day. */
async function selfSigned({ signal, logs }, { data, inside }) {
  const folder = join(data, 'tls');
  mkdirSync(folder, { recursive: true });
  const files = ['-keyout', join(inside, 'tls/key.pem'), '-out', join(inside, 'tls/cert.pem')];
  const options = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '1',
    '-subj',
    '/CN=127.0.0.1',
  ];
  const name = ['-addext', 'subjectAltName=IP:127.0.0.1'];
  const command = [debianRoot(), 'openssl', 'req', '-x509', ...options, ...name, ...files];
  await run('chroot', command, { signal, log: join(logs, 'openssl.log'), what: 'openssl' });
  return 'tls/cert.pem';
}
