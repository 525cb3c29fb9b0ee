// What operations and pages share. Each part is created once per process, because two counts of one limit would admit
// twice as much.
import type { Accounts } from '../accounts/accounts';
import { createAccountReader } from '../accounts/billing/account-reader';
import type { Billing } from '../accounts/billing/billing';
import type { Referrals } from '../accounts/referral/referrals';
import type { RaceClock } from '../domain/time/clock';
import type { SessionStore } from '../store/accounts/sessions';
import type { UsageStore } from '../store/credits/usage';
import type { HealthStore } from '../store/health';
import type { IngestStore } from '../store/ingest';
import type { KeyChanges } from '../store/keys/key-changes';
import type { KeyStore } from '../store/keys/keys';
import type { Reads } from '../store/reads/reads';
import type { AddressBudget } from '../store/redis/address-budget';
import type { SharedAnswers } from '../store/redis/shared-answers';
import type { SportIngestStore } from '../store/sports/push';
import type { Balances } from './kernel/charging/balances';
import { createCallMeter } from './kernel/charging/call-meter';
import type { Charger } from './kernel/charging/charger';
import type { Meter } from './kernel/endpoint/meter';
import { createOpenStreams, type OpenStreams } from './kernel/http/response/open-streams';
import { type Callers, createCallers } from './kernel/keys/callers';
import { createIpLimit, type IpLimit } from './kernel/limits/ip-limit';
import type { KeyCount } from './kernel/limits/key-count';
import { limitState } from './kernel/limits/rate-limit';
import { createSessions, type Sessions } from './kernel/session/session';
import { ENDPOINTS, type Services } from './operations';
import { type BackfillDeps, createBackfills } from './operations/backfill/backfill';
import { createBetslipBoard } from './operations/betslip/betslip-links';
import { type BulkStores, createBulkShelf } from './operations/bulk/bulk';
import type { BoardFeed } from './operations/changes/board-feed';
import { createChangesStream } from './operations/changes/changes-stream';
import type { FormReader } from './operations/form/form-reader';
import { createIngest } from './operations/ingest/ingest';
import { createSportsIngest } from './operations/ingest/sports-ingest';
import { createIntelligence } from './operations/intelligence/analysis';
import { createIntelligenceScanner } from './operations/intelligence/scanner';
import { createKeyServices, type KeyStores } from './operations/keys/keys';
import { createBestOddsBoard } from './operations/prices/best-odds-board';
import type { AuditRunner } from './operations/quality/audit-runner';
import type { PushAudit } from './operations/quality/push-audit';
import type { PlayClock } from './operations/replay/paced';
import { createReplays } from './operations/replay/replay';
import { createDemoBoard } from './operations/sandbox/demo-board';
import { createRacingDemo } from './operations/sandbox/racing-demo';
import { createSportsDemo } from './operations/sandbox/sports-demo';
import { createCoverageReport } from './operations/site/measure-coverage';
import { createPlatformFacts } from './operations/site/measure-facts';
import { createSportsBoard } from './operations/sports/sports-board';
import { createWebhooks, type WebhookDeps } from './operations/webhooks/webhooks';
import { createWidgets, type WidgetDeps } from './operations/widgets/widgets';

