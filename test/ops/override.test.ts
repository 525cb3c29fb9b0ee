// An operator's placings for a race whose workflow has ended, by the real workflow over the real stores.
import { NativeConnection, Worker } from '@temporalio/worker';
import { createActivities } from '../../src/activities';
import { orderOverride, placingsIn } from '../../src/ops/races/override';
import { loadWorkflowBundle } from '../../src/workers/workflow-bundle';
import { QUEUES } from '../../src/workflows/contract';
import { hoursAfter, openPublishedLab, type PublishedLab } from '../activities/published';
import { installQuietRuntime } from '../support/servers/quiet-runtime';

const NO_RACE = '00000000-0000-5000-8000-000000000000';

describe('an order of finish', () => {
  test('may contain dead heats', () => {
    const ranks = placingsIn('4,2=7,1').map(({ position, number }) => [position, number]);
    expect(ranks).toEqual([
      [1, 4],
      [2, 2],
      [2, 7],
      [4, 1],
    ]);
  });

  test.each(['', '4,,2', '4 2', '4=', 'four', '4,123'])('%j is refused', (order) => {
    expect(() => placingsIn(order)).toThrow(/no order of finish/);
  });
});

describe('a race whose workflow has ended', () => {
  let lab: PublishedLab;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    installQuietRuntime();
    lab = await openPublishedLab();
    const { address, namespace } = lab.temporal;
    const connection = await NativeConnection.connect({ address });
    const activities = createActivities({ ...lab.deps, feeds: new Map(), random: () => 0.5 } as never);
    const workers = [
      await Worker.create({
        connection,
        namespace,
        taskQueue: QUEUES.workflows,
        workflowBundle: await loadWorkflowBundle(),
      }),
      await Worker.create({ connection, namespace, taskQueue: QUEUES.io, activities }),
      await Worker.create({ connection, namespace, taskQueue: QUEUES.decisions, activities }),
    ];
    const running = workers.map((worker) => worker.run());
    stop = async () => {
      for (const worker of workers) worker.shutdown();
      await Promise.all(running);
      await connection.close();
    };
  });
  afterAll(async () => {
    await stop();
    await lab.close();
  });

  test('accepts them if it became final weeks ago, or ended under a protest', async () => {
    const final = await lab.race();
    const left = await lab.race({ raceNumber: 2 }, { stage: 'interim', protest: true });
    await final.stores.results.finalise(final.raceId, new Date(hoursAfter(1)).toISOString());
    lab.clock.nowMs = hoursAfter(24 * 40);
    for (const { raceId } of [final, left]) {
      await orderOverride(lab.deps, raceId, placingsIn('2,1,3'), 'positive swab');
      expect(await lab.row(raceId)).toMatchObject({
        status: 'interim',
        status_note: 'positive swab',
        placings_key: '1:2|2:1|3:3',
        overridden: true,
        protest: false,
      });
    }
  });

  test('refuses invalid placings', async () => {
    const { raceId } = await lab.race({ raceNumber: 3 });
    await expect(orderOverride(lab.deps, raceId, placingsIn('2,2'), null)).rejects.toThrow(/placed twice/);
    await expect(orderOverride(lab.deps, NO_RACE, placingsIn('2'), null)).rejects.toThrow(/There is no race/);
  });
});
