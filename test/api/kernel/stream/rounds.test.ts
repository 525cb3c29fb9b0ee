// Every open connection is looked at once in a round, whoever else comes and goes, also by a process that stands still,
// and never after it has left.
import fc from 'fast-check';
import { createRounds } from '../../../../src/api/kernel/stream/rounds';
import { runs } from '../../../support/property';

const EVERY_MS = 1000;

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
          const look = (): void => {
            expect(member.isIn).toBe(true);
            member.looks++;
          };
          member.leave = rounds.join(look);
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
  const leaves = Array.from({ length: 30 }, () => rounds.join(() => looks++));
  const monotonic = jest.spyOn(performance, 'now');
  monotonic.mockReturnValue(5000 + performance.now());
  jest.advanceTimersToNextTimer();
  expect(looks).toBe(30);
  monotonic.mockRestore();
  for (const leave of leaves) leave();
});
