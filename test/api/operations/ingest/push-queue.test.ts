// While the database stands still pushes of sports wait, and what waits is bounded: one push is written at a time, the
// newest of each book by observation waits, and of all no more selections than the limit. The books take turns, and one
// book's pushes are written in their order. An accepted push is written; a refused one, or one whose client is gone,
// never. No push is refused for an older one, or for one whose client left before it came.
import fc from 'fast-check';
import { createPushQueue, MOST_SELECTIONS_OPEN } from '../../../../src/api/operations/ingest/push-queue';
import { SPORT_BOOKS } from '../../../../src/domain/bookmakers';
import { runs } from '../../../support/property';

const LARGEST = 60_000;

const books = SPORT_BOOKS.slice(0, 12);
interface Pushed {
  readonly book: string;
  readonly selections: number;
  /** Seconds of its observation; ties are frequent. */
  readonly second: number;
  /** Its client left before it came. */
  readonly hasLeft: boolean;
}
const pushed = fc.record({
  book: fc.oneof(fc.constantFrom(...books.slice(0, 2)), fc.constantFrom(...books)),
  selections: fc.constantFrom(0, 20_000, LARGEST),
  second: fc.nat(9),
  hasLeft: fc.integer({ min: 0, max: 7 }).map((one) => one === 0),
});
/** The database answers the push that is being written, a client gives up, or another push comes. */
const step = fc.oneof(
  { weight: 6, arbitrary: pushed },
  { weight: 2, arbitrary: fc.constant('answers' as const) },
  { weight: 1, arbitrary: fc.record({ leaves: fc.nat(60) }) },
);

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const observed = (second: number): string => `2026-11-21T02:59:0${second}.000Z`;
const stays = new AbortController().signal;

class Lab {
  readonly inTurn = createPushQueue();
  /** In this order. */
  readonly written: { readonly at: number; readonly book: string }[] = [];
  readonly ends = { accepted: [] as number[], overtaken: [] as number[], full: [] as number[], gone: [] as number[] };
  /** As in the store: of each book the newest that was written. */
  readonly stored = new Map<string, number>();
  readonly open = new Map<number, Pushed & { readonly client: AbortController; begun: boolean }>();
  /** The number of begun pushes at which a book began to wait. */
  private readonly waitsSince = new Map<string, number>();
  private readonly begunAt = new Map<string, number>();
  private begun = 0;
  private answer: (() => void) | null = null;

  answers(): void {
    this.answer?.();
  }

  waiting(book: string): number[] {
    return [...this.open].flatMap(([at, one]) =>
      one.book === book && !one.begun && !one.client.signal.aborted ? [at] : [],
    );
  }

  async push(at: number, one: Pushed): Promise<void> {
    const { book, selections, second } = one;
    const client = new AbortController();
    if (one.hasLeft) client.abort(new Error('gone'));
    if (this.waiting(book).length === 0) this.waitsSince.set(book, this.begun);
    this.open.set(at, { ...one, client, begun: false });
    const push = { bookmakerKey: book, observedAt: observed(second), selections, gone: client.signal };
    await this.inTurn(push, () => this.write(at, book)).then(
      () => this.ends.accepted.push(at),
      (error) => {
        if (client.signal.aborted) return this.ends.gone.push(at);
        // For one that waits and is at least as new, or for want of room.
        const isOvertaken = this.waiting(book).some((other) => other !== at && this.open.get(other)!.second >= second);
        expect(error).toMatchObject(
          isOvertaken
            ? { code: 'conflict', retryable: false, extensions: {} }
            : { code: 'unavailable', extensions: { retry_after_seconds: 10 } },
        );
        return this.ends[isOvertaken ? 'overtaken' : 'full'].push(at);
      },
    );
    this.open.delete(at);
  }

