// The sports data that the simulator sent, kept in a file of limited size: the newest rows, complete and in order.
import fc from 'fast-check';
import type { Context } from 'koa';
import { createSentLog } from '../../../src/simulator/http/sent';
import { runs } from '../../support/property';

const BOUND = 4000;

async function readAll(log: ReturnType<typeof createSentLog>): Promise<{ n: number; body: string }[]> {
  const all: { n: number; body: string }[] = [];
  for (;;) {
    const ctx = { path: '/world/sent', query: { after: String(all.at(-1)?.n ?? 0) } } as unknown as Context;
    await log.view(ctx as Parameters<typeof log.view>[0], () => Promise.resolve());
    const { sent } = JSON.parse(ctx.body as string);
    if (sent.length === 0) return all;
    all.push(...sent);
  }
}

test('the newest rows are kept, each as it was sent, and never more than fit', async () => {
  const bodies = fc.array(fc.string({ unit: 'grapheme', maxLength: 400 }), { maxLength: 120 });
  await fc.assert(
    fc.asyncProperty(bodies, async (sent) => {
      const log = createSentLog(() => 0, BOUND);
      try {
        for (const body of sent)
          await log.keep({ by: 'push', of: 'tab', fromMs: 0, toMs: 1, status: 200, body, response: null });
        const kept = await readAll(log);
        const newest = sent.map((body, i) => ({ n: i + 1, body })).slice(sent.length - kept.length);
        expect(kept.map(({ n, body }) => ({ n, body }))).toEqual(newest);
        // A row takes at most its text plus 100 bytes: three of them always fit.
        expect(kept.length).toBeGreaterThanOrEqual(Math.min(sent.length, 3));
      } finally {
        await log.close();
      }
    }),
    { numRuns: runs(30) },
  );
});
