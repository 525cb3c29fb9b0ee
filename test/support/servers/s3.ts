// An S3-compatible server in this process, with one bucket.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { S3Settings } from '../../../src/file-store/s3';

interface S3Server {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
  readonly httpServer: Server;
}
// The package has no types.
const S3rver = require('@20minutes/s3rver') as new (options: object) => S3Server;

export async function startS3(
  directory: string,
  bucket: string,
): Promise<{ settings: S3Settings; close(): Promise<void> }> {
  const options = {
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
    // The server reads an encoded slash in a query differently from the client that signed it.
    allowMismatchedSignatures: true,
  };
  const server = new S3rver(options);
  const { port } = await server.run();
  return {
    settings: {
      bucket,
      prefix: '',
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${port}`,
      // The server's fixed key, not a secret.
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    },
    close: () => server.close(),
  };
}
