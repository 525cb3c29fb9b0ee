// Every open connection is looked at once in a round, whoever else comes and goes, also by a process that stands still,
// and never after it has left. One that rests is left alone until its rest ends or something changes, and no longer.
import fc from 'fast-check';
import { createRounds } from '../../../../src/api/kernel/stream/rounds';
import { runs } from '../../../support/property';

const EVERY_MS = 1000;
const UNCHANGED = (): number => 0;

type Step =
  | { readonly kind: 'join' }
  | { readonly kind: 'leave'; readonly of: number }
  | { readonly kind: 'run'; readonly ms: number };

const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('join' as const) }),
  fc.record({ kind: fc.constant('leave' as const), of: fc.nat(20) }),
  fc.record({ kind: fc.constant('run' as const), ms: fc.integer({ min: 1, max: 3000 }) }),
);

afterEach(() => {
  jest.useRealTimers();
});

test('each open connection is looked at once in a round, and none after it has left', () => {
  fc.assert(
    fc.property(fc.array(aStep, { minLength: 5, maxLength: 40 }), (steps) => {
      jest.useFakeTimers();
      const rounds = createRounds(EVERY_MS);
      const members: { leave(): void; isIn: boolean; looks: number }[] = [];
      const step = (one: Step): void => {
        if (one.kind === 'join') {
          const member = { leave: () => {}, isIn: true, looks: 0 };
          const look = (): number => {
            expect(member.isIn).toBe(true);
            member.looks++;
            return Number.NEGATIVE_INFINITY;
          };
          member.leave = rounds.join(look, UNCHANGED);
          members.push(member);
        } else if (one.kind === 'leave') {
          const member = members[one.of % Math.max(1, members.length)];
          if (member) member.isIn = false;
          member?.leave();
        } else jest.advanceTimersByTime(one.ms);
      };
      for (const one of steps) step(one);
      const open = members.filter(({ isIn }) => isIn);
      for (const member of open) member.looks = 0;
      jest.advanceTimersByTime(EVERY_MS);
      for (const { looks } of open) expect(looks).toBe(1);
      for (const { leave } of members) leave();
      expect(jest.getTimerCount()).toBe(0);
      jest.useRealTimers();
    }),
    { numRuns: runs(300) },
  );
});

test('after a stall all connections are looked at as soon as the process runs again', () => {
  jest.useFakeTimers();
  const rounds = createRounds(EVERY_MS);
  let looks = 0;
  const leaves = Array.from({ length: 30 }, () =>
    rounds.join(() => {
      looks++;
      return Number.NEGATIVE_INFINITY;
    }, UNCHANGED),
  );
  const monotonic = jest.spyOn(performance, 'now');
  monotonic.mockReturnValue(5000 + performance.now());
  jest.advanceTimersToNextTimer();
  expect(looks).toBe(30);
  monotonic.mockRestore();
  for (const leave of leaves) leave();
});

type Rest = { readonly kind: 'run'; readonly ms: number } | { readonly kind: 'change' };

test('a connection rests as long as it may, and is looked at within a round of its end or of a change', () => {
  const aRest = fc.oneof(
    fc.record({ kind: fc.constant('run' as const), ms: fc.integer({ min: 1, max: 3000 }) }),
    fc.record({ kind: fc.constant('change' as const) }),
  );
  const rests = fc.array(fc.integer({ min: 0, max: 7000 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(rests, fc.array(aRest, { minLength: 5, maxLength: 40 }), (restsMs, steps: readonly Rest[]) => {
      jest.useFakeTimers();
      const rounds = createRounds(EVERY_MS);
      let changes = 0;
      const members = restsMs.map((restMs) => ({ restMs, restsUntilMs: performance.now(), changedMs: 0, seen: 0 }));
      const late = (member: (typeof members)[number]): boolean => {
        const dueMs = member.seen === changes ? member.restsUntilMs : Math.min(member.restsUntilMs, member.changedMs);
        return performance.now() > dueMs + EVERY_MS;
      };
      const leaves = members.map((member) =>
        rounds.join(
          (nowMs) => {
            expect(nowMs >= member.restsUntilMs || changes > member.seen).toBe(true);
            member.restsUntilMs = nowMs + member.restMs;
            member.seen = changes;
            return member.restsUntilMs;
          },
          () => changes,
        ),
      );
      for (const step of steps) {
        if (step.kind === 'change') {
          for (const member of members) if (member.seen === changes) member.changedMs = performance.now();
          changes++;
        } else jest.advanceTimersByTime(step.ms);
        expect(members.filter(late)).toEqual([]);
      }
      for (const leave of leaves) leave();
      jest.useRealTimers();
    }),
    { numRuns: runs(300) },
  );
});