  private write(at: number, book: string): Promise<void> {
    expect(this.answer).toBeNull();
    // No other book has waited since this one's last turn.
    for (const other of books.filter((one) => one !== book && this.waiting(one).length > 0))
      expect(this.waitsSince.get(other)!).toBeGreaterThanOrEqual(this.begunAt.get(book) ?? 0);
    this.begunAt.set(book, ++this.begun);
    this.open.get(at)!.begun = true;
    return new Promise((resolve) => {
      this.answer = () => {
        this.written.push({ at, book });
        this.stored.set(book, Math.max(this.stored.get(book) ?? 0, this.open.get(at)!.second));
        this.answer = null;
        resolve();
      };
    });
  }
}

test('of pushes beside a stalled database few wait; what is accepted is written once, what is refused is not', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
      const lab = new Lab();
      const pushes: Promise<void>[] = [];
      for (const [at, one] of steps.entries()) {
        if (one === 'answers') lab.answers();
        else if ('leaves' in one) lab.open.get([...lab.open.keys()][one.leaves]!)?.client.abort(new Error('gone'));
        else pushes.push(lab.push(at, one));
        await turn();
        const all = [...lab.open.values()];
        expect(all.reduce((sum, { selections }) => sum + selections, 0)).toBeLessThanOrEqual(MOST_SELECTIONS_OPEN);
        for (const book of books) expect(lab.waiting(book).length).toBeLessThanOrEqual(1);
      }
      for (const _ of steps) {
        lab.answers();
        await turn();
      }
      await Promise.all(pushes);
      const { accepted, overtaken, full, gone } = lab.ends;
      const ofClientGone = lab.written.filter(({ at }) => !accepted.includes(at));
      expect(ofClientGone).toEqual([]);
      expect(accepted.toSorted()).toEqual(lab.written.map(({ at }) => at).toSorted());
      expect(accepted.length + overtaken.length + full.length + gone.length).toBe(pushes.length);
      for (const book of books) {
        const order = lab.written.filter((one) => one.book === book).map(({ at }) => at);
        expect(order).toEqual(order.toSorted((a, b) => a - b));
        // The newest stays, unless its client left while it waited.
        const secondsOf = (ends: number[]) =>
          ends.flatMap((at) => {
            const one = steps[at] as Pushed;
            return one.book === book && !one.hasLeft ? [one.second] : [];
          });
        expect(lab.stored.get(book) ?? -1).toBe(Math.max(-1, ...secondsOf(accepted)));
        const newest = Math.max(-1, ...secondsOf([...accepted, ...gone]));
        for (const second of secondsOf(overtaken)) expect(second).toBeLessThanOrEqual(newest);
      }
    }),
    { numRuns: runs(300) },
  );
});

test('a failed push leaves room for the next one', async () => {
  const inTurn = createPushQueue();
  const largest = { bookmakerKey: books[0]!, observedAt: observed(1), selections: MOST_SELECTIONS_OPEN, gone: stays };
  const lost = () => Promise.reject(new Error('lost'));
  for (let i = 0; i < 10; i++) await expect(inTurn(largest, lost)).rejects.toThrow('lost');
  expect(await inTurn(largest, async () => 'written')).toBe('written');
});

test('of two pushes the one observed later waits, whichever comes first, and one whose client left takes no place', async () => {
  const inTurn = createPushQueue();
  const written: number[] = [];
  let answer = (): void => {};
  const push = (second: number, gone = stays) =>
    inTurn({ bookmakerKey: books[0]!, observedAt: observed(second), selections: 1, gone }, async () => {
      written.push(second);
      if (second === 1) await new Promise<void>((resolve) => (answer = resolve));
    });
  const first = push(1);
  await turn();
  const older = push(2);
  const newer = push(5);
  await expect(older).rejects.toMatchObject({ code: 'conflict', retryable: false });
  for (const late of [3, 5]) await expect(push(late)).rejects.toMatchObject({ code: 'conflict', extensions: {} });
  await expect(push(9, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  answer();
  await Promise.all([first, newer]);
  expect(written).toEqual([1, 5]);
});
