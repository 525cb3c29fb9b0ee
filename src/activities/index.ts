// Binds each activity to its dependencies. No logic here: each activity has its file.
import { Context, type Info } from '@temporalio/activity';
import type { Outcome } from '../bulk/build';
import type { AuditOrder } from '../domain/quality/audit';
import type { RegistryState } from '../domain/registry/registry';
import type { FormRead } from '../workflows/contract';
import { type ArchivePassReport, archivePast } from './archive/archive-past';
import { archiveRace } from './archive/archive-race';
import { type DropReport, dropArchivedTicks } from './archive/drop-archived-ticks';
import { type ReconcileReport, reconcileArchive } from './archive/reconcile-archive';
import { CARD_BACK_OFF, createBackOff, LIVE_BACK_OFF } from './back-off';
import { type Collected, type CollectOrder, collectHorses } from './backfill/collect-horses';
import { type BackfillSweep, sweepBackfills } from './backfill/sweep-backfills';
import { buildBulkPeriod, type DuePeriod, dueBulkPeriods, sweepBulkFiles } from './bulk-files';
import { auditChangedCredits, type CreditsAudited } from './checks/audit-credits';
import { checkBetslipLinks, type LinkReport } from './checks/check-links';
import { createUptimeProbe } from './checks/uptime';
import { closeCreditDays } from './close-credit-days';
import { type CreditsClosed, closeCredits } from './close-credits';
import type { ActivityDeps } from './deps';
import { streamExchange } from './exchange/stream-exchange';
import { type CollectReport, createResultsCollector, type RegistryRegion } from './full-field/collector';
import { type SettledCoverage, settleCoverage } from './full-field/settle-coverage';
import { type AwaitedResult, awaitResult, type ResultWatch } from './outcome/await-result';
import { carryOut, type Decision } from './outcome/carry-out';
import { createFieldPasses, type FieldPass, type FieldPassed } from './outcome/collect-field';
import { createFailingDecisions } from './outcome/failing-decisions';
import { type Override, overrideResult, readResult } from './outcome/override-result';
import { createHealthTally } from './polling/health-tally';
import { type DiscoveryReport, discover } from './polling/lists/discover';
import { type ListReport, type ListsToRead, type ListToRead, listsToRead, readList } from './polling/lists/read-list';
import { createLiveLoad } from './polling/load/live-load';
import { pollCard } from './polling/poll-card';
import { pollLive } from './polling/poll-live';
import type { PolledRace } from './polling/poller';
import type { PollerEnd } from './polling/sightings';
import { type AuditReport, auditPrices } from './quality/audit-prices';
import { abandonMeeting } from './races/signal-race';
import { type StartReport, startRaces } from './races/start-races';
import { collectPremierships, type PremiershipsReport } from './registry/collect-premierships';
import { type DoorOpened, type GateEnd, openRegistry, probeRegistry, startGates } from './registry/gate';
import { type JoinReport, joinRegistry } from './registry/join-registry';
import { readHorseForm } from './registry/read-horse-form';
import { type RegistryReport, readRegistry } from './registry/read-registry';
import type { ResultFacts } from './result-facts';
import { collectHistory, type HistoryReport } from './runs/collect-history';
import { fillRuns, type RunReport } from './runs/fill-runs';
import { askAbout, createSilence } from './silence';
import { pollSports, type SportsRound } from './sports/poll-sports';
import { waitInActivity, whileBeating } from './wait';
import { attemptDelivery, type DeliveryEnd, type DeliveryOrder } from './webhooks/attempt-delivery';
import { sweepWebhooks, type WebhookSweep } from './webhooks/sweep-webhooks';

