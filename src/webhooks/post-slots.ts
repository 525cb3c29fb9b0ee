// Limits simultaneous posts; the others follow in the order in which they came.
export interface PostSlots {
  /** Resolves when it may start. */
  begin(): Promise<void>;
  end(): void;
  /** Started or waiting. */
  taken(): number;
  /** Since the last call. */
  ended(): number;
}

export function createPostSlots(most: number): PostSlots {
  const waiting: (() => void)[] = [];
  let begun = 0;
  let ended = 0;
  return {
    begin: () => {
      if (begun < most) {
        begun += 1;
        return Promise.resolve();
      }
      return new Promise((resolve) => waiting.push(resolve));
    },
    end: () => {
      ended += 1;
      const next = waiting.shift();
      if (next) next();
      else begun -= 1;
    },
    taken: () => begun + waiting.length,
    ended: () => {
      const count = ended;
      ended = 0;
      return count;
    },
  };
}
