// Orders that coincide with another event of the race: an accepted order is answered, and is never carried out later
// than intended.
import { WorkflowUpdateStage } from '@temporalio/client';
import { overrideResult, raceState, startMoved } from '../../src/workflows/contract';
import { DAY, HOUR, MINUTE, openRaceLab, type RaceLab } from './harness';

let lab: RaceLab;
beforeAll(async () => {
  lab = await openRaceLab();
});
afterAll(() => lab.close());

test('an operator’s order does not wait for a collector’s pass', async () => {
  const script = {
    closes: 30_000,
    results: [{ at: 5 * MINUTE, key: '1:5|2:3' }],
    passesFrom: 3 * DAY,
    filledAt: 2 * DAY,
  };
  const run = await lab.start(script, HOUR, { category: 'horse' });
  await lab.until(run, DAY);
  expect(run.polls.passes).toBeGreaterThan(0);
  const placings = [7, 5].map((number, i) => ({ position: i + 1, number, name: null }));
  await run.handle.executeUpdate(overrideResult, { args: [{ placings, note: null }] });
  expect((await lab.env.currentTimeMs()) - run.startMs).toBeLessThan(3 * DAY);
  expect(await run.handle.query(raceState)).toMatchObject({
    phase: 'interim',
    overridden: true,
    field: { status: 'pending' },
  });
});

test('an order in progress is answered before a long history continues as new', async () => {
  const script = { closes: 30_000, results: [{ at: 5 * MINUTE, key: '1:5|2:3' }], overridesFrom: 20 * MINUTE };
  const run = await lab.start(script, HOUR);
  await lab.until(run, 10 * MINUTE);
  const { runId } = await run.handle.describe();
  const placings = [7, 5].map((number, i) => ({ position: i + 1, number, name: null }));
  const order = await run.handle.startUpdate(overrideResult, {
    args: [{ placings, note: null }],
    waitForStage: WorkflowUpdateStage.ACCEPTED,
  });
  const advertisedStart = run.input.advertisedStart;
  for (let i = 0; i < 1100; i++) await run.handle.signal(startMoved, { advertisedStart, version: 0 });
  await lab.until(run, 21 * MINUTE);
  await order.result();
  const current = lab.env.client.workflow.getHandle(run.handle.workflowId);
  expect(await current.query(raceState)).toMatchObject({ overridden: true, placingsKey: '1:7|2:5' });
  expect((await current.describe()).runId).not.toBe(runId);
});
