// Abandonment and reinstatement rows of A 3.
import { WorkflowUpdateStage } from '@temporalio/client';
import { abandon, abandonedElsewhere, raceState, reinstate } from '../../src/workflows/contract';
import { HOUR, MINUTE, openRaceLab, type RaceLab, type RaceRun } from './harness';

let lab: RaceLab;
beforeAll(async () => {
  lab = await openRaceLab();
});
afterAll(() => lab.close());

const stateOf = (run: RaceRun) => run.handle.query(raceState);
const written = (run: RaceRun, effect: string) => run.written.filter((each) => each.effect.do === effect);

test('a race that a book reports abandoned is stored as abandoned, its pollers stop, and it leaves the board', async () => {
  const run = await lab.start({ abandoned: { at: -20 * MINUTE, note: 'abandoned' } }, HOUR);
  await lab.until(run, -15 * MINUTE);
  expect(await stateOf(run)).toMatchObject({ phase: 'abandoned', tier: 'none', field: { status: 'not_applicable' } });
  expect(written(run, 'write_abandoned')).toHaveLength(1);
  const polls = run.polls.live;
  await lab.until(run, 11 * MINUTE);
  expect(await stateOf(run)).toMatchObject({ onBoard: false });
  expect(run.polls.live).toBe(polls);
});

test('an operator abandons one race: the update completes when the abandonment is written', async () => {
  const run = await lab.start({}, HOUR);
  await lab.until(run, -30 * MINUTE);
  await run.handle.executeUpdate(abandon, { args: [{ scope: 'race', note: 'postponed' }] });
  expect(written(run, 'write_abandoned').map((each) => each.effect)).toEqual([
    { do: 'write_abandoned', note: 'postponed' },
  ]);
  expect(run.meetingSignals).toEqual([]);
});

test('an operator abandons the meeting: its other races are signalled', async () => {
  const run = await lab.start({}, HOUR);
  await lab.until(run, -30 * MINUTE);
  await run.handle.executeUpdate(abandon, { args: [{ scope: 'meeting', note: 'transferred to Geelong' }] });
  expect((await stateOf(run)).note).toBe('transferred to Geelong');
  expect(run.meetingSignals).toEqual(['transferred to Geelong']);
});

test('an operator’s note is not overwritten by a book that reports only `abandoned` before the note is written', async () => {
  const script = { abandoned: { at: -29 * MINUTE, note: 'abandoned' }, abandonsFrom: -25 * MINUTE };
  const run = await lab.start(script, HOUR);
  await lab.until(run, -30 * MINUTE);
  await run.handle.startUpdate(abandon, {
    args: [{ scope: 'race', note: 'postponed' }],
    waitForStage: WorkflowUpdateStage.ACCEPTED,
  });
  await lab.until(run, -20 * MINUTE);
  expect(await stateOf(run)).toMatchObject({ phase: 'abandoned', note: 'postponed' });
  expect(written(run, 'write_abandoned').map(({ effect }) => effect)).toEqual([
    { do: 'write_abandoned', note: 'postponed' },
  ]);
});

test('a race signalled for its meeting is abandoned with the same note', async () => {
  const run = await lab.start({}, 5 * HOUR);
  await run.handle.signal(abandonedElsewhere, { note: 'abandoned' });
  await lab.until(run, -4 * HOUR);
  expect(await stateOf(run)).toMatchObject({ phase: 'abandoned', note: 'abandoned' });
});

test('a repeated external order is not carried out again after a reinstatement, but a new one is', async () => {
  const run = await lab.start({}, HOUR);
  const order = (version: number) => run.handle.signal(abandonedElsewhere, { note: 'abandoned', version });
  await lab.until(run, -30 * MINUTE);
  await order(1);
  await lab.until(run, -29 * MINUTE);
  await run.handle.executeUpdate(reinstate, { args: [{ reason: 'another meeting was meant' }] });
  await order(1);
  await lab.until(run, -20 * MINUTE);
  expect(await stateOf(run)).toMatchObject({ phase: 'live', abandonmentVersion: 1 });
  expect(written(run, 'write_abandoned')).toHaveLength(1);
  await order(2);
  await lab.until(run, -19 * MINUTE);
  expect(await stateOf(run)).toMatchObject({ phase: 'abandoned', abandonmentVersion: 2 });
  const control = written(run, 'set_control').at(-1)!.effect;
  expect(control).toMatchObject({ closed: true, abandonmentVersion: 2 });
});

test('a reinstated race is polled again at its current tier under a new epoch, jumps and is resulted', async () => {
  const run = await lab.start({ closes: 30_000, results: [{ at: 5 * MINUTE, key: '1:2' }] }, HOUR);
  await lab.until(run, -30 * MINUTE);
  const before = await stateOf(run);
  await run.handle.executeUpdate(abandon, { args: [{ scope: 'race', note: 'abandoned' }] });
  await run.handle.executeUpdate(reinstate, { args: [{ reason: 'track fit after inspection' }] });
  const after = await stateOf(run);
  expect(after).toMatchObject({ phase: 'live', tier: 'live', note: null });
  expect(after.epoch).toBeGreaterThan(before.epoch);
  expect(written(run, 'reinstate')).toHaveLength(1);
  await lab.until(run, 40 * MINUTE);
  expect(await stateOf(run)).toMatchObject({ phase: 'final', placingsKey: '1:2' });
});

test('a reinstated race runs even if a book still reports the abandonment', async () => {
  const results = [{ at: 5 * MINUTE, key: '1:2' }];
  const run = await lab.start({ abandoned: { at: -40 * MINUTE, note: 'abandoned' }, results }, HOUR);
  await lab.until(run, -30 * MINUTE);
  expect((await stateOf(run)).phase).toBe('abandoned');
  await run.handle.executeUpdate(reinstate, { args: [{ reason: 'another meeting was meant' }] });
  await lab.until(run, MINUTE);
  expect((await stateOf(run)).phase).toBe('live');
  await lab.until(run, 40 * MINUTE);
  expect(await stateOf(run)).toMatchObject({ phase: 'final', placingsKey: '1:2' });
  expect(written(run, 'write_abandoned')).toHaveLength(1);
});

test.each([
  ['a note that the contract does not know', { scope: 'race', note: 'rain' }, /note must be/],
  ['an unknown scope', { scope: 'venue', note: 'abandoned' }, /scope must be/],
])('%s is refused and changes nothing', async (_, request, why) => {
  const run = await lab.start({}, HOUR);
  await lab.until(run, -50 * MINUTE);
  const order = run.handle.executeUpdate(abandon, { args: [request as never] });
  await expect(order).rejects.toMatchObject({ cause: { message: expect.stringMatching(why) } });
  expect((await stateOf(run)).phase).toBe('live');
});

test('a race that is not abandoned cannot be reinstated, and a final result cannot be abandoned', async () => {
  const run = await lab.start({ closes: 30_000, results: [{ at: 5 * MINUTE, key: '1:2' }] }, HOUR);
  await lab.until(run, -30 * MINUTE);
  const back = run.handle.executeUpdate(reinstate, { args: [{ reason: 'none' }] });
  await expect(back).rejects.toMatchObject({ cause: { message: expect.stringMatching(/no abandonment/) } });
  await lab.until(run, 40 * MINUTE);
  const off = run.handle.executeUpdate(abandon, { args: [{ scope: 'race', note: 'abandoned' }] });
  await expect(off).rejects.toMatchObject({ cause: { message: expect.stringMatching(/final/) } });
});