export interface Activities {
  pollLive(race: PolledRace): Promise<PollerEnd>;
  pollCard(race: PolledRace): Promise<PollerEnd>;
  awaitResult(watch: ResultWatch): Promise<AwaitedResult>;
  carryOut(decision: Decision): Promise<ResultFacts | null>;
  collectField(pass: FieldPass): Promise<FieldPassed>;
  /** Every region that `collectRegion` accepts, in order. */
  resultsRegions(): Promise<readonly RegistryRegion[]>;
  collectRegion(of: RegistryRegion): Promise<CollectReport>;
  settleCoverage(): Promise<SettledCoverage>;
  readResult(raceId: string): Promise<ResultFacts | null>;
  overrideResult(order: Override): Promise<ResultFacts>;
  /** Returns how many other races of the meeting were signalled. */
  abandonMeeting(order: { readonly raceId: string; readonly note: string }): Promise<number>;
  discover(span: { readonly days: number }): Promise<DiscoveryReport>;
  listsToRead(span: { readonly days: number }): Promise<ListsToRead>;
  readList(list: ListToRead): Promise<ListReport>;
  startRaces(): Promise<StartReport>;
  readRegistry(state: RegistryState): Promise<RegistryReport>;
  joinRegistry(): Promise<JoinReport>;
  /** `code`: one that the horse has or had at any meeting. */
  readHorseForm(code: string): Promise<FormRead>;
  probeRegistry(registry: string): Promise<GateEnd>;
  openRegistry(of: DoorOpened): Promise<void>;
  /** Returns how many registries refuse us. */
  startGates(): Promise<number>;
  probeUptime(): Promise<void>;
  collectPremierships(): Promise<PremiershipsReport>;
  streamExchange(): Promise<void>;
  checkBetslipLinks(): Promise<LinkReport>;
  auditPrices(order: AuditOrder): Promise<AuditReport>;
  dueBulkPeriods(): Promise<readonly DuePeriod[]>;
  buildBulkPeriod(due: DuePeriod): Promise<Outcome>;
  /** Returns the number of deleted files. */
  sweepBulkFiles(): Promise<number>;
  /** Returns whether rows were written. */
  archiveRace(raceId: string): Promise<boolean>;
  archivePast(): Promise<ArchivePassReport>;
  reconcileArchive(): Promise<ReconcileReport>;
  dropArchivedTicks(): Promise<DropReport>;
  fillRuns(): Promise<RunReport>;
  collectHistory(): Promise<HistoryReport>;
  collectHorses(order: CollectOrder): Promise<Collected>;
  sweepBackfills(): Promise<BackfillSweep>;
  closeCredits(): Promise<CreditsClosed>;
  /** Closes the days that have ended too. */
  auditCredits(): Promise<CreditsAudited>;
  attemptDelivery(order: DeliveryOrder): Promise<DeliveryEnd>;
  sweepWebhooks(): Promise<WebhookSweep>;
  pollSports(): Promise<SportsRound>;
}

/** Between two checks of the served prices in an audit. Wall time. */
const BETWEEN_LOOKS_MS = 500;

/** The same for every attempt of an activity. */
const orderId = ({ workflowExecution, activityId }: Info): string =>
  `${workflowExecution?.workflowId}/${workflowExecution?.runId}/${activityId}`;

