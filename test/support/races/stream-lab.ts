// The exchange's stream from a server over TCP through the activity into a real store, without Temporal: the test is
// the host.
import { setTimeout as delay } from 'node:timers/promises';
import { runExchangeStream, type StreamProgress } from '../../../src/activities/exchange/stream-exchange';
import { createLog } from '../../../src/log';
import type { StreamServer } from '../../../src/simulator/stream/server';
import { createStores } from '../../../src/store/create-stores';
import { createPatience, PATIENT_MS } from '../patient';
import type { TestDatabase } from '../servers/database';

export interface StreamRun {
  readonly progress: StreamProgress;
  /** Ends the activity as a cancellation does; its buffered changes are saved. */
  stop(): Promise<void>;
}

export async function followServer(db: TestDatabase, server: StreamServer, now: () => number): Promise<StreamRun> {
  const address = { host: '127.0.0.1', port: await server.listen(0), tls: false };
  const stopping = new AbortController();
  const run = { progress: { changes: 0, breaks: 0, lastBreak: null } as StreamProgress };
  const running = runExchangeStream(
    {
      stores: createStores(db.pool),
      now,
      log: createLog('test', 'silent'),
      exchangeStream: {
        address,
        credentials: { appKey: 'key', session: 'token' },
        filter: { eventTypeIds: ['4339', '7'], countryCodes: ['AU', 'NZ'], marketTypes: ['WIN', 'PLACE'] },
      },
    },
    {
      signal: stopping.signal,
      heartbeat: (details) => {
        run.progress = details;
      },
      wait: (ms) => delay(ms, undefined, { signal: stopping.signal }),
    },
  ).catch((error: Error) => {
    if (error.name !== 'AbortError') throw error;
  });
  return Object.assign(run, {
    stop: async () => {
      stopping.abort();
      await running;
    },
  });
}

/** Checks every 20 ms; throws if the condition is not true within `withinMs`. */
export async function until(isSo: () => boolean | Promise<boolean>, withinMs = PATIENT_MS): Promise<void> {
  const patience = createPatience(withinMs);
  while (!(await isSo())) {
    if (patience.isOver()) throw new Error(`not within ${withinMs} ms: ${isSo}`);
    await delay(20);
  }
}
