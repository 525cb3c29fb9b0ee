// The ordinary life of a race (A 3), row by row.
import { raceState } from '../../src/workflows/contract';
import { HOUR, MINUTE, openRaceLab, type RaceLab, type RaceRun } from './harness';

let lab: RaceLab;
beforeAll(async () => {
  lab = await openRaceLab();
}, 60_000);
afterAll(() => lab.close());

const stateOf = (run: RaceRun) => run.handle.query(raceState);
const when = (run: RaceRun, effect: string) => run.written.filter((each) => each.effect.do === effect);

test('card tier, live tier at three hours, jump at the market close, off the board ten minutes later, final after thirty', async () => {
  const run = await lab.start({ closes: 40_000, results: [{ at: 4 * MINUTE, key: '1:5|2:3|3:4' }] });
  await lab.until(run, -3 * HOUR - MINUTE);
  expect(await stateOf(run)).toMatchObject({ phase: 'card', tier: 'card', epoch: 1 });
  await lab.until(run, -3 * HOUR + MINUTE);
  expect(await stateOf(run)).toMatchObject({ phase: 'live', tier: 'live', epoch: 2 });
  await lab.until(run, 2 * MINUTE);
  const jumped = await stateOf(run);
  expect(jumped).toMatchObject({ phase: 'jumped', tier: 'none', onBoard: true });
  expect(Date.parse(jumped.jumpedAt!) - run.startMs).toBeLessThan(MINUTE + 1000);
  await lab.until(run, 9 * MINUTE);
  expect(await stateOf(run)).toMatchObject({ phase: 'interim', onBoard: true, placingsKey: '1:5|2:3|3:4' });
  await lab.until(run, 12 * MINUTE);
  expect(await stateOf(run)).toMatchObject({ phase: 'interim', onBoard: false });
  expect(when(run, 'leave_board')[0]!.at - (Date.parse(jumped.jumpedAt!) - run.startMs)).toBeGreaterThanOrEqual(
    10 * MINUTE,
  );
  await lab.until(run, 33 * MINUTE);
  expect((await stateOf(run)).phase).toBe('interim');
  await lab.until(run, 36 * MINUTE);
  expect(await stateOf(run)).toMatchObject({ phase: 'final', field: { status: 'unsupported' } });
  expect(when(run, 'finalise')).toHaveLength(1);
  expect(await run.handle.result()).toMatchObject({ phase: 'final', over: true });
});
