// Which activity shows the success of a Schedule's run.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { aroundActivities } from '../../src/workers/activity-interceptor';
import { PERIODIC } from '../../src/workers/schedules/table';

const folder = join(__dirname, '../../src/workflows');
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join(folder, file), 'utf8'));

const ending = Object.entries(PERIODIC).filter(([, { lastStep }]) => lastStep);

test.each(ending)('%s: its workflow calls that activity', (_, { workflow, lastStep }) => {
  const source = sources.find((text) => text.includes(`export async function ${workflow}(`));
  expect(source).toMatch(new RegExp(`\\b${lastStep}\\b`));
});

const noted: string[] = [];
async function run(workflowType: string, activityType: string, work: () => Promise<unknown>): Promise<void> {
  const environment = new MockActivityEnvironment(
    { activityType, workflowType },
    { interceptors: [aroundActivities(async (id) => void noted.push(id))], logger: new DefaultLogger('ERROR') },
  );
  await environment.run(work).catch(() => undefined);
}

test('only a success counts, and only in the Schedule’s workflow', async () => {
  const done = async () => 'done';
  await run('sweepRaces', 'startRaces', async () => {
    throw new Error('the database is away');
  });
  await run('discoverMeetings', 'startRaces', done);
  await run('race', 'pollCard', done);
  expect(noted).toEqual([]);
  await run('sweepRaces', 'startRaces', done);
  await run('discoverMeetings', 'readList', done);
  expect(noted).toEqual(['race-sweep', 'meeting-discovery']);
});
