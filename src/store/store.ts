// What the rest of the service may ask of the database, one interface per table family. The implementations sit beside this
// file (`races.ts`, `quotes.ts`, …). Every instant is an argument (ISO 8601 Z): the store never reads a clock.
import type {
  ExchangeMarket,
  FeedPlacing,
  FeedResult,
  FeedRunner,
  ListedRace,
  RaceSnapshot,
} from '../domain/race/feed-race';
import type { JoinCandidate } from '../domain/race/identity';
import type { KnownRunner } from '../domain/race/join-runners';
import type { Category, Day, Instant, MarketStatus, RaceIdentity, RefreshTier } from '../domain/race/race';
import type { FieldState, FieldStatus } from '../domain/results/field-coverage';
import type { ResultRunner } from '../domain/results/result';

/** A listed race that identity (D17) has placed. */
export interface PlacedRace {
  readonly raceId: string;
  readonly identity: RaceIdentity;
  readonly venueCanonical: string;
  readonly venueSite: string;
  readonly listed: ListedRace;
}

/** What discovery found about one race when it wrote a book's list. */
export interface CardChange {
  readonly raceId: string;
  readonly identity: RaceIdentity;
  readonly venueCanonical: string;
  readonly country: string | null;
  readonly startTime: Instant;
  readonly startVersion: number;
  readonly created: boolean;
  readonly startMoved: boolean;
}

/** One book's listing of a race, with its own id for it. */
export interface BookOfRace {
  readonly bookmakerKey: string;
  readonly sourceRaceId: string;
  /** Whether a reply of this book about the race is held. */
  readonly polled: boolean;
}

export interface RaceStore {
  /** Races of these meeting days, to join a book's list against. */
  joinCandidates(days: readonly Day[]): Promise<readonly JoinCandidate[]>;
  /** Upserts races, book links and spellings in one transaction. Idempotent. Only the book ranked `startSource` may move a start. */
  saveCard(bookmakerKey: string, races: readonly PlacedRace[], at: Instant): Promise<readonly CardChange[]>;
  /** What this book's own ids of these days' races mean: source id → race. */
  linksOf(bookmakerKey: string, days: readonly Day[]): Promise<ReadonlyMap<string, string>>;
  /** The books that list the race, with each book's own id for it. */
  booksOf(raceId: string): Promise<readonly BookOfRace[]>;
  /** The card's runners by number and name, to join a book that does not say numbers. */
  runnersOf(raceId: string): Promise<readonly KnownRunner[]>;
  /** Header of one race for the workflow and its activities; null when unknown. */
  raceHeader(raceId: string): Promise<RaceHeader | null>;
  /** The lifecycle's phase, and its instants that are set once (`jumped_at`, `left_board_at`). */
  savePhase(
    raceId: string,
    phase: string,
    stamps: { jumpedAt?: Instant; leftBoardAt?: Instant },
    at: Instant,
  ): Promise<void>;
  /** Every race of the meeting (day, category, venue, card): for a meeting abandoned. */
  meetingRaces(raceId: string): Promise<readonly string[]>;
  /** Races whose workflow should be running (not finished within `horizonDays`): for the sweeper. */
  unfinishedRaces(at: Instant, limit: number): Promise<readonly string[]>;
}

export interface RaceHeader {
  readonly raceId: string;
  readonly identity: RaceIdentity;
  readonly venue: string;
  readonly venueCanonical: string;
  readonly country: string | null;
  readonly startTime: Instant;
  readonly startVersion: number;
  readonly status: 'open' | 'abandoned';
  readonly phase: string;
  readonly marketClosedAt: Instant | null;
  readonly inplayAt: Instant | null;
  readonly jumpedAt: Instant | null;
  readonly leftBoardAt: Instant | null;
}

/** What a poller is told about once a second. */
export interface RaceControl {
  readonly raceId: string;
  readonly epoch: number;
  readonly tier: RefreshTier | 'none';
  readonly advertisedStart: Instant;
  readonly closed: boolean;
  readonly holderAttempt: number;
}

