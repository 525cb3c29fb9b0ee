// Answers that all API processes share for a few seconds (A 8), so that a question is computed once wherever it is asked. The cache
// never invents: while Redis is away each process holds its own.

/** JSON that was computed at an instant of race time, by whichever process. */
export interface SharedAnswer<T> {
  readonly value: T;
  readonly computedAtMs: number;
  /** Computed for this very request, not for an earlier one. */
  readonly fresh: boolean;
}

export interface SharedAnswers {
  /**
   * The answer to `question`, at most `heldMs` old by race time (`nowMs`); on a miss one process computes it and the others wait for it.
   * `value` survives JSON unchanged. A computation that fails is forgotten and fails for all who waited in this process.
   */
  get<T>(question: string, heldMs: number, nowMs: number, compute: () => Promise<T>): Promise<SharedAnswer<T>>;
}
