// While the database stands still pushes of sports wait, and what waits is bounded: one push is written at a time, one
// of each book waits, and of all no more selections than the limit. An accepted push is written; a refused one never.
import fc from 'fast-check';
import { createPushQueue, MOST_SELECTIONS_OPEN } from '../../../../src/api/operations/ingest/push-queue';
import { SPORT_BOOKS } from '../../../../src/domain/bookmakers';
import { runs } from '../../../support/property';

const LARGEST = 60_000;

const books = SPORT_BOOKS.slice(0, 12);
const pushed = fc.record({ book: fc.constantFrom(...books), selections: fc.constantFrom(0, 20_000, LARGEST) });
/** The database answers the push that is being written, or another push comes. */
const step = fc.oneof({ weight: 3, arbitrary: pushed }, { weight: 1, arbitrary: fc.constant('answers' as const) });

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('of pushes beside a stalled database few wait; what is accepted is written once, what is refused is not', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const inTurn = createPushQueue();
      const written: number[] = [];
      const accepted: number[] = [];
      const refused: number[] = [];
      const open = new Map<number, { readonly book: string; readonly selections: number }>();
      let answer: (() => void) | null = null;
      const push = async (at: number, of: { readonly book: string; readonly selections: number }): Promise<void> => {
        open.set(at, of);
        const write = (): Promise<void> => {
          expect(answer).toBeNull();
          return new Promise((resolve) => {
            answer = () => {
              written.push(at);
              answer = null;
              resolve();
            };
          });
        };
        await inTurn(of.book, of.selections, write).then(
          () => accepted.push(at),
          (error) => {
            expect(error).toMatchObject({ code: 'unavailable', extensions: { retry_after_seconds: 10 } });
            refused.push(at);
          },
        );
        open.delete(at);
      };
      const pushes: Promise<void>[] = [];
      for (const [at, one] of steps.entries()) {
        if (one === 'answers') (answer as (() => void) | null)?.();
        else pushes.push(push(at, one));
        await turn();
        const all = [...open.values()];
        expect(all.reduce((sum, { selections }) => sum + selections, 0)).toBeLessThanOrEqual(MOST_SELECTIONS_OPEN);
        for (const book of books) expect(all.filter((waiting) => waiting.book === book).length).toBeLessThanOrEqual(2);
      }
      for (const _ of steps) {
        (answer as (() => void) | null)?.();
        await turn();
      }
      await Promise.all(pushes);
      expect(accepted.toSorted()).toEqual(written.toSorted());
      expect(accepted.length + refused.length).toBe(pushes.length);
      expect(open.size).toBe(0);
    }),
    { numRuns: runs(50) },
  );
});

test('a failed push leaves room for the next one', async () => {
  const inTurn = createPushQueue();
  const lost = () => Promise.reject(new Error('lost'));
  for (let i = 0; i < 10; i++) await expect(inTurn(books[0]!, MOST_SELECTIONS_OPEN, lost)).rejects.toThrow('lost');
  expect(await inTurn(books[0]!, MOST_SELECTIONS_OPEN, async () => 'written')).toBe('written');
});
