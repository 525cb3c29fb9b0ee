// Result, protest, override and coverage rows of A 3.
import { lateFill, overrideResult, raceState } from '../../src/workflows/contract';
import { DAY, HOUR, MINUTE, openRaceLab, type RaceLab, type RaceRun } from './harness';

let lab: RaceLab;
beforeAll(async () => {
  lab = await openRaceLab();
});
afterAll(() => lab.close());

const stateOf = (run: RaceRun) => run.handle.query(raceState);
const HOUR_OUT = HOUR;
const fieldStatuses = (run: RaceRun) =>
  run.written.flatMap(({ effect }) => (effect.do === 'save_field' ? [effect.field.status] : []));

test('changed placings restart the thirty minutes', async () => {
  const results = [
    { at: 5 * MINUTE, key: '1:5|2:3' },
    { at: 25 * MINUTE, key: '1:3|2:5' },
  ];
  const run = await lab.start({ closes: 30_000, results }, HOUR_OUT);
  await lab.until(run, 50 * MINUTE);
  expect(await stateOf(run)).toMatchObject({ phase: 'interim', placingsKey: '1:3|2:5' });
  await lab.until(run, 57 * MINUTE);
  expect((await stateOf(run)).phase).toBe('final');
});

test('a protest keeps the result interim until it is settled, and the placings may change', async () => {
  const results = [
    { at: 5 * MINUTE, key: '1:5|2:3' },
    { at: 10 * MINUTE, key: '1:5|2:3', protest: true },
    { at: 50 * MINUTE, key: '1:3|2:5' },
  ];
  const run = await lab.start({ closes: 30_000, results }, HOUR_OUT);
  await lab.until(run, 45 * MINUTE);
  expect(await stateOf(run)).toMatchObject({ phase: 'interim', protest: true });
  await lab.until(run, 55 * MINUTE);
  expect(await stateOf(run)).toMatchObject({ phase: 'interim', protest: false, placingsKey: '1:3|2:5' });
  await lab.until(run, 83 * MINUTE);
  expect((await stateOf(run)).phase).toBe('final');
});

test('an operator overrides a final result: interim for its own thirty minutes, then final, whatever the books report', async () => {
  const run = await lab.start({ closes: 30_000, results: [{ at: 5 * MINUTE, key: '1:5|2:3' }] }, HOUR_OUT);
  await lab.until(run, 40 * MINUTE);
  const placings = [
    { position: 1, number: 7, name: 'Seven' },
    { position: 2, number: 5, name: 'Five' },
  ];
  await run.handle.executeUpdate(overrideResult, { args: [{ placings, note: 'positive swab' }] });
  expect(await stateOf(run)).toMatchObject({ phase: 'interim', overridden: true, placingsKey: '1:7|2:5' });
  const polls = run.polls.result;
  await lab.until(run, 72 * MINUTE);
  expect(await stateOf(run)).toMatchObject({ phase: 'final', placingsKey: '1:7|2:5' });
  expect(run.polls.result).toBe(polls);
});

test.each([
  ['without a winner', [{ position: 2, number: 5, name: null }], /name the winner/],
  ['a runner twice', [1, 2].map((position) => ({ position, number: 5, name: null })), /twice/],
  ['a position that is none', [1, 0].map((position, i) => ({ position, number: i + 1, name: null })), /at least 1/],
])('placings %s are refused', async (_, placings, why) => {
  const run = await lab.start({ closes: 30_000, results: [{ at: 5 * MINUTE, key: '1:5|2:3' }] }, HOUR_OUT);
  await lab.until(run, 10 * MINUTE);
  const order = run.handle.executeUpdate(overrideResult, { args: [{ placings, note: null }] });
  await expect(order).rejects.toMatchObject({ cause: { message: expect.stringMatching(why) } });
  expect((await stateOf(run)).overridden).toBe(false);
});

test('a race that has not jumped has no result to override', async () => {
  const run = await lab.start({}, HOUR_OUT);
  await lab.until(run, -30 * MINUTE);
  const placings = [{ position: 1, number: 7, name: null }];
  const order = run.handle.executeUpdate(overrideResult, { args: [{ placings, note: null }] });
  await expect(order).rejects.toMatchObject({ cause: { message: expect.stringMatching(/live/) } });
});

