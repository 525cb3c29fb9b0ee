// An S3-compatible server of this process, with one bucket.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { S3Settings } from '../../../src/file-store/s3';

interface S3Server {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
  readonly httpServer: Server;
}
// It has no types.
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
    // It reads an encoded slash in a query otherwise than it was signed.
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
      // The server's own, and no secret.
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    },
    close: () => server.close(),
  };
}
