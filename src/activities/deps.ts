// The dependencies of the activities. Tests use real servers too; only the clock and the randomness are arguments.
import type { Client } from '@temporalio/client';
import type { Signer } from '../bulk/manifest/signer';
import type { BulkReads } from '../bulk/rows/sources';
import type { NumberedRunner } from '../domain/race/join-runners';
import type { Instant } from '../domain/race/race';
import type { RaceClock } from '../domain/time/clock';
import type { StreamSource } from '../feeds/betfair/stream/source';
import type { Probes } from '../feeds/door/door';
import type { Feed } from '../feeds/feed';
import type { RegistryFeed } from '../feeds/racing-australia/fetch';
import type { ResultsRegistry } from '../feeds/results-registry';
import type { SportsFeed } from '../feeds/sports-feed';
import type { FileStore } from '../file-store/file-store';
import type { Log } from '../log';
import type { MonthlyCreditsOf } from '../store/credits/charge-within';
import type { LiveWatch } from '../store/polls/live-races';
import type { Reads } from '../store/reads/reads';
import type { Stores } from '../store/stores';
import type { Sender } from '../webhooks/send';

export interface ActivityDeps {
  readonly stores: Omit<Stores, 'keys' | 'keyRegister'>;
  /** The store of customers' files, and the sources they are built from. */
  readonly files: FileStore;
  /** Of manifests. */
  readonly signer: Signer;
  readonly bulkReads: BulkReads;
  /** The data that the API serves, for audits. */
  readonly boardReads: Pick<Reads, 'board' | 'findRaces' | 'matches'>;
  readonly feeds: ReadonlyMap<string, Feed>;
  /** The thoroughbred registry. Absent: no registry is read before a race. */
  readonly registry?: RegistryFeed;
  /** The sports feed, and its monthly budget in its credits. Absent or null: matches are only pushed. */
  readonly sportsFeed?: { readonly feed: SportsFeed; readonly monthlyCredits: number } | null;
  /** Of the registries that this process can reach. Absent: no gate probes any. */
  readonly probes?: Probes;
  /** The registries that publish full fields (D25). Empty: no field is collected. */
  readonly resultsRegistries: readonly ResultsRegistry[];
  /** The card's runners, to join a book that reports no numbers. Cached for at most a minute. */
  readonly cardRunners: (raceId: string) => Promise<readonly NumberedRunner[]>;
  /** Race time, epoch milliseconds. */
  readonly now: () => number;
  /** The wall clock, epoch milliseconds. */
  readonly wallMs: () => number;
  /** An account's room for a month, for charges on delivery. */
  readonly monthlyCreditsOf: MonthlyCreditsOf;
  /** Converts race time to wall time for every wait. */
  readonly clock: RaceClock;
  /** Null or absent: the exchange is only polled. */
  readonly exchangeStream?: StreamSource | null;
  /** Wall milliseconds that a call to this book may take. Default: the book table's. */
  readonly deadlineOf?: (bookmakerKey: string) => number;
  /** Of the live pollers of races that are started. Default: the workflow's own. */
  readonly heartbeatTimeoutMs?: number;
  /** Wall. Of a live poller, the most between two heartbeats that reach Temporal. */
  readonly heartbeatMs?: number;
  /** In [0, 1): jitter only. */
  readonly random: () => number;
  /**
   * How many live races this process may hold at once, and the reading of those that no worker polls. Absent: no race
   * gives up its slot.
   */
  readonly liveSlots?: number;
  readonly liveWatch?: LiveWatch;
  /** Aborted when this process must end. */
  readonly stopping?: AbortSignal;
  /** How webhooks are posted, and the plans whose accounts get any. Absent: this process posts none. */
  readonly webhooks?: { readonly sender: Sender; readonly plans: readonly string[] };
  readonly client: Client;
  readonly log: Log;
  /** The API that `probeUptime` calls. */
  readonly apiBaseUrl: string;
  /** Template of betslip links by bookmaker key; a book without a template has no link. */
  readonly betslip: Readonly<Record<string, string>>;
}

/** The part that one poll of one race needs. */
export type PollDeps = Pick<ActivityDeps, 'stores' | 'feeds' | 'cardRunners' | 'now' | 'log' | 'deadlineOf'>;

/** The part that reading and joining the registry needs. */
export type RegistryDeps = Pick<ActivityDeps, 'now' | 'log' | 'registry'> & {
  readonly stores: Pick<ActivityDeps['stores'], 'registry' | 'races' | 'health'>;
};

/** The part that polling the feed of sports needs. */
export type SportsDeps = Pick<ActivityDeps, 'now' | 'clock' | 'sportsFeed'> & {
  readonly stores: Pick<ActivityDeps['stores'], 'feedLevels' | 'sportFeed' | 'health'>;
};

/** The part that collecting published results needs. An operator's command has no feeds. */
export type CollectDeps = Pick<
  ActivityDeps,
  'now' | 'log' | 'client' | 'clock' | 'resultsRegistries' | 'heartbeatTimeoutMs'
> & {
  readonly stores: Pick<ActivityDeps['stores'], 'published' | 'results' | 'races' | 'control' | 'health'>;
};

/** Race time now as an instant (D2). */
export const instantNow = (deps: Pick<ActivityDeps, 'now'>): Instant => new Date(deps.now()).toISOString();
