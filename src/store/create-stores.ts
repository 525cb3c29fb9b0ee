// Every store over one pool, as `wiring.ts` and the tests take them.
import type { Pool } from 'pg';
import { createBetslipStore } from './betslip';
import { createControlStore } from './control';
import { createExchangeStore } from './exchange';
import { createHealthStore } from './health';
import { createIngestStore } from './ingest';
import { createKeyStore } from './keys';
import { createPublishedStore } from './published-results';
import { createQuoteStore } from './quotes';
import { createRaceStore } from './races';
import { createRegistryStore } from './registry';
import { createResultStore } from './results';
import type { Stores } from './stores';

export function createStores(pool: Pool): Stores {
  const [races, quotes] = [createRaceStore(pool), createQuoteStore(pool)];
  return {
    races,
    control: createControlStore(pool),
    quotes,
    results: createResultStore(pool),
    health: createHealthStore(pool),
    exchange: createExchangeStore(pool),
    keys: createKeyStore(pool),
    ingest: createIngestStore(pool, { races, quotes }),
    betslip: createBetslipStore(pool),
    registry: createRegistryStore(pool),
    published: createPublishedStore(pool),
  };
}
