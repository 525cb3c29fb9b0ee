// Replays races recorded in each phase against today's code: a change that would break a race in flight fails here.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import { DefaultLogger, Runtime, Worker, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { buildBundle } from '../../src/workers/build-bundle';

const FOLDER = join(__dirname, '../fixtures/histories');
const PHASES = ['abandoned', 'card', 'complete', 'final', 'interim', 'jumped', 'live'];

let workflowBundle: WorkflowBundleWithSourceMap;
beforeAll(async () => {
  const quiet = { core: 'ERROR', other: 'ERROR' } as const;
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { filter: quiet } } });
  workflowBundle = await buildBundle();
});

test('there is a recorded race for every phase', () => {
  const files = readdirSync(FOLDER).sort();
  expect(files).toEqual(expect.arrayContaining(PHASES.map((phase) => `race-${phase}.json`)));
});

test.each(readdirSync(FOLDER).sort())('%s replays', async (file) => {
  const history = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
  await expect(Worker.runReplayHistory({ workflowBundle }, history, `replay-${file}`)).resolves.toBeUndefined();
});

test('a history in which the code would do something else is refused', async () => {
  const history = JSON.parse(readFileSync(join(FOLDER, 'race-live.json'), 'utf8'));
  const poll = history.events.find(
    (event: { activityTaskScheduledEventAttributes?: { activityType: { name: string } } }) =>
      event.activityTaskScheduledEventAttributes?.activityType.name === 'pollLive',
  );
  poll.activityTaskScheduledEventAttributes.activityType.name = 'pollCard';
  await expect(Worker.runReplayHistory({ workflowBundle }, history, 'replay-other')).rejects.toThrow();
});

test('an answer that only a newer version has fails the workflow task: no worker of this version goes on without it', async () => {
  const history = JSON.parse(readFileSync(join(FOLDER, 'race-jumped.json'), 'utf8'));
  const [closed] = history.events.flatMap((event: { activityTaskCompletedEventAttributes?: Completed }) => {
    const [payload] = event.activityTaskCompletedEventAttributes?.result?.payloads ?? [];
    return payload?.data && textOf(payload).includes('market-closed') ? [payload] : [];
  });
  closed.data = Buffer.from(textOf(closed).replace('market-closed', 'protest-lodged')).toString('base64');
  const replayed = Worker.runReplayHistory({ workflowBundle }, history, 'replay-newer');
  await expect(replayed).rejects.toThrow('this version has no event answer protest-lodged');
});

interface Completed {
  readonly result?: { readonly payloads?: readonly { data: string }[] };
}

const textOf = ({ data }: { data: string }): string => Buffer.from(data, 'base64').toString();

// One copy of protobufjs, or every history in JSON fails to be read (an instanceof across copies).
test('histories can be read from JSON with the packages as they are installed', () => {
  expect(historyFromJSON({ events: [] }).events).toEqual([]);
});
