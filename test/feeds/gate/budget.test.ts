// The budget of one book in one worker, over a shared budget that the test simulates: what is leased, which calls are
// refused, and what happens while it is unreachable. The real shared budget is tested in
// test/store/redis/rate-budget.test.ts.
import fc from 'fast-check';
import type { Rate } from '../../../src/feeds/gate/bucket';
import { type BudgetSource, createBudget, type Lease } from '../../../src/feeds/gate/budget';
import { createBudgetSource } from '../../../src/feeds/gate/source';
import { runs } from '../../support/property';

const RATE: Rate = { perSecond: 20, burst: 40 };
const NONE: Lease = { granted: 0, waitMs: 200, paused: false };
let nowMs = 1_000_000;
const now = () => nowMs;

function shared(answer: (wanted: number, floor: number) => Lease | Error) {
  const leases: { floor: number; wanted: number }[] = [];
  const paused: number[] = [];
  const changes: string[] = [];
  const source = createBudgetSource({
    shared: {
      lease: async (_book, _rate, floor, wanted) => {
        leases.push({ floor, wanted });
        const lease = answer(wanted, floor);
        if (lease instanceof Error) throw lease;
        return lease;
      },
      pause: async (_book, ms) => void paused.push(ms),
      ping: async () => {
        const lease = answer(1, 0);
        if (lease instanceof Error) throw lease;
      },
    },
    workers: () => 4,
    onChange: (to) => changes.push(to),
    now,
  });
  return { source, leases, paused, changes, budget: budgetOf(source) };
}
const budgetOf = (source: BudgetSource) => createBudget('tab', RATE, source, now);

test('concurrent callers share one lease, and a busy worker leases ahead within a tenth of a second’s rate', async () => {
  const { budget, leases } = shared((wanted) => ({ granted: wanted, waitMs: 0, paused: false }));
  const taken = await Promise.all(Array.from({ length: 10 }, () => budget.take('usual')));
  expect(taken.every(({ kind }) => kind === 'taken')).toBe(true);
  // The first call was in flight alone; the nine that waited for it come with the second, with one leased ahead because
  // one was taken before.
  expect(leases.map(({ wanted }) => wanted)).toEqual([1, 9 + 1]);
  await budget.take('usual');
  expect(leases).toHaveLength(2);
  await budget.take('usual');
  expect(leases.at(-1)!.wanted).toBe(1 + 2);
  // Calls leased ahead are not kept: another worker may have published a pause.
  nowMs += 301;
  await budget.take('usual');
  expect(leases).toHaveLength(4);
});

test('a lease that is under way when the worker meets a pause gives no token', async () => {
  const { budget } = shared((wanted) => {
    budget.pause(5000);
    return { granted: wanted + 5, waitMs: 0, paused: false };
  });
  expect((await budget.take('usual')).kind).not.toBe('taken');
  nowMs += 50;
  expect((await budget.take('usual')).kind).not.toBe('taken');
});

test('property: no call without a token, none on a token older than 0.3 s, and few tokens of an urgency in hand', async () => {
  const step = fc.record({ afterMs: fc.integer({ min: 0, max: 200 }), calls: fc.integer({ min: 0, max: 6 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      let leased = { inHand: 0, atMs: Number.NEGATIVE_INFINITY };
      const { budget } = shared((wanted) => {
        leased = { inHand: wanted, atMs: nowMs };
        return { granted: wanted, waitMs: 0, paused: false };
      });
      for (const { afterMs, calls } of steps) {
        nowMs += afterMs;
        for (let i = 0; i < calls; i++) {
          expect(await budget.take('usual')).toEqual({ kind: 'taken' });
          leased.inHand -= 1;
          expect(leased.inHand).toBeGreaterThanOrEqual(0);
          expect(leased.inHand).toBeLessThanOrEqual(RATE.perSecond / 10);
          expect(nowMs - leased.atMs).toBeLessThanOrEqual(300);
        }
      }
    }),
    { numRuns: runs(100) },
  );
});

test('each urgency leaves a floor to the more urgent ones, and a book with one call a second still has it for all', async () => {
  const { budget, leases, source } = shared((wanted) => ({ granted: wanted, waitMs: 0, paused: false }));
  for (const urgency of ['near', 'usual', 'idle'] as const) await budget.take(urgency);
  expect(leases.map(({ floor }) => floor)).toEqual([0, 10, 20]);
  await createBudget('x', { perSecond: 1, burst: 1 }, source, now).take('idle');
  expect(leases.at(-1)!.floor).toBe(0);
});

test('each refused call gets its own retry time, at this worker’s share, and no lease is requested earlier', async () => {
  const { budget, leases } = shared(() => NONE);
  const waits = [];
  for (let i = 0; i < 5; i++) waits.push(await budget.take('idle'));
  expect(waits.map((each) => (each.kind === 'none' ? each.waitMs : 0))).toEqual([400, 600, 800, 1000, 1200]);
  expect(leases).toHaveLength(1);
  // It does not cause refusals for another urgency.
  await budget.take('near');
  expect(leases).toHaveLength(2);
});

test('a pause of one worker is published to the others, and a pause of another applies to every urgency', async () => {
  let lease: Lease = { granted: 5, waitMs: 0, paused: false };
  const { budget, paused, leases } = shared(() => lease);
  await budget.take('usual');
  budget.pause(3000);
  expect(paused).toEqual([3000]);
  expect(await budget.take('near')).toMatchObject({ kind: 'none' });
  nowMs += 3001;
  lease = { granted: 0, waitMs: 5000, paused: true };
  expect(await budget.take('idle')).toMatchObject({ kind: 'none' });
  const before = leases.length;
  expect(await budget.take('near')).toMatchObject({ kind: 'none', waitMs: expect.any(Number) });
  expect(leases).toHaveLength(before);
});

test('while the shared budget is unreachable the worker keeps to its share, and reports each change once', async () => {
  let lease: Lease | Error = new Error('gone');
  const { budget, changes, source, leases } = shared(() => lease);
  expect(budget.perSecond()).toBe(20);
  await budget.take('near');
  expect(changes).toEqual(['own_share']);
  expect(budget.perSecond()).toBe(5);
  // One second of its share, and no more; a burst of its share after a quiet period.
  const takenIn = async (ms: number) => {
    let taken = 0;
    for (let i = 0; i < ms / 10; i++) {
      nowMs += 10;
      if ((await budget.take('near')).kind === 'taken') taken += 1;
    }
    return taken;
  };
  const second = await takenIn(1000);
  expect(second).toBeGreaterThanOrEqual(4);
  expect(second).toBeLessThanOrEqual(6);
  nowMs += 60_000;
  expect(await takenIn(100)).toBe(10);
  expect(leases).toHaveLength(1);
  expect(changes).toEqual(['own_share']);
  lease = { granted: 1, waitMs: 0, paused: false };
  nowMs += 1001;
  source.reachable();
  await new Promise((resolve) => setImmediate(resolve));
  expect(source.reachable()).toBe(true);
  expect(changes).toEqual(['own_share', 'shared']);
});
