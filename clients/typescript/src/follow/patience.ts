// How long a follower goes on through failures: with growing waits, until nothing was answered for too long.
import { ApiError, isTransient } from '../errors.ts';
import { backoffMs } from '../http/attempts.ts';
import { atLeast, type Settings } from '../settings.ts';

export interface FollowSettings {
  /** Ends the loop: it throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Nothing was answered for so long: the last error is thrown. Default: 300. */
  readonly giveUpAfterSeconds?: number | undefined;
}

export class Patience {
  readonly #settings: Settings;
  readonly #signal: AbortSignal | undefined;
  readonly #giveUpMs: number;
  #failures = 0;
  #answeredAtMs: number;

  constructor(settings: Settings, { signal, giveUpAfterSeconds = 300 }: FollowSettings) {
    this.#settings = settings;
    this.#signal = signal;
    this.#giveUpMs = atLeast('giveUpAfterSeconds', 0, giveUpAfterSeconds) * 1000;
    this.#answeredAtMs = settings.now();
  }

  /** Also when the program has worked on what was answered. */
  answered(): void {
    this.#failures = 0;
    this.#answeredAtMs = this.#settings.now();
  }

  /** Waits before the next attempt, or throws the error if there should be none. */
  async failed(error: unknown, firstWaitMs: number): Promise<void> {
    if (this.#signal?.aborted || !isTransient(error)) throw error;
    this.#failures += 1;
    const { now, random, sleep } = this.#settings;
    const leastMs = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
    const waitMs = Math.max(leastMs, backoffMs(firstWaitMs, this.#failures, random));
    if (now() + waitMs - this.#answeredAtMs > this.#giveUpMs) throw error;
    await sleep(waitMs, this.#signal);
  }
}
