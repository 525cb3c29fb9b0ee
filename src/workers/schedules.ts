// All periodic work as Temporal Schedules, created or updated whenever a worker starts. Overlap and catch-up are always explicit: by default
// the server would catch up on a year.
import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleDescription,
  type ScheduleHandle,
  ScheduleNotFoundError,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { AUDITED_SPORTS } from '../domain/quality/audit';
import { type RaceClock, toWallDelayMs } from '../domain/time/clock';
import { QUEUES } from '../workflows/contract';
import { bounded } from './schedules/bounded';
import { CLOSE_CREDITS } from './schedules/credit-schedule';
import { discoverySchedule } from './schedules/discovery-schedule';
import { EXCHANGE_STREAM } from './schedules/exchange-schedule';
import { sportsSchedule } from './schedules/sports-schedule';

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
const SHORTEST_MS = 10_000;

const every = (wallMs: number): ScheduleOptions['spec'] => ({ intervals: [{ every: Math.max(SHORTEST_MS, wallMs) }] });

/** At a minute of the hour; on a clock that is not the wall's, an hour of race time apart. */
const hourly = (clock: RaceClock, minute: number): ScheduleOptions['spec'] =>
  clock.speed === 1 ? { calendars: [{ hour: '*', minute }] } : every(toWallDelayMs(clock, 60 * MINUTE_MS));

const START = { type: 'startWorkflow', taskQueue: QUEUES.workflows, args: [] as [] } as const;