/** Nothing is optional: what a service does without is named (`NO_BILLING`). */
export interface PartsDeps {
  readonly reads: Reads;
  readonly keys: KeyStore;
  /** Announces new, changed and revoked keys. */
  readonly keyChanges: KeyChanges;
  readonly keyStores: KeyStores;
  readonly ingest: IngestStore;
  readonly sportIngest: SportIngestStore;
  readonly pushAudit: PushAudit;
  readonly health: Pick<HealthStore, 'recordPolls'>;
  readonly usage: UsageStore;
  readonly sessions: SessionStore;
  readonly accounts: Accounts;
  /** A mail is in the outbox. */
  mailWritten(): void;
  readonly billing: Billing;
  readonly referrals: Referrals;
  readonly formReader: FormReader;
  readonly auditRunner: AuditRunner;
  readonly backfills: BackfillDeps;
  readonly webhooks: WebhookDeps;
  readonly widgets: WidgetDeps;
  readonly bulk: BulkStores;
  /** The reading of the board that all streams share. */
  readonly boardFeed: BoardFeed;
  /** The clock of replays. */
  readonly playClock: PlayClock;
  /** Cached results that all API processes share for some seconds. */
  readonly sharedAnswers: SharedAnswers;
  /** Counts calls by address, for everything with a limit. */
  readonly addresses: AddressBudget;
  /** Requests of one address to everything that needs no key and has no limit of its own. */
  readonly keylessPerMinute: number;
  /** Counts requests of keys; null: no key is limited. */
  readonly keyCount: KeyCount | null;
  /** Null: every call is free. */
  readonly charger: Charger | null;
  /** Null: responses that charge nothing state no balance. */
  readonly balances: Balances | null;
  /** Templates of betslip links, by bookmaker key. */
  readonly betslipTemplates: Readonly<Record<string, string>>;
  /** Public address, without a trailing slash. */
  readonly baseUrl: string;
  /** Where the service's own pages are opened. */
  readonly ownOrigins: readonly string[];
  /** Racing time, epoch milliseconds. */
  now(): number;
  /** The clock that `now` follows. */
  readonly clock: RaceClock;
  /** Wall clock, epoch milliseconds: months of credits, sessions. */
  wallMs(): number;
  /** Monotonic, milliseconds: how long keys are cached. */
  elapsedMs(): number;
  /** How long responses of one second are cached at most, in wall time; 0 disables caching. */
  readonly responsesCachedMs: number;
}

export interface Parts {
  readonly services: Services;
  readonly callers: Callers;
  readonly meter: Meter;
  readonly sessions: Sessions;
  readonly ipLimit: IpLimit;
  readonly keyCount: KeyCount | null;
  readonly openStreams: OpenStreams;
}

export function createParts(deps: PartsDeps): Parts {
  const { keys, keyChanges: changes, addresses, keyCount, baseUrl, ownOrigins, wallMs, elapsedMs } = deps;
  const callers = createCallers({ keys, changes, attempts: addresses, wallMs, elapsedMs });
  return {
    services: createServices(deps),
    callers,
    meter: createCallMeter(deps, callers, keyCount),
    sessions: createSessions(deps.sessions, baseUrl, ownOrigins, wallMs),
    ipLimit: createIpLimit(addresses, deps.keylessPerMinute),
    keyCount,
    openStreams: createOpenStreams(),
  };
}

function createServices(deps: PartsDeps): Services {
  const { reads, sharedAnswers, sessions, accounts, billing, referrals, formReader, auditRunner } = deps;
  const { wallMs, now, clock, baseUrl, health, pushAudit } = deps;
  const betslip = createBetslipBoard(reads, deps.betslipTemplates);
  const intelligence = createIntelligence(reads);
  const sports = createSportsBoard(reads, sharedAnswers);
  return {
    account: createAccountReader(deps.usage, wallMs),
    ...createKeyServices(deps.keyStores, deps, wallMs),
    backfills: createBackfills(deps.backfills, reads, deps.responsesCachedMs),
    bestOdds: createBestOddsBoard(reads, betslip, sharedAnswers),
    betslip,
    bulk: createBulkShelf(deps.bulk, now),
    demo: createDemoBoard(reads, sharedAnswers),
    ingest: createIngest(deps.ingest, health, pushAudit),
    intelligence,
    scanner: createIntelligenceScanner({ reads, intelligence, sharedAnswers }),
    sports,
    sportsDemo: createSportsDemo(sports, sharedAnswers),
    racingDemo: createRacingDemo(reads, sharedAnswers),
    sportsIngest: createSportsIngest(deps.sportIngest, health, pushAudit),
    webhooks: createWebhooks(deps.webhooks, deps.addresses, wallMs),
    widgets: createWidgets(deps.widgets, wallMs),
    coverageReport: createCoverageReport(reads, sharedAnswers),
    platformFacts: createPlatformFacts({ reads, shared: sharedAnswers, operations: ENDPOINTS.length }),
    changesStream: createChangesStream(deps.boardFeed),
    replays: createReplays({ archive: reads.archive, clock: deps.playClock }),
    rateLimits: () => limitState(deps.keyCount),
    ...{ reads, sharedAnswers, sessions, accounts, billing, referrals, formReader, auditRunner, clock, baseUrl },
  };
}
