// The client of Temporal for code outside a worker task.
import { Client, Connection } from '@temporalio/client';
import type { Config } from './config';

/** Wall. A caller that can wait longer tries again. */
const CONNECT_WITHIN_MS = 10_000;

export interface TemporalClient {
  readonly client: Client;
  readonly connection: Connection;
  close(): Promise<void>;
}

/** gRPC waits up to two minutes by default before it tries a lost server again. */
const channelArgs = { 'grpc.max_reconnect_backoff_ms': 5000 };

/** Connects with its first call, and again whenever the connection is lost. `once`: a failed call is not retried. */
export function openTemporal({ temporal }: Pick<Config, 'temporal'>, calls?: 'once'): TemporalClient {
  const more = { connectTimeout: CONNECT_WITHIN_MS, channelArgs, ...(calls === 'once' && { interceptors: [] }) };
  const connection = Connection.lazy({ ...temporal.connection, ...more });
  const client = new Client({ connection, namespace: temporal.namespace });
  return { client, connection, close: () => connection.close() };
}

/** The same for a command: rejects soon if nothing answers. */
export async function connectTemporal(config: Pick<Config, 'temporal'>): Promise<TemporalClient> {
  const temporal = openTemporal(config);
  try {
    await temporal.connection.ensureConnected();
    return temporal;
  } catch (error) {
    await temporal.close();
    throw error;
  }
}
