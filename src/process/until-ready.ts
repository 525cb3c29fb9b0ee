// Repeats a step of a start until it succeeds, because servers come up in any order. Logs it periodically, and gives up
// after a limited time, so that whatever runs the process learns of it.
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log';

/** What an operator must fix; the message is one sentence. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem';
}

export interface Patience {
  readonly log: Pick<Log, 'warn' | 'info'>;
  /** Ends the waiting with its reason. */
  readonly stop: AbortSignal;
  /** Wall. */
  readonly withinMs: number;
  /** In [0, 1): jitter only. */
  readonly random?: () => number;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
const LOG_EVERY_MS = 30_000;
/** Every part of Temporal sees a new namespace only after its next refresh, every ten seconds. */
const PROBLEM_STANDS_AFTER_MS = 20_000;

/** `what` begins the sentence: `PostgreSQL at db:5432`. Rejects with a `StartProblem`, or with the reason of `stop`. */
export async function untilReady<T>(what: string, step: () => Promise<T>, patience: Patience): Promise<T> {
  const { log, stop, withinMs, random = Math.random } = patience;
  const beganMs = performance.now();
  let loggedMs = Number.NEGATIVE_INFINITY;
  let problem: StartProblem | null = null;
  let reason: unknown = null;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      const ready = await orStopped(within(step(), withinMs - (performance.now() - beganMs)), stop);
      if (loggedMs > 0) log.info(`no longer waiting for ${what}`);
      return ready;
    } catch (error) {
      stop.throwIfAborted();
      const waitedMs = performance.now() - beganMs;
      if (error instanceof StartProblem) problem = error;
      // The last step is cut short: the error of an earlier one is more informative.
      if (reason === null || !(error instanceof NoAnswer)) reason = error;
      const mostMs = problem ? Math.min(withinMs, PROBLEM_STANDS_AFTER_MS) : withinMs;
      if (waitedMs >= mostMs) throw problem ?? givenUp(what, reason, waitedMs);
      if (performance.now() - loggedMs >= LOG_EVERY_MS) {
        loggedMs = performance.now();
        log.warn(`waiting for ${what}: ${reasonOf(error)}; trying again for ${seconds(mostMs - waitedMs)}`);
      }
      await orStopped(delay(pauseMs * (0.5 + random() / 2), undefined, { signal: stop }), stop);
    }
  }
}

class NoAnswer extends Error {}

/** A hanging step ends with the patience; it may continue unobserved. */
async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  const done = new AbortController();
  const tooLate = delay(Math.max(0, ms), undefined, { signal: done.signal, ref: false }).then(() => {
    throw new NoAnswer('no answer');
  });
  tooLate.catch(() => undefined);
  return Promise.race([work, tooLate]).finally(() => done.abort()) as Promise<T>;
}

const givenUp = (what: string, error: unknown, waitedMs: number): StartProblem =>
  new StartProblem(`${what} did not become ready within ${seconds(waitedMs)}: ${reasonOf(error)}`);

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

/** Rejects as soon as `stop` is aborted, with its reason; the outcome of `work` is then ignored. */
export async function orStopped<T>(work: Promise<T>, stop: AbortSignal): Promise<T> {
  stop.throwIfAborted();
  work.catch(() => undefined);
  let stopped = (): void => undefined;
  const stopping = new Promise<never>((_, reject) => {
    stopped = () => reject(stop.reason);
    stop.addEventListener('abort', stopped, { once: true });
  });
  try {
    return await Promise.race([work, stopping]);
  } finally {
    stop.removeEventListener('abort', stopped);
  }
}

/** One line: the operating system's own message if it is buried in the text of a native error. */
export function reasonOf(error: unknown): string {
  const {
    message = String(error),
    details,
    code,
  } = (error ?? {}) as {
    message?: string;
    details?: unknown;
    code?: unknown;
  };
  const native = /message: "([^"]+)"/.exec(message)?.[1];
  const text = native ?? (typeof details === 'string' && details !== '' ? details : message);
  return (text || String(code ?? 'no reason given')).replace(/\s+/g, ' ').slice(0, 200);
}
