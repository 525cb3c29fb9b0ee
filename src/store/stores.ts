// All that the rest of the service may ask of the database.
import type { BetslipStore } from './betslip';
import type { IngestStore } from './ingest';
import type { PublishedStore } from './registry/published-results';
import type { RegistryStore } from './registry/registry';
import type { ControlStore, ExchangeStore, HealthStore, KeyStore, QuoteStore, RaceStore, ResultStore } from './store';

export interface Stores {
  readonly races: RaceStore;
  readonly control: ControlStore;
  readonly quotes: QuoteStore;
  readonly results: ResultStore;
  readonly health: HealthStore;
  readonly exchange: ExchangeStore;
  readonly keys: KeyStore;
  readonly ingest: IngestStore;
  readonly betslip: BetslipStore;
  readonly registry: RegistryStore;
  readonly published: PublishedStore;
}
