// The work of a process while its build is promoted: whatever Temporal answers, and however slowly the work ends.

import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { type Promotion, whilePromoted } from '../../../src/workers/promotion';

const BUILDS = [null, 'one', 'two'];
/** Null: Temporal does not answer. */
const answers = fc.array(fc.option(fc.constantFrom(...BUILDS), { nil: undefined }), { maxLength: 12 });

/** Each change of the build is a separate promotion. */
const dated = (builds: readonly (string | null | undefined)[]): (Promotion | null)[] => {
  let last: string | null | undefined;
  let count = 0;
  return builds.map((build) => {
    if (build === undefined) return null;
    if (build !== last) count += 1;
    last = build;
    return { build, since: String(count) };
  });
};

test('it runs once per promotion that was read, never twice at once, and ends with its process', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...BUILDS), answers, fc.nat(5), async (build, builds, turns) => {
      const replies = dated(builds);
      const stop = new AbortController();
      const runs: { ended: boolean }[] = [];
      const seen: Promotion[] = [];
      let next = 0;
      const read = async (): Promise<Promotion> => {
        const reply = replies[next++];
        if (next > replies.length) stop.abort();
        if (!reply) throw new Error('Temporal does not answer');
        // The effect of the earlier readings.
        const now = seen.at(-1);
        if (now) expect(runs.at(-1)?.ended === false).toBe(now.build === build);
        else expect(runs).toHaveLength(build === null ? 1 : 0);
        seen.push(reply);
        return reply;
      };
      await whilePromoted({ build, read, everyMs: 0, stop: stop.signal }, async (until) => {
        expect(runs.every(({ ended }) => ended)).toBe(true);
        const run = { ended: false };
        runs.push(run);
        await new Promise((resolve) => until.addEventListener('abort', resolve, { once: true }));
        for (let i = 0; i < turns; i += 1) await turn();
        run.ended = true;
      });
      expect(runs.every(({ ended }) => ended)).toBe(true);
      const own = new Set(seen.filter((each) => each.build === build).map(({ since }) => since)).size;
      // Before the first answer a process without a build does the work, and an answer that agrees is not a change.
      const early = build === null && seen[0]?.build !== null ? 1 : 0;
      expect(runs).toHaveLength(own + early);
    }),
    { numRuns: 60 },
  );
});

test('failed work ends it with the reason; work that ends is not restarted', async () => {
  const stop = new AbortController();
  const own = { build: 'one', everyMs: 0, stop: stop.signal };
  const promoted = async () => ({ build: 'one', since: '1' });
  await expect(
    whilePromoted({ ...own, read: promoted }, () => Promise.reject(new Error('permission denied'))),
  ).rejects.toThrow('permission denied');
  let readings = 0;
  let runs = 0;
  const read = async () => {
    if (++readings === 20) stop.abort();
    return promoted();
  };
  await whilePromoted({ ...own, read }, async () => {
    runs += 1;
  });
  expect(runs).toBe(1);
});