export function createActivities(deps: ActivityDeps): Activities {
  const tally = createHealthTally(deps.stores.health, (err) => deps.log.warn({ err }, 'health not written'));
  const load = createLiveLoad(deps.now, deps.liveSlots ?? Number.POSITIVE_INFINITY, deps.liveWatch);
  const silence = createSilence(askAbout(deps), deps.random);
  const live = { tally, load, silence };
  const collector = createResultsCollector(deps);
  const backOff = createBackOff(deps.random);
  const decisions = createFailingDecisions(Date.now);
  const fieldPasses = createFieldPasses(deps, collector);
  return {
    pollLive: (race) => backOff(race.raceId, LIVE_BACK_OFF, () => pollLive(deps, race, Context.current(), live)),
    pollCard: (race) => backOff(race.raceId, CARD_BACK_OFF, () => pollCard(deps, race, Context.current())),
    awaitResult: (watch) =>
      backOff(watch.raceId, CARD_BACK_OFF, () => awaitResult(deps, collector, watch, Context.current())),
    carryOut: (decision) =>
      decisions.attempt(decision.raceId, Context.current().info.attempt, () => carryOut(deps, decision)),
    collectField: (pass) => beating(() => fieldPasses(pass)),
    resultsRegions: async () => collector.regions,
    collectRegion: (of) => beating((alive) => collector.region(of, alive)),
    settleCoverage: () => beating((alive) => settleCoverage(deps, collector, alive)),
    readResult: (raceId) => readResult(deps, raceId),
    overrideResult: (order) => overrideResult(deps, collector, order),
    abandonMeeting: (order) => abandonMeeting(deps, order, orderId(Context.current().info)),
    discover: (span) => beating(() => discover(deps, span)),
    listsToRead: async ({ days }) => listsToRead(deps, days),
    readList: (list) => beating(() => readList(deps, list)),
    startRaces: () => startRaces(deps, underWay()),
    readRegistry: (state) => beating((alive) => readRegistry(deps, state, alive)),
    joinRegistry: () => joinRegistry(deps),
    collectPremierships: () => beating((alive) => collectPremierships(deps, alive)),
    readHorseForm: (code) => readHorseForm(deps, code),
    probeRegistry: (registry) => probeRegistry(deps, registry, Context.current().info.attempt),
    openRegistry: (of) => openRegistry(deps, of),
    startGates: () => startGates(deps),
    probeUptime: createUptimeProbe(deps),
    streamExchange: () => streamExchange(deps, Context.current()),
    checkBetslipLinks: () => checkBetslipLinks(deps),
    auditPrices: (order) => {
      const context = Context.current();
      return beating(() => auditPrices(deps, order, () => waitInActivity(context, BETWEEN_LOOKS_MS)));
    },
    dueBulkPeriods: () => dueBulkPeriods(deps),
    buildBulkPeriod: (due) => beating((alive) => buildBulkPeriod(deps, due, alive)),
    sweepBulkFiles: () => beating((alive) => sweepBulkFiles(deps, alive)),
    archiveRace: (raceId) => archiveRace(deps, raceId),
    archivePast: () => beating((alive) => archivePast(deps, alive)),
    reconcileArchive: () => beating((alive) => reconcileArchive(deps, alive)),
    dropArchivedTicks: () => beating((alive) => dropArchivedTicks(deps, alive)),
    fillRuns: () => beating((alive) => fillRuns(deps, alive)),
    collectHistory: () => beating((alive) => collectHistory(deps, alive)),
    collectHorses: (order) => collectHorses(deps, order, underWay()),
    sweepBackfills: () => beating((alive) => sweepBackfills(deps, alive)),
    closeCredits: () => beating((alive) => closeCredits(deps, alive)),
    auditCredits: () => beating((alive) => auditCredits(deps, alive)),
    attemptDelivery: (order) => attemptDelivery(deps, order),
    sweepWebhooks: () => beating((alive) => sweepWebhooks(deps, alive)),
    pollSports: () => beating((alive) => pollSports(deps, alive)),
  };
}

/** Of both steps; a page of the audit, or a day, may go beyond it. The workflow waits ten minutes longer. */
const AUDIT_WITHIN_MS = 30 * 60_000;

async function auditCredits(deps: ActivityDeps, alive: () => void): Promise<CreditsAudited> {
  const untilMs = deps.wallMs() + AUDIT_WITHIN_MS;
  const audited = await auditChangedCredits(deps, alive);
  await closeCreditDays(deps, alive, { untilMs });
  return audited;
}

/** `alive`: call it at every step of the work. */
function beating<T>(work: (alive: () => void) => Promise<T>): Promise<T> {
  const context = Context.current();
  return whileBeating(context, () => work(() => context.heartbeat()));
}

/** The current activity, as its work sees it. */
function underWay() {
  const context = Context.current();
  return {
    signal: context.cancellationSignal,
    heartbeat: (details?: unknown) => context.heartbeat(details),
    alive: () => context.heartbeat(),
  };
}
