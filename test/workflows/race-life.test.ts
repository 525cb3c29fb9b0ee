// The ordinary life of a race (A 3), row by row.
import { raceState, startMoved } from '../../src/workflows/contract';
import { payloadsOf } from '../support/servers/payloads';
import { HOUR, MINUTE, openRaceLab, type RaceLab, type RaceRun } from './harness';

let lab: RaceLab;
beforeAll(async () => {
  lab = await openRaceLab();
});
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
  const off = run.written.find(({ effect }) => effect.do === 'save_phase' && effect.leftBoardAt !== null);
  expect(off!.at - (Date.parse(jumped.jumpedAt!) - run.startMs)).toBeGreaterThanOrEqual(10 * MINUTE);
  await lab.until(run, 33 * MINUTE);
  expect((await stateOf(run)).phase).toBe('interim');
  await lab.until(run, 36 * MINUTE);
  expect(await stateOf(run)).toMatchObject({ phase: 'final', field: { status: 'unsupported' } });
  expect(when(run, 'finalise')).toHaveLength(1);
  expect(await run.handle.result()).toMatchObject({ phase: 'final', over: true });
  // Once when it is off the board, and again when its outcome has changed.
  expect(run.archived.map((at) => Math.floor(at / MINUTE))).toEqual([10, 34]);
});

test('placings that change in the second of the deadline are checked before they become final (A 3)', async () => {
  const results = [
    { at: 4 * MINUTE, key: '1:4|2:2' },
    { at: 20 * MINUTE, key: '1:2|2:4' },
  ];
  // No poll between minute 10, the presumed jump, and the deadline of the first placings in minute 40.
  const run = await lab.start({ results, pollEvery: 50 * MINUTE }, HOUR);
  await lab.until(run, 45 * MINUTE);
  expect(await stateOf(run)).toMatchObject({ phase: 'interim', placingsKey: '1:2|2:4' });
  await lab.until(run, 75 * MINUTE);
  expect((await stateOf(run)).phase).toBe('final');
  expect(when(run, 'finalise')).toHaveLength(2);
});

test('a race without a market close or a result jumped at its advertised start, the last resort of D24', async () => {
  const run = await lab.start({}, HOUR);
  await lab.until(run, 9 * MINUTE);
  expect((await stateOf(run)).phase).toBe('live');
  await lab.until(run, 11 * MINUTE);
  expect(await stateOf(run)).toMatchObject({ phase: 'jumped', jumpedAt: run.input.advertisedStart, onBoard: false });
});

test('a result is evidence of the jump if no book closes', async () => {
  const run = await lab.start({ results: [{ at: 3 * MINUTE, key: '1:2|2:1' }] }, HOUR);
  await lab.until(run, 5 * MINUTE);
  const state = await stateOf(run);
  expect(state).toMatchObject({ phase: 'interim', marketClosedAt: null, onBoard: true });
  expect(Date.parse(state.jumpedAt!)).toBeGreaterThanOrEqual(run.startMs + 3 * MINUTE);
});

test('a market that closes early and reopens is still polled, and the time of its first close is kept', async () => {
  const run = await lab.start({ closes: -20 * MINUTE, reopens: -15 * MINUTE }, HOUR);
  await lab.until(run, -18 * MINUTE);
  const shut = await stateOf(run);
  expect(shut).toMatchObject({ phase: 'live', marketShut: true });
  await lab.until(run, -10 * MINUTE);
  expect(await stateOf(run)).toMatchObject({ phase: 'live', marketShut: false, marketClosedAt: shut.marketClosedAt });
});

test('a later start returns a live race to the card tier, an earlier one to the live tier', async () => {
  const run = await lab.start({}, 2 * HOUR);
  await lab.until(run, -110 * MINUTE);
  expect(await stateOf(run)).toMatchObject({ tier: 'live' });
  const moved = (inMs: number, version: number) =>
    run.handle.signal(startMoved, { advertisedStart: new Date(run.startMs + inMs).toISOString(), version });
  await moved(4 * HOUR, 2);
  await lab.until(run, -109 * MINUTE);
  const back = await stateOf(run);
  expect(back).toMatchObject({ phase: 'card', tier: 'card' });
  await moved(10 * MINUTE, 3);
  await moved(5 * HOUR, 2);
  await lab.until(run, -108 * MINUTE);
  const forward = await stateOf(run);
  expect(forward).toMatchObject({ phase: 'live', startVersion: 3, epoch: back.epoch + 1 });
  expect(Date.parse(forward.advertisedStart)).toBe(run.startMs + 10 * MINUTE);
});

test('a start that moves within the tier reaches the running poller without a new one', async () => {
  const run = await lab.start({}, 2 * HOUR);
  await lab.until(run, -110 * MINUTE);
  const { epoch } = await stateOf(run);
  await run.handle.signal(startMoved, {
    advertisedStart: new Date(run.startMs + 5 * MINUTE).toISOString(),
    version: 2,
  });
  await lab.until(run, -109 * MINUTE);
  expect((await stateOf(run)).epoch).toBe(epoch);
  const control = run.written.filter(({ effect }) => effect.do === 'set_control').at(-1)!.effect;
  expect(control).toMatchObject({ epoch, advertisedStart: new Date(run.startMs + 5 * MINUTE).toISOString() });
});

// Ten days of two passes a day (D25); a thoroughbred race has six days of one.
test.each([
  ['horse', 250],
  ['greyhound', 450],
] as const)(
  '%s: hundreds of polls, every collector pass, and a whole life stays under %i events',
  async (category, most) => {
    const script = { closes: 40_000, results: [{ at: 4 * MINUTE, key: '1:5|2:3|3:4' }], pollEvery: 35_000 };
    const run = await lab.start(script, 5 * HOUR, { category, country: 'AU' });
    await lab.until(run, HOUR);
    run.script.pollEvery = undefined;
    await run.handle.result();
    const { events = [] } = await run.handle.fetchHistory();
    const polls = run.polls.card + run.polls.live + run.polls.result;
    process.stdout.write(`  ${polls} polls, ${run.polls.passes} passes, ${events?.length} events\n`);
    expect(polls).toBeGreaterThan(500);
    expect(events!.length).toBeLessThan(most);
  },
);

test('a history contains no price and no runner’s name', async () => {
  const run = await lab.start({ closes: 40_000, results: [{ at: 4 * MINUTE, key: '1:5|2:3' }] }, HOUR);
  await run.handle.result();
  const text = payloadsOf(await run.handle.fetchHistory());
  expect(text).toContain('1:5|2:3');
  expect(text).not.toMatch(/"(win|place|price|runners|dividends|toteWin)"/);
});