export interface ControlStore {
  /** Written by the workflow only. Never goes back: an older epoch changes nothing. */
  setControl(control: Omit<RaceControl, 'holderAttempt'>, at: Instant): Promise<void>;
  readControl(raceId: string): Promise<RaceControl | null>;
  /** Takes the race for this attempt of this epoch. False when a newer epoch or attempt holds it. After true, no write of an older holder succeeds. */
  claim(raceId: string, epoch: number, attempt: number, at: Instant): Promise<boolean>;
}

/** Who writes: refused unless it still holds the race. */
export interface Fence {
  readonly epoch: number;
  readonly attempt: number;
}

export interface PollOutcome {
  /** True: a newer holder has the race and nothing was written. */
  readonly fenced: boolean;
  /** Runners whose win price differs from what was held. */
  readonly changed: number;
  readonly ticks: number;
  readonly startMoved: boolean;
  readonly startVersion: number;
  readonly marketClosedAt: Instant | null;
  /** Numbers newly seen scratched by this poll. */
  readonly newlyScratched: readonly number[];
  /** True: by its own stamp the book has said something newer before, and nothing was written. */
  readonly outOfOrder: boolean;
}

export interface BookPoll {
  readonly raceId: string;
  readonly bookmakerKey: string;
  readonly fence: Fence;
  /** Our instant: the age of the quotes, and the `captured_at` of any tick. */
  readonly observedAt: Instant;
  readonly bookAt: Instant | null;
  /** Null: a 304; only freshness is stamped. */
  readonly snapshot: RaceSnapshot | null;
  /** The book whose market state is the race's (D20). */
  readonly marketStateSource: boolean;
  /** The book whose advertised start and race facts are taken before others'. */
  readonly startSource: boolean;
}

/** A book's runners as its reply after the jump lists them. */
export interface LateWord {
  readonly raceId: string;
  readonly bookmakerKey: string;
  readonly runners: readonly Pick<FeedRunner, 'number' | 'name' | 'scratching'>[];
  readonly at: Instant;
}

export interface QuoteStore {
  /** One statement for the prices of a poll: compare, write what changed, stamp freshness, append ticks, set the set-once stamps. */
  savePoll(poll: BookPoll): Promise<PollOutcome>;
  /** Who is out, and at what deduction, by a reply whose prices and facts are not written any more. */
  saveLateScratchings(word: LateWord): Promise<void>;
  /**
   * Whether a reply names the runners of another race than the one it is filed under: then nothing of it may be written. `strangers`:
   * numbers under which it names quite another runner than a better-believed book; those rows may not.
   */
  checkField(
    raceId: string,
    bookmakerKey: string,
    runners: readonly { readonly number: number | null; readonly name: string }[],
    at: Instant,
  ): Promise<{ readonly anotherRace: boolean; readonly strangers: readonly number[] }>;
}

export interface ResultWrite {
  readonly raceId: string;
  readonly source: string;
  readonly result: FeedResult;
  /** When the source said so. What it said before its own last word changes nothing. */
  readonly at: Instant;
}

export interface HeldResult {
  readonly raceId: string;
  readonly status: 'interim' | 'final' | 'abandoned';
  readonly statusNote: string | null;
  readonly placingsKey: string;
  readonly placingsSince: Instant;
  readonly protest: boolean;
  readonly overridden: boolean;
  readonly resultedAt: Instant | null;
  readonly fieldStatus: FieldStatus;
  readonly fieldExpectedAt: Instant | null;
  /** When a scheduled collector pass last ran over the race without a field. */
  readonly fieldLastPassAt: Instant | null;
}

/**
 * What became of a field that a registry published. `no_result`, `abandoned`, `unsupported`: the row takes none, or is not there yet.
 * `contradicted`: its order of finish is not that of our placings, and it was not written.
 */
export type FieldTaken = 'filled' | 'held' | 'no_result' | 'abandoned' | 'unsupported' | 'contradicted';

