// Every operation, in the order of the contract's list. A test compares this list with the files of the folder.
import type { Endpoint } from '../endpoint';
import { connectorHealth } from './health/connector-health';
import { connectors } from './health/connectors';
import { uptimeStats } from './health/uptime-stats';
import { ingestPrices } from './ingest/ingest-prices';
import { acceptances } from './racing/acceptances';
import { consensus } from './racing/consensus';
import { intelligence } from './racing/intelligence';
import { intelligenceScan } from './racing/intelligence-scan';
import { movers } from './racing/movers';
import { nextToGo } from './racing/next-to-go';
import { raceClv } from './racing/race-clv';
import { raceEvents } from './racing/race-events';
import { raceForm } from './racing/race-form';
import { raceMarkets } from './racing/race-markets';
import { raceResults } from './racing/race-results';
import { racingBestOdds } from './racing/racing-best-odds';
import { racingChanges } from './racing/racing-changes';
import { racingVenues } from './racing/racing-venues';
import { resultsCoverage } from './racing/results-coverage';
import { trackConditions } from './racing/track-conditions';
import { demoRacingNextToGo } from './sandbox/demo-racing-next-to-go';

export const ENDPOINTS: readonly Endpoint[] = [
  raceEvents,
  nextToGo,
  racingBestOdds,
  consensus,
  intelligence,
  intelligenceScan,
  movers,
  racingChanges,
  trackConditions,
  racingVenues,
  raceResults,
  resultsCoverage,
  acceptances,
  raceForm,
  raceClv,
  raceMarkets,
  connectors,
  connectorHealth,
  uptimeStats,
  demoRacingNextToGo,
  ingestPrices,
];
