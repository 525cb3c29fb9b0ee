// A workflow and a database that disagree: a reset, a lost control row, a database restored from an older backup.

import { startRace } from '../../src/activities/races/start-race';
import type { RaceHeader } from '../../src/store/card/races';
import { raceState, resync } from '../../src/workflows/contract';
import { HOUR, MINUTE, openRaceLab, type RaceLab, type RaceRun, type Script } from './harness';

let lab: RaceLab;
beforeAll(async () => {
  lab = await openRaceLab();
});
afterAll(() => lab.close());

const stateOf = (run: RaceRun) => run.handle.query(raceState);
const names = (run: RaceRun) => run.written.map(({ effect }) => effect.do);
const RESULT: Script = { closes: 30_000, results: [{ at: 5 * MINUTE, key: '1:5|2:3' }] };

test.each([
  ['holds a newer epoch, as after a reset', 4],
  ['has no row', null],
])('if the fence %s the race is polled at once, and runs to its result', async (_, held) => {
  const run = await lab.start({ ...RESULT, held }, HOUR);
  await lab.until(run, -50 * MINUTE);
  const { epoch } = await stateOf(run);
  expect(epoch).toBe((held ?? 1) + 1);
  // Refused once, admitted once.
  expect(run.polls.live).toBe(2);
  await lab.until(run, 40 * MINUTE);
  expect(await stateOf(run)).toMatchObject({ phase: 'final', placingsKey: '1:5|2:3' });
});

test('a fence that never admits the race does not make it spin', async () => {
  const run = await lab.start({ held: 'all' }, HOUR);
  await lab.until(run, -50 * MINUTE);
  expect(run.polls.live).toBeGreaterThan(2);
  expect(run.polls.live).toBeLessThan(25);
});

test('a running race stores its whole state again on a signal', async () => {
  const run = await lab.start(RESULT, HOUR);
  await lab.until(run, -30 * MINUTE);
  const before = run.written.length;
  await run.handle.signal(resync);
  await lab.until(run, -29 * MINUTE);
  expect(names(run).slice(before)).toEqual(['set_control', 'reinstate', 'save_phase']);
  const { epoch, advertisedStart } = await stateOf(run);
  expect(run.written[before]!.effect).toMatchObject({ epoch, advertisedStart, tier: 'live', startVersion: 1 });
});

test('a result missing from the database is collected again', async () => {
  const run = await lab.start({ ...RESULT, category: 'harness' } as Script, HOUR);
  await lab.until(run, 40 * MINUTE);
  expect((await stateOf(run)).phase).toBe('final');
  run.script = { ...run.script, results: [{ at: HOUR, key: '1:5|2:3' }] };
  await run.handle.signal(resync);
  await lab.until(run, 41 * MINUTE);
  expect(await stateOf(run)).toMatchObject({ phase: 'jumped', placingsKey: null });
  await lab.until(run, 100 * MINUTE);
  expect(await stateOf(run)).toMatchObject({ phase: 'final', placingsKey: '1:5|2:3' });
});

test('a race reports its end last, and is started again if the database lacks the report', async () => {
  const run = await lab.start(RESULT, HOUR);
  expect(await run.handle.result()).toMatchObject({ phase: 'final', over: true });
  expect(names(run).at(-1)).toBe('close');
  const { raceId, meetingDate, category, raceNumber, advertisedStart } = run.input;
  const header = {
    raceId,
    identity: { meetingDate, category, raceNumber, venueId: 'menangle', card: 1 },
    venueCanonical: 'Menangle',
    country: 'AU',
    startTime: advertisedStart,
    startVersion: 1,
    phase: 'live',
  } as RaceHeader;
  const { client } = lab.env;
  const backup = { epoch: 2, abandonmentVersion: 0 };
  const deps = {
    client,
    clock: run.input.clock,
    now: () => run.startMs + 30 * HOUR,
    stores: { control: { readControl: async () => backup }, results: { read: async () => null } },
  };
  const before = run.written.length;
  const at = 30 * HOUR;
  run.script = { ...run.script, results: [{ at, key: '1:5|2:3' }] };
  expect(await startRace(deps as never, header)).toBe(true);
  expect(await startRace(deps as never, header)).toBe(false);
  await client.workflow.getHandle(run.handle.workflowId).result();
  const again = names(run).slice(before);
  expect(again).toContain('finalise');
  expect(again.at(-1)).toBe('close');
});