export interface ResultStore {
  /** Writes what a book says of the outcome: placings (and since when they stand), dividends, protest. Never demotes a final, never touches an override. */
  saveResult(write: ResultWrite): Promise<HeldResult>;
  /** interim → final, where `placingsKey` is what is held, without a protest. Idempotent. Says what is held. */
  finalise(raceId: string, at: Instant, placingsKey?: string): Promise<HeldResult | null>;
  /** An operator's placings; later feed results do not change them. */
  override(raceId: string, placings: readonly FeedPlacing[], note: string | null, at: Instant): Promise<HeldResult>;
  /** The race did not run: empty placings, null runners, `not_applicable`. */
  abandon(raceId: string, note: string, source: string, at: Instant): Promise<void>;
  /** Undoes an abandonment of a race that has not run. */
  reinstate(raceId: string, at: Instant): Promise<void>;
  held(raceId: string): Promise<HeldResult | null>;
  /** Never back (A 3), and never a pass earlier than the one held; without `lastPassAt` that stays as it is. */
  saveFieldState(raceId: string, field: FieldState, at: Instant, lastPassAt?: Instant | null): Promise<void>;
  /** Takes a published field where it agrees with the placings. A field that is held stands, unless the placings contradict it and not this one. */
  takeField(
    raceId: string,
    runners: readonly ResultRunner[],
    source: FieldState['source'],
    at: Instant,
  ): Promise<FieldTaken>;
  /** Any fill, scheduled, manual or weeks late: writes the field and completes it (A 3). */
  fillField(raceId: string, runners: readonly ResultRunner[], source: FieldState['source'], at: Instant): Promise<void>;
}

export interface ConnectorPoll {
  readonly connector: string;
  readonly at: Instant;
  readonly ok: boolean;
  /** `ok` or the failure's reason. */
  readonly status: string;
  readonly message: string | null;
  readonly recordsWritten: number;
  readonly counts: readonly { kind: 'dropped' | 'failed' | 'refused'; reason: string; count: number }[];
  /** False: nothing was sent (no budget, breaker open); only `counts` says something. Absent: sent. */
  readonly sent?: boolean;
}

/** What stands before one book in one worker, as an operator reads it (`connector_gates`). */
export interface GateReport {
  readonly connector: string;
  readonly worker: string;
  readonly breaker: 'closed' | 'open' | 'half_open';
  readonly breakerSince: Instant;
  readonly budgetPerSecond: number;
  readonly budgetSource: 'shared' | 'own_share';
  readonly refusedOverBudget: number;
  readonly refusedBreaker: number;
}

export interface HealthStore {
  recordPolls(polls: readonly ConnectorPoll[]): Promise<void>;
  /** Of one worker. Idempotent. How many workers have reported since `silentSince`. */
  reportGates(reports: readonly GateReport[], at: Instant, silentSince: Instant): Promise<number>;
  recordUptime(check: { at: Instant; ok: boolean; latencyMs: number; target: string }): Promise<void>;
}

export interface ApiKeyRow {
  readonly last4: string;
  readonly label: string;
  readonly plan: string;
  readonly role: 'customer' | 'internal';
  readonly issuedAt: Instant;
}

export interface KeyStore {
  /** By the SHA-256 of the key (D18); null when unknown or revoked. */
  find(hash: Buffer): Promise<ApiKeyRow | null>;
  insert(hash: Buffer, row: ApiKeyRow): Promise<void>;
}

/** Markets in the order in which they were told; one may be there in several versions. */
export interface ExchangeWrite {
  readonly markets: readonly ExchangeMarket[];
  /** The race that all of them are about; null: each is looked for by its id among the listed races. */
  readonly raceId: string | null;
  readonly observedAt: Instant;
}

export interface ExchangeStore {
  /** What a poll or the stream says of markets: state, versions seen, runners, ticks, the race's own stamps. Idempotent, in any order. */
  saveMarkets(write: ExchangeWrite): Promise<void>;
}

/** Everything together, as `wiring.ts` builds it. Read models for the API live in `reads/`. */
/** Re-exported for readers of this file: the domain's types that the interfaces above speak of. */
export type { Category, FieldState, FieldStatus, JoinCandidate, MarketStatus, ResultRunner };
