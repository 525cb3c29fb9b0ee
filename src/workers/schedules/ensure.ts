// Updates Temporal's Schedules to the table, whenever a worker starts.
import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleDescription,
  type ScheduleHandle,
  ScheduleNotFoundError,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import type { RaceClock } from '../../domain/time/clock';
import { PERIODIC, type Periodic, scheduleOf } from './table';

const DISCOVERY = 'meeting-discovery';

/**
 * Creates or updates every Schedule that this installation has, removes the others, and resolves to the ids of those
 * whose work ends. Discovery comes first and runs at once, before the others have work: a service that has just started
 * has no race to show.
 */
export async function ensureSchedules(
  client: Client,
  clock: RaceClock,
  exchangeStreams = false,
  sportsArePolled = false,
): Promise<readonly string[]> {
  const has = ({ only }: Periodic): boolean =>
    only === undefined || (only === 'with sports' ? sportsArePolled : exchangeStreams);
  await ensure(client, DISCOVERY, clock);
  await client.schedule.getHandle(DISCOVERY).trigger(ScheduleOverlapPolicy.SKIP);
  const others = Object.entries(PERIODIC).filter(([scheduleId]) => scheduleId !== DISCOVERY);
  for (const [scheduleId, row] of others)
    await (has(row) ? ensure(client, scheduleId, clock) : remove(client, scheduleId));
  return Object.keys(PERIODIC).filter((scheduleId) => has(PERIODIC[scheduleId]!) && PERIODIC[scheduleId]!.lastStep);
}

/**
 * Starts what an installation has never read: cards, results and tables of the registries, and what is built of them.
 * Repeatable.
 */
export async function runFirstReadings(client: Client): Promise<void> {
  for (const [scheduleId, { first }] of Object.entries(PERIODIC))
    if (first === 'soon') await runFirst(client.schedule.getHandle(scheduleId));
}

async function remove(client: Client, scheduleId: string): Promise<void> {
  try {
    await client.schedule.getHandle(scheduleId).delete();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}

async function ensure(client: Client, scheduleId: string, clock: RaceClock): Promise<void> {
  const schedule = scheduleOf(scheduleId, clock);
  try {
    await client.schedule.create(schedule);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const { spec, action, policies, state } = schedule;
    await client.schedule
      .getHandle(scheduleId)
      .update((current) => ({ ...current, spec, action, policies, state: noted(current.state, state) }) as never);
  }
  if (PERIODIC[scheduleId]!.first === 'at once') await runFirst(client.schedule.getHandle(scheduleId));
}

/** The note of a paused schedule has the reason. */
const noted = (now: ScheduleDescription['state'], { note }: ScheduleOptions['state'] = {}) =>
  now.paused ? now : { ...now, note };

/**
 * Not `triggerImmediately`: its run does not count as running, and the next interval would start a second one beside
 * it.
 */
async function runFirst(schedule: ScheduleHandle): Promise<void> {
  const { info } = await schedule.describe();
  if (info.numActionsTaken === 0) await schedule.trigger(ScheduleOverlapPolicy.SKIP);
}
