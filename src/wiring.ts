// The composition root: the only place where configuration turns into pools, stores, feeds and clients. A process entry builds one
// wiring, passes on what is needed, and closes it last.
import { Client, Connection } from '@temporalio/client';
import type { Pool } from 'pg';
import { rememberedRunners } from './activities/card-runners';
import type { ActivityDeps } from './activities/deps';
import type { Config } from './config';
import { toRaceMs } from './domain/clock';
import { streamSourceOf } from './feeds/betfair/stream/source';
import { createFeeds } from './feeds/registry';
import type { Log } from './log';
import { createStores } from './store/create-stores';
import { createPool } from './store/pool';
import type { Stores } from './store/store';

export interface Wiring {
  readonly config: Config;
  readonly log: Log;
  readonly pool: Pool;
  readonly stores: Stores;
  /** Race time, epoch milliseconds. */
  readonly now: () => number;
  close(): Promise<void>;
}

export function createWiring(config: Config, log: Log): Wiring {
  const pool = createPool(config.databaseUrl, config.databasePoolMax);
  return {
    config,
    log,
    pool,
    stores: createStores(pool),
    now: () => toRaceMs(config.clock, Date.now()),
    close: () => pool.end(),
  };
}

export interface TemporalClient {
  readonly client: Client;
  close(): Promise<void>;
}

/** For what speaks to workflows from outside a worker: the API, the operators' CLI. */
export async function connectTemporal({ temporal }: Config): Promise<TemporalClient> {
  const connection = await Connection.connect({ address: temporal.address });
  return { client: new Client({ connection, namespace: temporal.namespace }), close: () => connection.close() };
}

/** What the activities work with, in this process. */
export function activityDeps({ config, log, stores, now }: Wiring, client: Client): ActivityDeps {
  return {
    stores,
    feeds: createFeeds(config.feeds, now),
    cardRunners: rememberedRunners(stores.races, now),
    now,
    clock: config.clock,
    exchangeStream: streamSourceOf(config.feeds.betfair_ex_au),
    random: Math.random,
    client,
    log,
    apiBaseUrl: config.api.baseUrl,
    betslip: config.betslip,
  };
}
