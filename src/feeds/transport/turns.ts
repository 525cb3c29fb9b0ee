// Serialises all calls to one registry, with a pause between them: registries want few and slow readers.
import { setTimeout as delay } from 'node:timers/promises';
import type { FeedEndpoint } from '../feed';

export interface PacedOptions {
  readonly endpoint: FeedEndpoint;
  /** Epoch milliseconds in race time. */
  readonly now: () => number;
  /** Wall time between the end of a call and the start of the next. */
  readonly spacingMs?: number;
  readonly wait?: (ms: number) => Promise<unknown>;
}

const SPACING_MS = 1000;

/** `later`: only when no other work waits. */
export type Turns = <T>(work: () => Promise<T>, order?: 'later') => Promise<T>;

/** Runs `work` after the work before it and the pause have ended, the first one immediately. Rejects as its work does. */
export function createTurns({ spacingMs = SPACING_MS, wait = delay }: Pick<PacedOptions, 'spacingMs' | 'wait'>): Turns {
  const [usual, later]: (() => Promise<void>)[][] = [[], []];
  const next = (): Promise<void> => (usual!.shift() ?? later!.shift())!();
  let last: Promise<void> | null = null;
  return (work, order) =>
    new Promise((resolve, reject) => {
      (order === 'later' ? later! : usual!).push(async () => {
        try {
          resolve(await work());
        } catch (error) {
          reject(error);
        }
      });
      // As many turns as works: each turn takes the work that is then the first.
      last = last === null ? next() : last.then(() => wait(spacingMs)).then(next, next);
    });
}
