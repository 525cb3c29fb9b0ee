// Behaviour that only a real Temporal server shows: Schedules, a race that is followed again after its end, a history
// that continues as new.
import { randomUUID } from 'node:crypto';
import { tsToMs } from '@temporalio/common/lib/time';
import { signalLateFill } from '../../src/activities/races/signal-race';
import { REAL_TIME } from '../../src/domain/time/clock';
import { ensureSchedules, runFirstReadings } from '../../src/workers/schedules/ensure';
import { PERIODIC } from '../../src/workers/schedules/table';
import { unservedQueues } from '../../src/workers/unserved-queues';
import { abandon, raceState, raceWorkflowId, reinstate, startMoved } from '../../src/workflows/contract';
import { type ActivityLab, HOUR, MINUTE, NOON, openLab } from '../activities/lab';
import { PATIENT_MS } from '../support/patient';
import { resultRunner } from '../support/races/builders';
import { raceClockAt } from '../support/races/race-clock';
import { waitFor } from '../support/servers/service';
import { runWorkers } from './run-workers';

const START = NOON + 2 * HOUR;
let lab: ActivityLab;
let stop: () => Promise<void>;
beforeAll(async () => {
  lab = await openLab([{ startMs: START, runners: 8 }]);
  expect(await unservedQueues(lab.temporal.client, ['workflows', 'poll', 'exchange'])).toEqual([
    'racing-io',
    'racing-decisions',
    'racing-forms',
    'racing-backfill',
    'racing-webhooks',
  ]);
  Object.assign(lab.deps, { clock: raceClockAt(NOON, 2), heartbeatTimeoutMs: 45_000 });
  stop = await runWorkers(lab);
});
afterAll(async () => {
  await stop?.();
  await lab?.close();
});

const client = () => lab.temporal.client;
/** A query may be lost while the machine stands still. */
const stateOf = (raceId: string) =>
  client()
    .workflow.getHandle(raceWorkflowId(raceId))
    .query(raceState)
    .catch(() => null);
const onlyRace = async () => (await lab.query<{ race_id: string }>('SELECT race_id FROM races'))[0]?.race_id;

