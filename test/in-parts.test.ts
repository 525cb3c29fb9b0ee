// Long work in parts is the same work, in order, and whatever else the process has to do waits for one part of it.
import fc from 'fast-check';
import { inParts } from '../src/in-parts';
import { runs } from './support/property';

const MOST_MS = 2;

test('each step is taken once and in order, and no part goes on after two milliseconds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(3), { maxLength: 50 }), async (costsMs) => {
      let nowMs = 0;
      let partMs = 0;
      let isOver = false;
      const others = (): void => {
        partMs = 0;
        if (!isOver) setImmediate(others);
      };
      others();
      const steps = function* () {
        const taken: number[] = [];
        for (const [at, costMs] of costsMs.entries()) {
          expect(partMs).toBeLessThan(MOST_MS);
          nowMs += costMs;
          partMs += costMs;
          taken.push(at);
          yield;
        }
        return taken;
      };
      try {
        expect(await inParts(steps(), () => nowMs)).toEqual([...costsMs.keys()]);
      } finally {
        isOver = true;
      }
    }),
    { numRuns: runs(100) },
  );
});

test('a failure is that of the work', async () => {
  const steps = function* (): Generator<void, never> {
    yield;
    throw new Error('unreadable');
  };
  await expect(inParts(steps())).rejects.toThrow('unreadable');
});
