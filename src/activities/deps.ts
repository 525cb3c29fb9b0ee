// What the activities work with. Real things in a worker, real things in tests; only the clock and the dice are arguments.
import type { Client } from '@temporalio/client';
import type { NumberedRunner } from '../domain/race/join-runners';
import type { Instant } from '../domain/race/race';
import type { RaceClock } from '../domain/time/clock';
import type { StreamSource } from '../feeds/betfair/stream/source';
import type { Feed } from '../feeds/feed';
import type { RegistryFeed } from '../feeds/racing-australia/fetch';
import type { ResultsRegistry } from '../feeds/results-registry';
import type { Log } from '../log';
import type { Stores } from '../store/stores';

export interface ActivityDeps {
  readonly stores: Omit<Stores, 'keys'>;
  readonly feeds: ReadonlyMap<string, Feed>;
  /** The thoroughbred registry. Absent: it is not read. */
  readonly registry?: RegistryFeed;
  /** Those that publish full fields (D25). None: no field is collected. */
  readonly resultsRegistries: readonly ResultsRegistry[];
  /** The card's runners, to join a book that says no numbers: a little old, at most a minute. */
  readonly cardRunners: (raceId: string) => Promise<readonly NumberedRunner[]>;
  /** Race time, epoch milliseconds. */
  readonly now: () => number;
  /** Converts what must wait on the wall. */
  readonly clock: RaceClock;
  /** Null or absent: the exchange is polled alone. */
  readonly exchangeStream?: StreamSource | null;
  /** Wall: how long a book is waited for, by its key. Default: as its table says. */
  readonly deadlineOf?: (bookmakerKey: string) => number;
  /** In [0, 1): jitter only. */
  readonly random: () => number;
  readonly client: Client;
  readonly log: Log;
  /** What `probeUptime` calls. */
  readonly apiBaseUrl: string;
  /** By bookmaker key: how a betslip link is written, for the books that have one. */
  readonly betslip: Readonly<Record<string, string>>;
}

/** What reading and joining the registry needs of it. */
export type RegistryDeps = Pick<ActivityDeps, 'now' | 'log' | 'registry'> & {
  readonly stores: Pick<ActivityDeps['stores'], 'registry' | 'races' | 'health'>;
};

/** What collecting published results needs: an operator's command has it too, without the feeds. */
export type CollectDeps = Pick<ActivityDeps, 'now' | 'log' | 'client' | 'clock' | 'resultsRegistries'> & {
  readonly stores: Pick<ActivityDeps['stores'], 'published' | 'results' | 'races' | 'control' | 'health'>;
};

/** Race time now, as it is written (D2). */
export const instantNow = (deps: Pick<ActivityDeps, 'now'>): Instant => new Date(deps.now()).toISOString();