test('schedules are created once and updated at every start, and discovery runs at once', async () => {
  const runs = client().schedule.getHandle('fill-runs');
  const made = await ensureSchedules(client(), REAL_TIME);
  const actions = await Promise.all(made.map((id) => client().schedule.getHandle(id).describe()));
  // Each has the step that shows its success; sports are not polled here.
  expect(Object.fromEntries(actions.map(({ scheduleId, action }) => [scheduleId, action.workflowType]))).toEqual(
    Object.fromEntries(
      Object.entries(PERIODIC)
        .filter(([, { only, lastStep }]) => only === undefined && lastStep)
        .map(([id, { workflow }]) => [id, workflow]),
    ),
  );
  // None waits forever for workers of a build that is gone.
  const bounds = Object.fromEntries(actions.map(({ scheduleId, action }) => [scheduleId, action.workflowRunTimeout]));
  expect(made.filter((id) => bounds[id] === undefined)).toEqual([]);
  expect([bounds['race-sweep'], bounds['meeting-discovery']]).toEqual([HOUR / 2, HOUR]);
  const minute59 = { hour: [{ start: 0, end: 23, step: 1 }], minute: [{ start: 59, end: 59, step: 1 }] };
  expect((await runs.describe()).spec.calendars).toEqual([expect.objectContaining(minute59)]);
  await ensureSchedules(client(), { anchorMs: 0, speed: 2 });
  expect((await runs.describe()).spec).toMatchObject({ calendars: [], intervals: [{ every: 1_800_000 }] });
  expect((await runs.describe()).info.numActionsTaken).toBe(0);
  await runFirstReadings(client());
  await waitFor(async () => (await runs.describe()).info.numActionsTaken > 0, PATIENT_MS);
  const discovery = await client().schedule.getHandle('meeting-discovery').describe();
  expect(discovery.spec.intervals).toEqual([expect.objectContaining({ every: 150_000 })]);
  expect(discovery.policies).toMatchObject({ overlap: 'BUFFER_ONE', catchupWindow: 900_000 });
  expect(discovery.state.note).toMatch(/^Reads every book's list/);
  const raceId = await waitFor(onlyRace, PATIENT_MS);
  await waitFor(async () => (await stateOf(raceId))?.phase === 'live', PATIENT_MS);
});

test('a schedule that an operator paused is still paused, with the reason, after a worker has started', async () => {
  const handle = client().schedule.getHandle('check-betslip-links');
  await handle.pause('links are being rebuilt');
  await ensureSchedules(client(), REAL_TIME);
  expect((await handle.describe()).state).toMatchObject({ paused: true, note: 'links are being rebuilt' });
  await handle.unpause();
});

test('a live race has the heartbeat timeout that was set when it started', async () => {
  const handle = client().workflow.getHandle(raceWorkflowId((await onlyRace())!));
  const polling = await waitFor(async () => {
    const { events } = await handle.fetchHistory();
    return events?.find(
      ({ activityTaskScheduledEventAttributes: ordered }) => ordered?.activityType?.name === 'pollLive',
    );
  }, PATIENT_MS);
  expect(tsToMs(polling.activityTaskScheduledEventAttributes!.heartbeatTimeout!)).toBe(45_000);
});

test('every queue is served while every role runs somewhere', async () => {
  await waitFor(async () => (await unservedQueues(client(), [])).length === 0, PATIENT_MS);
});

test('the current details describe the race while it runs', async () => {
  const handle = client().workflow.getHandle(raceWorkflowId((await onlyRace())!));
  const query = () => handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata').catch(() => null);
  const metadata = await waitFor(query, PATIENT_MS);
  expect(metadata.currentDetails).toMatch(/\| discovered \|\n.*\| polled at the live tier, epoch 1 \|/);
});

/** From the server's API: `WORKFLOW_TASK_COMPLETED`, and what a reset does not reapply. */
const TASK_COMPLETED = 7 as never;
const [SIGNALS, UPDATES] = [1, 2] as const;

test('a workflow reset to an earlier epoch is refused by the fence once, moves past it, and is polled', async () => {
  const raceId = (await onlyRace())!;
  const workflowId = raceWorkflowId(raceId);
  const handle = client().workflow.getHandle(workflowId);
  await handle.executeUpdate(abandon, { args: [{ scope: 'race', note: 'abandoned' }] });
  await handle.executeUpdate(reinstate, { args: [{ reason: 'called off by mistake' }] });
  const { epoch } = await waitFor(() => stateOf(raceId), PATIENT_MS);
  const { events } = await handle.fetchHistory();
  const { runId } = await handle.describe();
  await client().workflowService.resetWorkflowExecution({
    namespace: lab.temporal.namespace,
    workflowExecution: { workflowId, runId },
    reason: 'a test',
    requestId: randomUUID(),
    workflowTaskFinishEventId: events!.find(({ eventType }) => eventType === TASK_COMPLETED)!.eventId!,
    resetReapplyExcludeTypes: [SIGNALS, UPDATES],
  });
  const claimed = await waitFor(async () => {
    const row = await lab.deps.stores.control.readControl(raceId);
    return row && row.epoch > epoch && row.holderAttempt > 0 ? row : null;
  }, PATIENT_MS);
  expect(claimed).toMatchObject({ epoch: epoch + 1, tier: 'live', closed: false });
  expect(await waitFor(() => stateOf(raceId), PATIENT_MS)).toMatchObject({ epoch: epoch + 1, reinstatedAt: null });
});

test('a long history continues as new: same race, a newer epoch, no signal lost', async () => {
  const raceId = (await onlyRace())!;
  const handle = client().workflow.getHandle(raceWorkflowId(raceId));
  const before = await waitFor(() => stateOf(raceId), PATIENT_MS);
  const { runId } = await handle.describe();
  const starts = (version: number) => new Date(START + (version % 7) * MINUTE).toISOString();
  // The last start is the database's own: any other would be moved back.
  for (let version = 2; version <= 1099; version++) {
    await handle.signal(startMoved, { advertisedStart: starts(version), version });
  }
  await waitFor(async () => (await handle.describe()).runId !== runId, PATIENT_MS);
  const state = await waitFor(async () => {
    const now = await stateOf(raceId);
    return now?.startVersion === 1099 ? now : null;
  }, PATIENT_MS);
  expect(state).toMatchObject({ phase: 'live', tier: 'live', advertisedStart: starts(1099) });
  expect(state.epoch).toBeGreaterThan(before.epoch);
}, 900_000);

test('a field written long after the race’s workflow ended is complete without it, and nothing restarts the race', async () => {
  const raceId = (await onlyRace())!;
  const handle = client().workflow.getHandle(raceWorkflowId(raceId));
  // Nothing else restarts it either: discovery runs every few minutes.
  await stop();
  await handle.terminate();
  const { races, results } = lab.deps.stores;
  const at = new Date(START + 20 * 24 * HOUR).toISOString();
  lab.clock.nowMs = Date.parse(at);
  const placings = [{ position: 1, number: 4, name: 'Four' }];
  const result = {
    stage: 'final',
    note: null,
    protest: false,
    placings,
    straight: [],
    exotics: [],
    multiRace: [],
  } as const;
  const early = new Date(START + 5 * MINUTE).toISOString();
  await results.saveResult({ raceId, source: 'ladbrokes_au', result, at: early });
  await results.finalise(raceId, new Date(START + HOUR).toISOString());
  await results.saveFieldState(
    raceId,
    { status: 'unavailable', source: 'racing_australia', note: null, expectedAt: null },
    at,
  );
  await races.savePhase(raceId, 'final', { jumpedAt: early, leftBoardAt: early }, at);
  await results.fillField(raceId, [resultRunner(4, { position: 1 })], 'racing_australia', at);

  expect(await signalLateFill(lab.deps, raceId)).toBe(false);
  expect(await lab.run('readResult', [raceId])).toMatchObject({ status: 'final', fieldStatus: 'complete' });
  expect(await lab.run('startRaces', [])).toMatchObject({ started: 0 });
  expect((await handle.describe()).status.name).toBe('TERMINATED');
});