function schedules(clock: RaceClock): ScheduleOptions[] {
  return [
    {
      scheduleId: 'race-sweep',
      spec: every(toWallDelayMs(clock, MINUTE_MS)),
      action: {
        type: 'startWorkflow',
        workflowType: 'sweepRaces',
        workflowId: 'race-sweep',
        taskQueue: QUEUES.workflows,
        args: [],
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m', pauseOnFailure: false },
      state: {
        note: 'Starts a workflow for each race that should have one and has none, nearest first. Paused: a lost race stays lost.',
      },
    },
    {
      scheduleId: 'registry-join',
      spec: every(toWallDelayMs(clock, 5 * MINUTE_MS)),
      action: {
        type: 'startWorkflow',
        workflowType: 'registryJoin',
        workflowId: 'registry-join',
        taskQueue: QUEUES.workflows,
        args: [],
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '5m', pauseOnFailure: false },
      state: {
        note: 'Joins what the registry has published to the races that books list: jockeys, weights, scratchings.',
      },
    },
    {
      scheduleId: 'uptime-probe',
      state: { note: "Calls the API's /healthz once a minute; GET /v1/uptime reports it." },
      spec: every(MINUTE_MS),
      action: {
        type: 'startWorkflow',
        workflowType: 'measureUptime',
        workflowId: 'uptime-probe',
        taskQueue: QUEUES.workflows,
        args: [],
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m', pauseOnFailure: false },
    },
    {
      scheduleId: 'registry-state',
      state: {
        note: 'Reads the thoroughbred registry before the races: jockeys, trainers, barriers, weights, scratchings, tracks.',
      },
      spec: every(toWallDelayMs(clock, 120 * MINUTE_MS)),
      action: {
        type: 'startWorkflow',
        workflowType: 'registryState',
        workflowId: 'registry-state',
        taskQueue: QUEUES.workflows,
        args: [],
      },
      // One missed run is made up for, so that a stack that was down has the card at once.
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '2h', pauseOnFailure: false },
    },
    {
      scheduleId: 'collect-results',
      state: {
        note: 'Reads full fields and notices of abandonment from the registries. Paused: fields become overdue.',
      },
      spec: every(toWallDelayMs(clock, 120 * MINUTE_MS)),
      action: {
        type: 'startWorkflow',
        workflowType: 'collectResults',
        workflowId: 'collect-results',
        taskQueue: QUEUES.workflows,
        args: [],
      },
      // One missed run is made up for: a stack that was down may have missed passes.
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '2h', pauseOnFailure: false },
    },
    {
      scheduleId: 'registry-gates',
      state: {
        note: 'Starts the gate of each registry that refuses us and has none. Paused: a lost gate stays lost, and the registry unread.',
      },
      spec: every(toWallDelayMs(clock, MINUTE_MS)),
      action: {
        type: 'startWorkflow',
        workflowType: 'sweepGates',
        workflowId: 'registry-gates',
        taskQueue: QUEUES.forms,
        args: [],
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m', pauseOnFailure: false },
    },
    {
      scheduleId: 'premierships',
      state: {
        note: 'Reads the premiership tables that are due: national ones nightly, the others over several nights. Paused: they grow old.',
      },
      spec: every(toWallDelayMs(clock, 60 * MINUTE_MS)),
      action: { ...START, workflowType: 'collectPremierships', workflowId: 'premierships' },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1h', pauseOnFailure: false },
    },
    {
      scheduleId: 'bulk-files',
      state: { note: 'Builds the bulk files of days and months that are due. Paused: customers find no newer ones.' },
      spec: every(toWallDelayMs(clock, 60 * MINUTE_MS)),
      action: { ...START, workflowType: 'bulkFiles', workflowId: 'bulk-files' },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1h', pauseOnFailure: false },
    },
    {
      scheduleId: 'archive-past',
      state: {
        note: 'Archives past races, compares its counts, and drops days of ticks that it has verified. Paused: ticks stay, and the archive is late.',
      },
      spec: every(toWallDelayMs(clock, 60 * MINUTE_MS)),
      action: { ...START, workflowType: 'archivePast', workflowId: 'archive-past' },
      // One missed run is made up for: each makes up for all before it.
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1h', pauseOnFailure: false },
    },
    {
      scheduleId: 'fill-runs',
      state: {
        note: 'Stores the runs of new and changed results. Paused: form and statistics of animals stand still.',
      },
      spec: hourly(clock, 59),
      action: { ...START, workflowType: 'fillRuns', workflowId: 'fill-runs' },
      // One missed run is made up for: each makes up for all before it.
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1h', pauseOnFailure: false },
    },
    {
      scheduleId: 'run-history',
      state: {
        note: 'Reads the runs of past meetings that the service did not follow, the newest first. Paused: records do not go further back.',
      },
      spec: every(toWallDelayMs(clock, 60 * MINUTE_MS)),
      action: { ...START, workflowType: 'collectHistory', workflowId: 'run-history' },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1h', pauseOnFailure: false },
    },
    {
      scheduleId: 'backfill-sweep',
      state: { note: 'Starts lost backfill jobs, and hastens those that can go on. Paused: a lost job stays lost.' },
      spec: every(toWallDelayMs(clock, MINUTE_MS)),
      action: {
        type: 'startWorkflow',
        workflowType: 'backfillSweep',
        workflowId: 'backfill-sweep',
        taskQueue: QUEUES.backfill,
        args: [],
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m', pauseOnFailure: false },
    },
    CLOSE_CREDITS,
    {
      scheduleId: 'audit-quality',
      state: {
        note: 'Compares what the API serves with a second reading of the bookmakers. Paused: the latest audits grow old.',
      },
      spec: every(toWallDelayMs(clock, 10 * MINUTE_MS)),
      action: { ...START, workflowType: 'auditQuality', workflowId: 'audit-quality', args: [AUDITED_SPORTS] },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m', pauseOnFailure: false },
    },
    {
      scheduleId: 'webhook-sweep',
      state: {
        note: 'Starts lost retries, disables webhooks that fail, drops old rows. Paused: a lost retry stays lost.',
      },
      spec: every(MINUTE_MS),
      action: {
        type: 'startWorkflow',
        workflowType: 'webhookSweep',
        workflowId: 'webhook-sweep',
        taskQueue: QUEUES.webhooks,
        args: [],
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m', pauseOnFailure: false },
    },
    {
      scheduleId: 'check-betslip-links',
      state: { note: 'Opens betslip links of each book daily; a book whose links do not open is served without.' },
      spec: every(toWallDelayMs(clock, DAY_MS)),
      action: {
        type: 'startWorkflow',
        workflowType: 'checkBetslipLinks',
        workflowId: 'check-betslip-links',
        taskQueue: QUEUES.workflows,
        args: [],
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '6h', pauseOnFailure: false },
    },
  ];
}

const SPORTS_FEED = 'sports-feed';

/** They do not wait for their first interval. */
const RUN_AT_ONCE = [EXCHANGE_STREAM.scheduleId, SPORTS_FEED];

/** Nor do these, but live prices come first. */
const RUN_SOON = ['registry-state', 'collect-results', 'premierships', 'bulk-files', 'fill-runs', 'run-history'];

/**
 * Creates or updates every schedule, and resolves to the ids of those whose work ends. Discovery comes first and runs at once, before the others have
 * work: a service that has just started has no race to show.
 */
export async function ensureSchedules(
  client: Client,
  clock: RaceClock,
  exchangeStreams = false,
  sportsArePolled = false,
): Promise<readonly string[]> {
  const discovery = bounded(discoverySchedule(every(toWallDelayMs(clock, 5 * MINUTE_MS))));
  await ensure(client, discovery);
  await client.schedule.getHandle(discovery.scheduleId).trigger(ScheduleOverlapPolicy.SKIP);
  const others = schedules(clock).map(bounded);
  for (const schedule of others) await ensure(client, schedule);
  await (sportsArePolled
    ? ensure(client, sportsSchedule(every(toWallDelayMs(clock, MINUTE_MS))))
    : remove(client, SPORTS_FEED));
  await (exchangeStreams ? ensure(client, EXCHANGE_STREAM) : remove(client, EXCHANGE_STREAM.scheduleId));
  const ids = [discovery, ...others].map(({ scheduleId }) => scheduleId);
  return sportsArePolled ? [...ids, SPORTS_FEED] : ids;
}

/** Begins what an installation has never read: cards, results and tables of the registries, and what is built of them. Repeatable. */
export async function runFirstReadings(client: Client): Promise<void> {
  for (const scheduleId of RUN_SOON) await runFirst(client.schedule.getHandle(scheduleId));
}

async function remove(client: Client, scheduleId: string): Promise<void> {
  try {
    await client.schedule.getHandle(scheduleId).delete();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}

async function ensure(client: Client, schedule: ScheduleOptions): Promise<void> {
  try {
    await client.schedule.create(schedule);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const { spec, action, policies, state } = schedule;
    await client.schedule
      .getHandle(schedule.scheduleId)
      .update((current) => ({ ...current, spec, action, policies, state: noted(current.state, state) }) as never);
  }
  if (RUN_AT_ONCE.includes(schedule.scheduleId)) await runFirst(client.schedule.getHandle(schedule.scheduleId));
}

/** The note of a paused schedule has the reason. */
const noted = (now: ScheduleDescription['state'], { note }: ScheduleOptions['state'] = {}) =>
  now.paused ? now : { ...now, note };

/** Not `triggerImmediately`: what that starts does not count as running, and the next interval starts a second beside it. */
async function runFirst(schedule: ScheduleHandle): Promise<void> {
  const { info } = await schedule.describe();
  if (info.numActionsTaken === 0) await schedule.trigger(ScheduleOverlapPolicy.SKIP);
}
