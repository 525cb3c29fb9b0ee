// All periodic work: one entry for each Temporal Schedule, under its id, which is also the id of its workflow. The cost
// of pausing one is in its note in the Temporal UI.
import { type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client';
import type { RetryPolicy } from '@temporalio/common';
import type { Activities } from '../../activities';
import { AUDITED_SPORTS } from '../../domain/quality/audit';
import { type RaceClock, toWallDelayMs } from '../../domain/time/clock';
import { QUEUES } from '../../workflows/contract';

type Duration = `${number}${'m' | 'h' | 'd'}`;

export interface Periodic {
  readonly workflow: string;
  readonly args?: readonly unknown[];
  /** Default: the queue of the workflows. */
  readonly queue?: string;
  readonly every: (clock: RaceClock) => ScheduleOptions['spec'];
  /** Wall time. A tick missed for no longer than this is made up for, by one run. */
  readonly catchUp: Duration;
  /**
   * Wall time, above the total of its activities' attempts. A run stays on the build on which it began
   * (src/workflows/pinned.ts): without a longest run one whose workers have gone would keep its Schedule from starting
   * another. `null`: it runs for as long as the service.
   */
  readonly longest: Duration | null;
  /**
   * The activity whose success is that of the run. For a run that reads many lists it is one of them: failures of some
   * have their own alerts.
   */
  readonly lastStep: keyof Activities | null;
  readonly note: string;
  /** Without waiting for its first interval: as soon as it exists, or once live prices are there. */
  readonly first?: 'at once' | 'soon';
  readonly overlap?: ScheduleOverlapPolicy;
  readonly retry?: RetryPolicy;
  /** Whether this installation has it. Default: it has. */
  readonly only?: 'with sports' | 'with the exchange';
}

const MINUTE_MS = 60_000;
const SHORTEST_MS = 10_000;

const wall = (ms: number): ScheduleOptions['spec'] => ({ intervals: [{ every: Math.max(SHORTEST_MS, ms) }] });
const wallMinute = () => wall(MINUTE_MS);
/** Of race time. */
const minutes = (count: number) => (clock: RaceClock) => wall(toWallDelayMs(clock, count * MINUTE_MS));
/** At a minute of the hour; on a clock other than the wall's, an hour of race time apart. */
const hourly = (minute: number) => (clock: RaceClock) =>
  clock.speed === 1 ? { calendars: [{ hour: '*' as const, minute }] } : minutes(60)(clock);
/** In UTC, as the months of credits are (D37). */
const monthly = (dayOfMonth: number, hour: number) => () => ({ calendars: [{ dayOfMonth, hour }] });

export const PERIODIC: Readonly<Record<string, Periodic>> = {
  'meeting-discovery': {
    workflow: 'discoverMeetings',
    every: minutes(5),
    catchUp: '15m',
    longest: '1h',
    lastStep: 'readList',
    note: "Reads every book's list of today and tomorrow, and starts workflows for what is new. Paused: no new race appears.",
    // A tick that finds a run in progress is made up for as soon as that one ends, and a failed run is repeated soon:
    // between two lists that were read, races appear that are not polled. The next tick is made up for when the last
    // attempt has ended.
    overlap: ScheduleOverlapPolicy.BUFFER_ONE,
    retry: { initialInterval: '30s', backoffCoefficient: 2, maximumInterval: '4m', maximumAttempts: 5 },
  },
  'race-sweep': {
    workflow: 'sweepRaces',
    every: minutes(1),
    catchUp: '1m',
    longest: '30m',
    lastStep: 'startRaces',
    note: 'Starts a workflow for each race that should have one and has none, nearest first. Paused: a lost race stays lost.',
  },
  'registry-join': {
    workflow: 'registryJoin',
    every: minutes(5),
    catchUp: '5m',
    longest: '1h',
    lastStep: 'joinRegistry',
    note: 'Joins what the registry has published to the races that books list: jockeys, weights, scratchings.',
  },
  'uptime-probe': {
    workflow: 'measureUptime',
    every: wallMinute,
    catchUp: '1m',
    longest: '30m',
    lastStep: 'probeUptime',
    note: "Calls the API's /healthz once a minute; GET /v1/uptime reports it.",
  },
  'registry-state': {
    workflow: 'registryState',
    every: minutes(120),
    catchUp: '2h',
    longest: '12h',
    lastStep: 'readRegistry',
    note: 'Reads the thoroughbred registry before the races: jockeys, trainers, barriers, weights, scratchings, tracks.',
    first: 'soon',
  },
  'collect-results': {
    workflow: 'collectResults',
    every: minutes(120),
    catchUp: '2h',
    longest: '12h',
    lastStep: 'collectRegion',
    note: 'Reads full fields and notices of abandonment from the registries. Paused: fields become overdue.',
    first: 'soon',
  },
  'registry-gates': {
    workflow: 'sweepGates',
    queue: QUEUES.forms,
    every: minutes(1),
    catchUp: '1m',
    longest: '30m',
    lastStep: 'startGates',
    note: 'Starts the gate of each registry that refuses us and has none. Paused: a lost gate stays lost, and the registry unread.',
  },
  premierships: {
    workflow: 'collectPremierships',
    every: minutes(60),
    catchUp: '1h',
    longest: '12h',
    lastStep: 'collectPremierships',
    note: 'Reads the premiership tables that are due: national ones nightly, the others over several nights. Paused: they grow old.',
    first: 'soon',
  },
  'bulk-files': {
    workflow: 'bulkFiles',
    every: minutes(60),
    catchUp: '1h',
    longest: '24h',
    lastStep: 'sweepBulkFiles',
    note: 'Builds the bulk files of days and months that are due. Paused: customers find no newer ones.',
    first: 'soon',
  },
  'archive-past': {
    workflow: 'archivePast',
    every: minutes(60),
    catchUp: '1h',
    longest: '12h',
    lastStep: 'archivePast',
    note: 'Archives past races, compares its counts, and drops days of ticks that it has verified. Paused: ticks stay, and the archive is late.',
  },
  'fill-runs': {
    workflow: 'fillRuns',
    every: hourly(59),
    catchUp: '1h',
    longest: '12h',
    lastStep: 'fillRuns',
    note: 'Stores the runs of new and changed results. Paused: form and statistics of animals stand still.',
    first: 'soon',
  },
  'run-history': {
    workflow: 'collectHistory',
    every: minutes(60),
    catchUp: '1h',
    longest: '12h',
    lastStep: 'collectHistory',
    note: 'Reads the runs of past meetings that the service did not follow, the newest first. Paused: records do not go further back.',
    first: 'soon',
  },
  'backfill-sweep': {
    workflow: 'backfillSweep',
    queue: QUEUES.backfill,
    every: minutes(1),
    catchUp: '1m',
    longest: '30m',
    lastStep: 'sweepBackfills',
    note: 'Starts lost backfill jobs, and hastens those that can go on. Paused: a lost job stays lost.',
  },
  'close-credits': {
    workflow: 'closeCredits',
    every: monthly(2, 3),
    // However long the stack was down: each run makes up for all before it, and waits for a worker as long.
    catchUp: '27d',
    longest: '27d',
    lastStep: 'closeCredits',
    note: 'Audits the credits, and turns months of the ledger older than 13 months into sums. Paused: the ledger grows.',
  },
  'audit-credits': {
    workflow: 'auditCredits',
    every: () => wall(60 * MINUTE_MS),
    catchUp: '1h',
    longest: '1h',
    lastStep: 'auditCredits',
    note: 'Compares balances that have changed with the ledger, and closes past days for statements. Paused: a mistake of charging is found a month later, and statements end early.',
  },
  'audit-quality': {
    workflow: 'auditQuality',
    args: [AUDITED_SPORTS],
    every: minutes(10),
    catchUp: '1m',
    longest: '1h',
    lastStep: 'auditPrices',
    note: 'Compares what the API serves with a second reading of the bookmakers. Paused: the latest audits grow old.',
  },
  'webhook-sweep': {
    workflow: 'webhookSweep',
    queue: QUEUES.webhooks,
    every: wallMinute,
    catchUp: '1m',
    longest: '30m',
    lastStep: 'sweepWebhooks',
    note: 'Starts lost retries, disables webhooks that fail, drops old rows. Paused: a lost retry stays lost.',
  },
  'check-betslip-links': {
    workflow: 'checkBetslipLinks',
    every: minutes(1440),
    catchUp: '6h',
    longest: '1h',
    lastStep: 'checkBetslipLinks',
    note: 'Opens betslip links of each book daily; a book whose links do not open is served without.',
  },
  'sports-feed': {
    workflow: 'pollSports',
    only: 'with sports',
    // One run goes from round to round.
    every: minutes(1),
    catchUp: '1m',
    longest: null,
    lastStep: 'pollSports',
    note: 'Polls the feed of sports, the nearest start first, as far as its credits allow. Paused: its prices become stale.',
    first: 'at once',
  },
  'exchange-stream': {
    workflow: 'exchangeStream',
    only: 'with the exchange',
    every: wallMinute,
    catchUp: '1m',
    longest: null,
    lastStep: null,
    note: "Keeps one worker on the exchange's stream; an interval that passes while it runs is skipped.",
    first: 'at once',
  },
};

/** Overlap and catch-up are always explicit: by default the server would catch up on a year. */
export function scheduleOf(scheduleId: string, clock: RaceClock): ScheduleOptions {
  const row = PERIODIC[scheduleId]!;
  const { workflow, args = [], queue = QUEUES.workflows, overlap = ScheduleOverlapPolicy.SKIP } = row;
  return {
    scheduleId,
    state: { note: row.note },
    spec: row.every(clock),
    action: {
      type: 'startWorkflow',
      workflowType: workflow,
      workflowId: scheduleId,
      taskQueue: queue,
      args: [...args],
      ...(row.retry && { retry: row.retry }),
      ...(row.longest && { workflowRunTimeout: row.longest }),
    },
    policies: { overlap, catchupWindow: row.catchUp, pauseOnFailure: false },
  };
}
