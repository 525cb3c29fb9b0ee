// Replays recorded runs of every workflow type, races in each phase, against today's code: a change that would break a
// run in flight fails here.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import { Worker } from '@temporalio/worker';
import { loadWorkflowBundle, type WorkflowBundle } from '../../src/workers/workflow-bundle';
import * as workflows from '../../src/workflows';
import { installQuietRuntime } from '../support/servers/quiet-runtime';

const FOLDER = join(__dirname, '../fixtures/histories');
const PHASES = ['abandoned', 'card', 'complete', 'final', 'interim', 'jumped', 'live'];

let workflowBundle: WorkflowBundle;
beforeAll(async () => {
  installQuietRuntime();
  workflowBundle = await loadWorkflowBundle();
});

test('a recorded race exists for every phase', () => {
  const files = readdirSync(FOLDER).sort();
  expect(files).toEqual(expect.arrayContaining(PHASES.map((phase) => `race-${phase}.json`)));
});

/** The input of a recorded run. */
const startOf = (file: string) =>
  JSON.parse(readFileSync(join(FOLDER, file), 'utf8')).events[0].workflowExecutionStartedEventAttributes;

test('a recorded run exists for every workflow type that workers run', () => {
  const recorded = readdirSync(FOLDER).map((file) => startOf(file).workflowType.name);
  expect([...new Set(recorded)].sort()).toEqual(Object.keys(workflows).sort());
});

test('one recorded race was continued as new, with its carry', () => {
  const { continuedExecutionRunId, input } = startOf('race-continued.json');
  expect(continuedExecutionRunId).toEqual(expect.any(String));
  expect(JSON.parse(textOf(input.payloads[1]))).toMatchObject({ state: { phase: 'card', startVersion: 2 }, inbox: [] });
});

test.each(readdirSync(FOLDER).sort())('%s replays', async (file) => {
  const history = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
  await expect(Worker.runReplayHistory({ workflowBundle }, history, `replay-${file}`)).resolves.toBeUndefined();
});

test('a history that the code would not repeat is refused', async () => {
  const history = JSON.parse(readFileSync(join(FOLDER, 'race-live.json'), 'utf8'));
  const poll = history.events.find(
    (event: { activityTaskScheduledEventAttributes?: { activityType: { name: string } } }) =>
      event.activityTaskScheduledEventAttributes?.activityType.name === 'pollLive',
  );
  poll.activityTaskScheduledEventAttributes.activityType.name = 'pollCard';
  await expect(Worker.runReplayHistory({ workflowBundle }, history, 'replay-other')).rejects.toThrow();
});

test('a response known only to a newer version fails the workflow task: no worker of this version continues without it', async () => {
  const history = JSON.parse(readFileSync(join(FOLDER, 'race-jumped.json'), 'utf8'));
  const [closed] = history.events.flatMap((event: { activityTaskCompletedEventAttributes?: Completed }) => {
    const [payload] = event.activityTaskCompletedEventAttributes?.result?.payloads ?? [];
    return payload?.data && textOf(payload).includes('market-closed') ? [payload] : [];
  });
  closed.data = Buffer.from(textOf(closed).replace('market-closed', 'protest-lodged')).toString('base64');
  const replayed = Worker.runReplayHistory({ workflowBundle }, history, 'replay-newer');
  await expect(replayed).rejects.toThrow('this version has no event answer protest-lodged');
});

test('a phase known only to a newer version fails the workflow task of a race whose carry contains it', async () => {
  const history = JSON.parse(readFileSync(join(FOLDER, 'race-continued.json'), 'utf8'));
  const [, carry] = history.events[0].workflowExecutionStartedEventAttributes.input.payloads;
  carry.data = Buffer.from(textOf(carry).replace('"phase":"card"', '"phase":"photo"')).toString('base64');
  const replayed = Worker.runReplayHistory({ workflowBundle }, history, 'replay-newer-phase');
  await expect(replayed).rejects.toThrow('this version has no phase photo');
});

test('a carry of a newer schema fails the workflow task, because this version does not know its fields', async () => {
  const history = JSON.parse(readFileSync(join(FOLDER, 'race-continued.json'), 'utf8'));
  const [, carry] = history.events[0].workflowExecutionStartedEventAttributes.input.payloads;
  carry.data = Buffer.from(textOf(carry).replace('"schema":1', '"schema":2')).toString('base64');
  const replayed = Worker.runReplayHistory({ workflowBundle }, history, 'replay-newer-schema');
  await expect(replayed).rejects.toThrow('this version has no schema 2 of a race');
});

interface Completed {
  readonly result?: { readonly payloads?: readonly { data: string }[] };
}

const textOf = ({ data }: { data: string }): string => Buffer.from(data, 'base64').toString();

// There must be one copy of protobufjs, otherwise no history in JSON is readable (an instanceof across copies).
test('the installed packages read histories from JSON', () => {
  expect(historyFromJSON({ events: [] }).events).toEqual([]);
});
