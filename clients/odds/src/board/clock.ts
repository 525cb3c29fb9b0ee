// The service's clock, as its answers show it: ages and countdowns go by it, and run on between answers. A wrong clock
// of this machine changes nothing.

export class ServiceClock {
  readonly #monotonicMs: () => number;
  #aheadMs: number | null = null;

  constructor(monotonicMs: () => number = () => performance.now()) {
    this.#monotonicMs = monotonicMs;
  }

  /** What is `ageSeconds` old at the service. An answer that was long on its way does not turn the clock back. */
  seenAge(instant: string, ageSeconds: number): void {
    const aheadMs = Date.parse(instant) + ageSeconds * 1000 - this.#monotonicMs();
    if (aheadMs > (this.#aheadMs ?? Number.NEGATIVE_INFINITY)) this.#aheadMs = aheadMs;
  }

  /** Epoch milliseconds. Before the first answer: of this machine. */
  nowMs(): number {
    return this.#aheadMs === null ? Date.now() : this.#aheadMs + this.#monotonicMs();
  }
}
