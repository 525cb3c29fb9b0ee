// When the service was there for certain. What is read after the program has worked may have lain in a buffer
// meanwhile, behind a connection that the service has long left: it is no sign of now.

/** A shorter wait or piece of work proves nothing, and counts as none. */
const NOTICED_MS = 1000;

export class LastSign {
  /** Of the last answer or part. */
  #readMs: number;
  /** How old the next part may be that is there already. */
  #behindMs = 0;
  #atMs: number;

  constructor(nowMs: number) {
    this.#readMs = nowMs;
    this.#atMs = nowMs;
  }

  /** At the earliest: never later than the service sent what was read. */
  get atMs(): number {
    return this.#atMs;
  }

  /** An answer to a request that was just sent. */
  answered(nowMs: number): void {
    this.#readMs = nowMs;
    this.#behindMs = 0;
    this.#atMs = nowMs;
  }

  /** A part for which the program asked at `askedMs`. */
  read(askedMs: number, nowMs: number): void {
    const workedMs = askedMs - this.#readMs;
    // Nothing was there when it asked.
    if (nowMs - askedMs >= NOTICED_MS) this.#behindMs = 0;
    else if (workedMs >= NOTICED_MS) this.#behindMs += workedMs;
    this.#readMs = nowMs;
    this.#atMs = Math.max(this.#atMs, askedMs - this.#behindMs);
  }
}
