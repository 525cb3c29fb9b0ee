// Long work in parts is the same work, in order, and whatever else the process has to do waits for one part of it.
import fc from 'fast-check';
import { mappedInParts } from '../../../../src/api/kernel/work/in-parts';
import { runs } from '../../../support/property';

const MOST_MS = 2;

test('each item is mapped once and in order, and no part goes on after two milliseconds', async () => {
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
      const mapped = await mappedInParts(
        costsMs.entries(),
        ([at, costMs]) => {
          expect(partMs).toBeLessThan(MOST_MS);
          nowMs += costMs;
          partMs += costMs;
          return at;
        },
        () => nowMs,
      );
      isOver = true;
      expect(mapped).toEqual([...costsMs.keys()]);
    }),
    { numRuns: runs(100) },
  );
});

test('a failure is that of the work', async () => {
  const work = mappedInParts([1, 2], () => {
    throw new Error('unreadable');
  });
  await expect(work).rejects.toThrow('unreadable');
});
