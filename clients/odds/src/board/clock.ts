// The service's clock, as its answers show it: ages and countdowns go by it, and run on between answers. A wrong clock
// of this machine changes nothing.

export class ServiceClock {
  readonly #monotonicMs: () => number;
  #aheadMs: number | null = null;

  constructor(monotonicMs: () => number = () => performance.now()) {
    this.#monotonicMs = monotonicMs;
  }

  /** An instant that has come at the service: an answer that was long on its way does not turn the clock back. */
  seen(instant: string): void {
    const aheadMs = Date.parse(instant) - this.#monotonicMs();
    if (aheadMs > (this.#aheadMs ?? Number.NEGATIVE_INFINITY)) this.#aheadMs = aheadMs;
  }

  /** Epoch milliseconds. Before the first answer: of this machine. */
  nowMs(): number {
    return this.#aheadMs === null ? Date.now() : this.#aheadMs + this.#monotonicMs();
  }
}
