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

/** Runs `work` after the work before it and the pause have ended, the first one immediately. Rejects as its work does. */
export function createTurns({
  spacingMs = SPACING_MS,
  wait = delay,
}: Pick<PacedOptions, 'spacingMs' | 'wait'>): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> | null = null;
  return (work) => {
    const turn = last === null ? work() : last.then(() => wait(spacingMs)).then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
