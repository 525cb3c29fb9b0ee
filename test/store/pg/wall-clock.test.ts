import { keepWallClock, type WallClock } from '../../../src/store/pg/wall-clock';

const NOON = Date.parse('2026-11-21T01:00:00Z');
const MINUTE = 60_000;

interface Machine {
  /** Lets time pass on both clocks. */
  pass(ms: number): void;
  /** Sets the system clock, as an operator or NTP does. */
  step(ms: number): void;
  readonly clock: WallClock;
  readonly set: number[];
}

let opened: WallClock[] = [];
afterEach(() => {
  for (const clock of opened) clock.close();
  opened = [];
});

/** `replyMs`: the delay of the database, which reads its clock when it replies. Null: it is away. */
function machine(aheadMs: number, replyMs: number | null = 0): Machine {
  let trueMs = NOON;
  let offsetMs = aheadMs;
  const set: number[] = [];
  const clock = keepWallClock({
    host: { system: () => trueMs + offsetMs, monotonic: () => trueMs - NOON + 5 },
    readDatabase: async () => {
      if (replyMs === null) throw new Error('away');
      trueMs += replyMs;
      return trueMs;
    },
    onSet: (ms) => set.push(ms),
  });
  opened.push(clock);
  const pass = (ms: number): void => {
    trueMs += ms;
  };
  const step = (ms: number): void => {
    offsetMs += ms;
  };
  return { pass, step, clock, set };
}

test.each([10 * MINUTE, -10 * MINUTE, 3000, -3000])('a machine %d ms ahead uses the database’s time', async (ahead) => {
  const { clock, set } = machine(ahead);
  await clock.compare();
  expect(clock.now()).toBe(NOON);
  expect(set).toEqual([ahead]);
});

test.each([10 * MINUTE, -10 * MINUTE])('a step of the system clock by %d ms changes nothing', async (ms) => {
  const { clock, step, pass, set } = machine(0);
  await clock.compare();
  step(ms);
  pass(1000);
  expect(clock.now()).toBe(NOON + 1000);
  await clock.compare();
  expect(clock.now()).toBe(NOON + 1000);
  expect(set).toEqual([]);
});

test('a slow reply sets the clock only as precisely as its delay allows', async () => {
  const slow = machine(900, 2000);
  await slow.clock.compare();
  expect(slow.set).toEqual([]);
  const far = machine(10 * MINUTE, 2000);
  await far.clock.compare();
  expect(far.set).toEqual([10 * MINUTE - 1000]);
});

test('the clock continues without the database', async () => {
  const { clock, pass } = machine(0, null);
  await clock.compare();
  pass(5 * MINUTE);
  expect(clock.now()).toBe(NOON + 5 * MINUTE);
});
