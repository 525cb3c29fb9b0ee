// Long work beside calls: it pauses only while there are some, and longer the more of it there is.
import { createGivingWay } from '../../../../src/api/kernel/work/giving-way';

test('alone it takes turns, beside calls it pauses, and several works share what one may take', async () => {
  const clock = { nowMs: 1000, pauses: [] as number[] };
  const { noteCall, enter } = createGivingWay({
    nowMs: () => clock.nowMs,
    pause: async (ms) => void clock.pauses.push(ms),
  });
  const one = enter();
  await one.rest();
  noteCall();
  await one.rest();
  const other = enter();
  await one.rest();
  await other.rest();
  other.end();
  await one.rest();
  clock.nowMs += 200;
  await one.rest();
  expect(clock.pauses).toEqual([0, 10, 20, 20, 10, 0]);
});

test('one that waits for its pace does not slow another one down', async () => {
  const clock = { nowMs: 1000, pauses: [] as number[] };
  const { noteCall, enter } = createGivingWay({
    nowMs: () => clock.nowMs,
    pause: async (ms) => void clock.pauses.push(ms),
  });
  const [one, idle] = [enter(), enter()];
  clock.nowMs += 1001;
  noteCall();
  await one.rest();
  await idle.rest();
  await one.rest();
  expect(clock.pauses).toEqual([10, 20, 20]);
});
