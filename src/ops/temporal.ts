// Temporal, for the time that a command needs it.
import type { Client } from '@temporalio/client';
import { connectTemporal } from '../temporal-client';
import type { Wiring } from '../wiring/service';
import { Mistake } from './command';

export async function withTemporal<T>({ config }: Wiring, work: (client: Client) => Promise<T>): Promise<T> {
  const { client, close } = await connectTemporal(config).catch(() => {
    throw new Mistake(`Temporal at ${config.temporal.connection.address} does not answer: check TEMPORAL_ADDRESS.`);
  });
  try {
    return await work(client);
  } finally {
    await close();
  }
}
