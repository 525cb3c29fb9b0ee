// A 3 "Result field coverage" for races whose workflow is gone: their missed passes are made up for.

import { settleCoverage } from '../../../src/activities/full-field/settle-coverage';
import { createFieldPasses } from '../../../src/activities/outcome/collect-field';
import { hoursAfter, openPublishedLab, type PublishedLab, publishedMeeting } from '../published';

let lab: PublishedLab;
beforeEach(async () => {
  lab = await openPublishedLab();
});
afterEach(() => lab.close());

const settle = () => settleCoverage(lab.deps, lab.collector);
const status = async (raceId: string) => (await lab.row(raceId))!.field_status;

test('a race without a workflow: its missed pass is made up for, its field is unavailable at the horizon, and a fill weeks later completes it', async () => {
  const { raceId } = await lab.race();
  expect(await settle()).toEqual({ awaited: 1, passesMadeUp: 0, filled: 0 });
  expect(await status(raceId)).toBe('pending');
  lab.clock.nowMs = hoursAfter(16.5);
  expect(await settle()).toEqual({ awaited: 1, passesMadeUp: 1, filled: 0 });
  expect(await lab.row(raceId)).toMatchObject({
    field_status: 'overdue',
    field_last_pass_at: new Date(hoursAfter(16.5)).toISOString(),
    field_expected_at: new Date(hoursAfter(40)).toISOString(),
  });
  expect(await settle()).toMatchObject({ passesMadeUp: 0 });
  lab.clock.nowMs = hoursAfter(24 * 6);
  expect(await settle()).toMatchObject({ awaited: 1 });
  expect(await lab.row(raceId)).toMatchObject({ field_status: 'unavailable', field_expected_at: null });
  expect(await settle()).toMatchObject({ awaited: 0 });
  lab.publish(publishedMeeting());
  lab.clock.nowMs = hoursAfter(24 * 20);
  await lab.collector.race(raceId);
  expect(await status(raceId)).toBe('complete');
});

test('a missed pass that finds the field completes it', async () => {
  const { raceId } = await lab.race();
  lab.publish(publishedMeeting());
  lab.clock.nowMs = hoursAfter(16.5);
  expect(await settle()).toEqual({ awaited: 1, passesMadeUp: 1, filled: 1 });
  expect(await status(raceId)).toBe('complete');
});

test('a live workflow has ten minutes for its own pass; a result that arrived after a pass has not missed it', async () => {
  const { raceId } = await lab.race();
  lab.clock.nowMs = hoursAfter(16) + 9 * 60_000;
  expect(await settle()).toMatchObject({ passesMadeUp: 0 });
  await lab.query('UPDATE race_results SET resulted_at = $1', [new Date(hoursAfter(16.1)).toISOString()]);
  lab.clock.nowMs = hoursAfter(20);
  expect(await settle()).toMatchObject({ passesMadeUp: 0 });
  expect(await status(raceId)).toBe('pending');
});

test('twenty passes wait at a time; the others are called again and occupy no slot', async () => {
  const started: (() => void)[] = [];
  const pass = () => new Promise<boolean>((done) => started.push(() => done(false)));
  const collect = createFieldPasses(lab.deps as never, { pass });
  const passes = Array.from({ length: 25 }, (_, i) => collect({ raceId: `${i}`, before: [], ifEmpty: [] }));
  const ended = Promise.allSettled(passes);
  while (started.length < 20) await new Promise((done) => setImmediate(done));
  await expect(passes[24]).rejects.toMatchObject({ type: 'NothingYet' });
  for (const done of started) done();
  const outcomes = await ended;
  expect(outcomes.filter((each) => each.status === 'rejected')).toHaveLength(5);
  expect(started).toHaveLength(20);
});
