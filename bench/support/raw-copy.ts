// The reference of files: COPY (…) TO STDOUT, its bytes counted as they come and not read.
import type { Socket } from 'node:net';
import { Client } from 'pg';

/** "Z": ready for the next statement, in no transaction. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

export async function copyOut(databaseUrl: string, query: string): Promise<{ bytes: number; ms: number }> {
  const client = new Client({ connectionString: databaseUrl, options: '-c timezone=UTC -c jit=off' });
  // Its connection is closed under it at the end.
  client.on('error', () => undefined);
  await client.connect();
  // The driver would build an object of every row.
  const { connection } = client as unknown as { connection: Connection };
  const { stream } = connection;
  stream.removeAllListeners('data');
  const began = performance.now();
  const bytes = await new Promise<number>((done, fail) => {
    let count = 0;
    let tail = Buffer.alloc(0);
    stream.on('error', fail).on('data', (chunk: Buffer) => {
      if (count === 0 && chunk[0] === 0x45) fail(new Error(chunk.toString('latin1')));
      count += chunk.length;
      tail = Buffer.concat([tail, chunk.subarray(-READY.length)]).subarray(-READY.length);
      if (tail.equals(READY)) done(count);
    });
    connection.query(`COPY (${query}) TO STDOUT (FORMAT csv, HEADER)`);
  });
  const ms = performance.now() - began;
  stream.destroy();
  return { bytes, ms };
}

interface Connection {
  readonly stream: Socket;
  query(text: string): void;
}
