// The numbers of a benchmark: the same random sequence in every run, and medians, which one bad round does not move.

/** Numbers in [0, 1), the same for the same seed (Lehmer, minimal standard). */
export function seeded(seed: number): () => number {
  let state = seed % 2147483647;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