const THOROUGHBRED = { category: 'horse', country: 'AU' } as const;

test('coverage: pending, overdue after the first empty pass, unavailable after six days, and then the race ends', async () => {
  const script = { closes: 30_000, results: [{ at: 5 * MINUTE, key: '1:5|2:3' }] };
  const run = await lab.start(script, HOUR_OUT, THOROUGHBRED);
  expect(await run.handle.result()).toMatchObject({ phase: 'final', over: true, field: { status: 'unavailable' } });
  expect([...new Set(fieldStatuses(run))]).toEqual(['pending', 'overdue', 'unavailable']);
  expect(run.polls.passes).toBeGreaterThanOrEqual(5);
  const ended = await run.handle.describe();
  const days = (ended.closeTime!.getTime() - run.startMs) / DAY;
  expect(days).toBeGreaterThanOrEqual(6);
  expect(days).toBeLessThan(6.1);
});

test('a pass that writes the field completes it', async () => {
  const script = { closes: 30_000, results: [{ at: 5 * MINUTE, key: '1:5|2:3' }], filledAt: 2 * DAY };
  const run = await lab.start(script, HOUR_OUT, THOROUGHBRED);
  expect(await run.handle.result()).toMatchObject({ field: { status: 'complete' }, over: true });
  expect(fieldStatuses(run).at(-1)).toBe('complete');
});

test('a manual fill completes a pending field at any time', async () => {
  const script = { closes: 30_000, results: [{ at: 5 * MINUTE, key: '1:5|2:3' }], filledAt: HOUR };
  const run = await lab.start(script, HOUR_OUT, THOROUGHBRED);
  await lab.until(run, 30 * MINUTE);
  await run.handle.signal(lateFill);
  expect((await stateOf(run)).field?.status).toBe('pending');
  await lab.until(run, 2 * HOUR);
  await run.handle.signal(lateFill);
  await lab.until(run, 2 * HOUR + MINUTE);
  expect((await stateOf(run)).field?.status).toBe('complete');
  expect(run.polls.passes).toBe(0);
});

describe('a protest that is never settled', () => {
  const lodged = [
    { at: 5 * MINUTE, key: '1:5|2:3' },
    { at: 10 * MINUTE, key: '1:5|2:3', protest: true },
  ];

  test('does not count as a ruling: the race ends three days after its placings, without becoming final', async () => {
    const run = await lab.start({ closes: 30_000, results: lodged }, HOUR_OUT);
    expect(await run.handle.result()).toMatchObject({ phase: 'interim', protest: true, over: true });
    expect(run.written.map(({ effect }) => effect.do)).not.toContain('finalise');
    const { closeTime } = await run.handle.describe();
    expect((closeTime!.getTime() - run.startMs) / HOUR).toBeCloseTo(72.1, 1);
  });

  test('ends at the horizon of an awaited field', async () => {
    const run = await lab.start({ closes: 30_000, results: lodged }, HOUR_OUT, THOROUGHBRED);
    expect(await run.handle.result()).toMatchObject({ phase: 'interim', over: true, field: { status: 'unavailable' } });
    const { closeTime } = await run.handle.describe();
    expect((closeTime!.getTime() - run.startMs) / DAY).toBeCloseTo(6, 1);
  });

  test('becomes final at once if it is settled a day later, because its placings have stood', async () => {
    const results = [...lodged, { at: DAY, key: '1:5|2:3' }];
    const run = await lab.start({ closes: 30_000, results }, HOUR_OUT);
    await lab.until(run, DAY + 10 * MINUTE);
    expect(await stateOf(run)).toMatchObject({ phase: 'final', placingsKey: '1:5|2:3' });
  });

  test('can be ended by an operator', async () => {
    const run = await lab.start({ closes: 30_000, results: lodged }, HOUR_OUT);
    await lab.until(run, 2 * DAY);
    const placings = [5, 3].map((number, i) => ({ position: i + 1, number, name: null }));
    await run.handle.executeUpdate(overrideResult, { args: [{ placings, note: 'protest dismissed' }] });
    expect(await stateOf(run)).toMatchObject({ phase: 'final', protest: false, overridden: true });
  });
});
