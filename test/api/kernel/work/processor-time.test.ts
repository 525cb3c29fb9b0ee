// Who used the processor, and what limits it: no caller is blamed for a busy machine, and a burst of one account delays
// only that account.
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { createFairTurns } from '../../../../src/api/kernel/work/fair-turns';
import { createProcessorClock } from '../../../../src/api/kernel/work/processor-clock';
import { createWorkBudget } from '../../../../src/api/kernel/work/work-budget';
import { createWorkMeter, Work, type WorkMeter } from '../../../../src/api/kernel/work/work-meter';
import type { AppError } from '../../../../src/errors';
import { runs } from '../../../support/property';

describe('the clock of the thread', () => {
  test('never runs ahead of the wall clock, and ahead of the processor only briefly', () => {
    // For each span: its wall time, and the share of it in which the thread had a processor.
    const span = fc.record({
      wall: fc.double({ min: 0, max: 400, noNaN: true }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    const property = fc.property(fc.array(span, { maxLength: 60 }), (spans) => {
      let [wall, cpu] = [0, 0];
      const clock = createProcessorClock(
        () => wall,
        () => cpu,
      );
      const begun = clock();
      let short = 0;
      for (const one of spans) {
        wall += one.wall;
        cpu += one.wall * one.share;
        if (one.wall <= 1) short += one.wall;
        const worked = clock() - begun;
        expect(worked).toBeLessThanOrEqual(wall + 1e-6);
        expect(worked).toBeLessThanOrEqual(cpu + short + 1e-6);
      }
    });
    fc.assert(property, { numRuns: runs(500) });
  });
});

describe('the meter', () => {
  let meter: WorkMeter;
  /** A clock that only `work` moves: each of its steps is a millisecond. */
  let worked = 0;
  beforeAll(() => {
    meter = createWorkMeter(() => worked);
  });
  afterAll(() => meter.close());

  test('counts each request’s own work, however they take turns', async () => {
    const steps = fc.array(fc.record({ ms: fc.nat(50), waits: fc.constantFrom('promise', 'turn', 'none') }), {
      maxLength: 12,
    });
    const property = fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 6 }), async (requests) => {
      const all = requests.map(() => new Work());
      const serve = async (of: (typeof requests)[number]): Promise<void> => {
        for (const { ms, waits } of of) {
          worked += ms;
          if (waits === 'promise') await null;
          if (waits === 'turn') await turn();
        }
      };
      await Promise.all(requests.map((of, i) => meter.measure(all[i]!, () => serve(of))));
      expect(all.map(({ ms }) => ms)).toEqual(requests.map((of) => of.reduce((sum, { ms }) => sum + ms, 0)));
    });
    await fc.assert(property, { numRuns: runs(200) });
  });

  test('counts failed work, and excludes the work that follows it', async () => {
    const failed = new Work();
    await expect(
      meter.measure(failed, async () => {
        worked += 7;
        await turn();
        worked += 5;
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    worked += 100;
    await turn();
    worked += 100;
    expect([failed.ms, failed.longestTurnMs]).toEqual([12, 7]);
  });
});

describe('a budget', () => {
  const outcome = (take: () => void): number => {
    try {
      take();
      return 0;
    } catch (error) {
      return (error as AppError).extensions.retry_after_seconds as number;
    }
  };

  test('admits again after the wait that it states, and never lets anyone use more than two minutes’ worth in one', () => {
    const step = fc.record({ waitsMs: fc.nat(20_000), spends: fc.nat(900), who: fc.constantFrom('a', 'b') });
    const property = fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      let now = 0;
      const budget = createWorkBudget(1000, 'over', () => now);
      const used: { who: string; at: number; ms: number }[] = [];
      for (const { waitsMs, spends, who } of steps) {
        now += waitsMs;
        const seconds = outcome(() => budget.require(who));
        if (seconds > 0) {
          now += seconds * 1000;
          expect(outcome(() => budget.require(who))).toBe(0);
        }
        budget.spend(who, spends);
        used.push({ who, at: now, ms: spends });
        const minute = used.filter((one) => one.who === who && one.at > now - 60_000);
        // One request may end far over the remaining budget.
        expect(minute.reduce((sum, { ms }) => sum + ms, 0)).toBeLessThanOrEqual(2 * 1000 + 900);
      }
    });
    fc.assert(property, { numRuns: runs(300) });
  });
});

describe('turns', () => {
  test('all work is done once, a little at a time; one account’s single item does not wait for another’s burst', async () => {
    const bounds = { most: 4, mostOfOne: 2 };
    const property = fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 }), async (order) => {
      const turns = createFairTurns(bounds);
      const running = new Map<string, number>();
      const add = (who: string, by: number) => void running.set(who, (running.get(who) ?? 0) + by);
      let done = 0;
      const works = order.map((who) =>
        turns(who, async () => {
          add(who, 1);
          expect(running.get(who)).toBeLessThanOrEqual(bounds.mostOfOne);
          expect([...running.values()].reduce((sum, n) => sum + n, 0)).toBeLessThanOrEqual(bounds.most);
          await turn();
          add(who, -1);
          done += 1;
          if (done % 5 === 0) throw new Error('one fails');
        }).catch(() => undefined),
      );
      await Promise.all(works);
      expect(done).toBe(order.length);
    });
    await fc.assert(property, { numRuns: runs(100) });

    const turns = createFairTurns(bounds);
    const ended: string[] = [];
    const work = (who: string) =>
      turns(who, async () => {
        await turn();
        ended.push(who);
      });
    await Promise.all([...Array.from({ length: 30 }, () => work('burst')), work('one')]);
    expect(ended.indexOf('one')).toBeLessThanOrEqual(bounds.most);
  });

  test('waiting work starts once or never: it is refused, or its caller leaves; no more may wait than allowed', async () => {
    const waits = { most: 5, mostOfOne: 2, refusal: () => new Error('full') };
    const STEPS = fc.array(fc.record({ who: fc.constantFrom('a', 'b', 'c', 'd'), leaves: fc.option(fc.nat(60)) }), {
      maxLength: 40,
    });
    const property = fc.asyncProperty(STEPS, async (steps) => {
      const turns = createFairTurns({ most: 2, mostOfOne: 1 }, waits);
      const begun = new Set<number>();
      const waiting = new Map<number, string>();
      const callers = steps.map(() => new AbortController());
      const outcomes = steps.map(async ({ who }, i) => {
        waiting.set(i, who);
        const work = async () => {
          waiting.delete(i);
          begun.add(i);
          await turn();
        };
        const outcome = await turns(who, work, callers[i]!.signal).then(
          () => 'done',
          (error: Error) => error.message,
        );
        waiting.delete(i);
        return outcome;
      });
      for (let now = 0; now < 60; now++) {
        for (const [i, { leaves }] of steps.entries()) if (leaves === now) callers[i]!.abort(new Error('left'));
        if (now % 2 === 0) await turn();
        expect(waiting.size).toBeLessThanOrEqual(waits.most);
        for (const who of 'abcd')
          expect([...waiting.values()].filter((one) => one === who).length).toBeLessThanOrEqual(waits.mostOfOne);
      }
      const all = await Promise.all(outcomes);
      all.forEach((outcome, i) => {
        expect(begun.has(i)).toBe(outcome === 'done');
        if (outcome === 'left') expect(callers[i]!.signal.aborted).toBe(true);
      });
      // Work that left or was refused takes no place.
      expect(await turns('a', async () => 'next')).toBe('next');
    });
    await fc.assert(property, { numRuns: runs(200) });
  });
});
