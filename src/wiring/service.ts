// The basis of every process of the service: connections, stores and clocks. A process entry builds one, passes on what
// is needed, and closes it last.
import type { Pool } from 'pg';
import type { Config } from '../config';
import { toRaceMs } from '../domain/time/clock';
import type { Log } from '../log';
import { createStores } from '../store/create-stores';
import { observeReplication } from '../store/gauges/replication';
import { createPool, observePool, readClock } from '../store/pg/pool';
import { onlyDirect, wrongDirect } from '../store/pg/sessions/direct';
import { lackingSettings } from '../store/pg/sessions/session';
import { keepWallClock } from '../store/pg/wall-clock';
import { createSealer } from '../store/secrets/sealer';
import type { Stores } from '../store/stores';

export interface Wiring {
  readonly config: Config;
  readonly log: Log;
  readonly pool: Pool;
  /** What a session of the pool lacks, a part of a sentence each. */
  readonly lacking: () => Promise<readonly string[]>;
  /** What is wrong with the direct address, a sentence; null: nothing. */
  readonly wrongDirect: () => Promise<string | null>;
  readonly stores: Stores;
  /** Race time, epoch milliseconds. */
  readonly now: () => number;
  /** The wall clock: credits and their months (D37). */
  readonly wallMs: () => number;
  /** Called by `close`, before the pool ends. */
  readonly closing: (() => void)[];
  close(): Promise<void>;
}

/**
 * `name`: of the pool, in metrics. The database does not judge the times of an API process's writes. A command connects
 * directly, and to the database of the processes or not at all; its statements (a migration, a collection) take as long
 * as they need.
 */
export function createWiring(config: Config, log: Log, name: 'service' | 'api' | 'command' = 'service'): Wiring {
  const isCommand = name === 'command';
  const needs = {
    ...(name !== 'api' && { clock: config.clock }),
    timeouts: { ...config.databaseTimeouts, ...(isCommand && { queryMs: null }) },
  };
  const pool = isCommand
    ? createPool(config.databaseDirectUrl, config.databasePoolMax, { ...needs, judge: onlyDirect(config) })
    : createPool(config.databaseUrl, config.databasePoolMax, needs);
  observePool(pool, name);
  observeReplication(pool);
  const wall = keepWallClock({
    readDatabase: () => readClock(pool),
    onSet: (aheadMs) => log.warn({ aheadMs }, 'this machine’s clock differs from the database’s, which is used'),
  });
  const closing: (() => void)[] = [wall.close];
  return {
    config,
    log,
    pool,
    lacking: () => lackingSettings(pool, needs),
    wrongDirect: () => wrongDirect(config),
    stores: createStores(pool, createSealer(config.secretKeys)),
    now: () => toRaceMs(config.clock, wall.now()),
    wallMs: wall.now,
    closing,
    close: () => {
      for (const end of closing) end();
      return pool.end();
    },
  };
}
