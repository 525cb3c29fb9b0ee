// What an API process reads, and from where: of the past from a replica, if there is one.
import { createPool, observePool } from '../store/pg/pool';
import { watchReplica } from '../store/pg/replica/replica';
import { createReads, type Reads } from '../store/reads/reads';
import { withReplica } from '../store/reads/reads-of-the-past';
import type { Wiring } from './service';

export interface ApiReads {
  /** From the databases only. */
  readonly reads: Reads;
  close(): Promise<void>;
}

export function createApiReads({ config, log, pool, now }: Wiring): ApiReads {
  const { databaseUrl, databasePoolMax, databaseStreamPoolMax, databaseTimeouts, databaseReplica } = config;
  const streams = createPool(databaseUrl, databaseStreamPoolMax, { timeouts: databaseTimeouts });
  observePool(streams, 'api streams');
  const primary = createReads(pool, streams);
  if (!databaseReplica) return { reads: primary, close: () => streams.end() };

  const { url, maxAgeMs } = databaseReplica;
  const own = { timeouts: databaseTimeouts, readOnly: true };
  const calls = createPool(url, databasePoolMax, own);
  const streamed = createPool(url, databaseStreamPoolMax, own);
  observePool(calls, 'replica', 'replica');
  observePool(streamed, 'replica streams', 'replica');
  const replica = watchReplica({
    ...{ primaryUrl: config.databaseDirectUrl, url, maxAgeMs, refusesSuperuser: config.refusesSuperuser },
    onChange: (usesReplica, reason) =>
      usesReplica
        ? log.info('reads of the past run on the replica')
        : log.warn({ reason }, 'reads of the past run on the primary'),
  });
  const reads = withReplica(primary, {
    read: replica.read,
    reads: createReads(calls, streamed),
    streams: { replica: streamed, primary: streams },
    now,
  });
  return {
    reads,
    async close() {
      await Promise.all([replica.close(), streams.end(), calls.end(), streamed.end()]);
    },
  };
}
