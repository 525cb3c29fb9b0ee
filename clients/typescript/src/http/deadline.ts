// How long an answer is awaited.
import { TimeoutError } from '../errors.ts';
import { LONGEST_MS } from '../settings.ts';

/** A signal that ends with another one, or when nothing was renewed for so long. */
export class Deadline {
  readonly #own = new AbortController();
  readonly #outer: AbortSignal | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(outer: AbortSignal | undefined) {
    this.#outer = outer;
    if (outer?.aborted) this.#leave();
    outer?.addEventListener('abort', this.#leave);
  }

  get signal(): AbortSignal {
    return this.#own.signal;
  }

  /** From now on; instead of an earlier limit. */
  within(ms: number): void {
    clearTimeout(this.#timer);
    const late = (): void => this.#own.abort(new TimeoutError(`Nothing came within ${ms} ms.`));
    this.#timer = setTimeout(late, Math.min(ms, LONGEST_MS));
  }

  /** Nothing is awaited now. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  /** Ends what still uses the signal, and forgets the outer one. */
  close(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener('abort', this.#leave);
    this.#own.abort();
  }

  readonly #leave = (): void => this.#own.abort(this.#outer?.reason);
}
