// The test's own Temporal namespace on the real server, so that concurrent or successive tests with the same simulated
// races never see each other's workflows.
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import searchAttributes from '../../../scripts/servers/search-attributes.json';
import { createPatience, PATIENT_MS } from '../patient';

export interface TestNamespace {
  readonly address: string;
  readonly namespace: string;
  readonly connection: Connection;
  readonly client: Client;
  close(): Promise<void>;
}

/** `IndexedValueType` of the server's API. */
const VALUE_TYPES: Readonly<Record<string, number>> = { Keyword: 2, Datetime: 6 };

export const searchAttributeTypes = (): Record<string, number> =>
  Object.fromEntries(Object.entries(searchAttributes).map(([name, type]) => [name, VALUE_TYPES[type]!]));

export async function createTestNamespace(): Promise<TestNamespace> {
  const address = process.env.TEMPORAL_ADDRESS;
  if (!address) throw new Error('TEMPORAL_ADDRESS is not set: run the tests through `npm test`, which starts a server');
  const connection = await eventually(() => Connection.connect({ address }));
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  const day = msToTs('1 day');
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: day });
  await eventually(() =>
    connection.operatorService.addSearchAttributes({ namespace, searchAttributes: searchAttributeTypes() }),
  );
  return {
    address,
    namespace,
    connection,
    client: new Client({ connection, namespace }),
    close: () => connection.close(),
  };
}

// The server may be busy, and knows a new namespace only after its next refresh.
async function eventually<T>(work: () => Promise<T>): Promise<T> {
  const patience = createPatience(PATIENT_MS);
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (patience.isOver()) throw error;
      await delay(100);
    }
  }
}
