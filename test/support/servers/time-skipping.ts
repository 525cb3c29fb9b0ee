// Temporal's time-skipping server for a test file of workflows. We start it and wait for it, because the SDK gives a
// server five seconds to start, and a busy machine needs longer to load it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { freePort } from './free-port';
import { installQuietRuntime } from './quiet-runtime';
import { keepClockGoing } from './skipping-clock';
import { searchAttributeTypes } from './temporal';

export interface TimeSkipping {
  readonly env: TestWorkflowEnvironment;
  close(): Promise<void>;
}

/** The SDK's own constructor of an environment: its public one for a running server does not skip time. */
const { create } = TestWorkflowEnvironment as unknown as {
  create(options: object): Promise<TestWorkflowEnvironment>;
};

/** `patienceMs`: as in `keepClockGoing`. */
export async function openTimeSkipping(patienceMs?: number): Promise<TimeSkipping> {
  const path = process.env.TEMPORAL_TEST_SERVER;
  if (!path) throw new Error('TEMPORAL_TEST_SERVER is not set: run the tests through `npm test`, which finds one');
  installQuietRuntime();
  const port = await freePort();
  const server = spawn(path, [String(port)], { stdio: 'ignore' });
  const ended = once(server, 'exit');
  const address = `127.0.0.1:${port}`;
  await answers(ended, address);
  const options = { server: { type: 'existing' }, address, namespace: 'default', supportsTimeSkipping: true };
  const env = await create.call(TestWorkflowEnvironment, options);
  const searchAttributes = searchAttributeTypes();
  await env.connection.operatorService.addSearchAttributes({ namespace: options.namespace, searchAttributes });
  const stopClock = keepClockGoing(env, patienceMs);
  return {
    env,
    close: async () => {
      await stopClock();
      await env.teardown();
      server.kill('SIGKILL');
      await ended;
    },
  };
}

async function answers(ended: Promise<unknown[]>, address: string): Promise<void> {
  for (;;) {
    const connecting = Connection.connect({ address, connectTimeout: 5000 }).catch(() => delay(50, null));
    const connection = await Promise.race([connecting, ended.then(endedEarly)]);
    if (connection) return connection.close();
  }
}

const endedEarly = ([code]: unknown[]): never => {
  throw new Error(`the time-skipping server ended with ${code} before it answered`);
};
