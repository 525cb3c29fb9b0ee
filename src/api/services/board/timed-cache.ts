// Answers held for a moment and computed once however many ask at the same time (single flight). In this process only.
interface Held<T> {
  readonly value: T;
  readonly computedAtMs: number;
  /** Computed for this very request, not for an earlier one. */
  readonly fresh: boolean;
}

export interface TimedCache<T> {
  get(key: string, nowMs: number, compute: () => Promise<T>): Promise<Held<T>>;
}

interface Entry<T> {
  readonly computedAtMs: number;
  readonly value: Promise<T>;
}

/** Keeps `most` entries, the newest. A computation that fails is forgotten and fails for all who waited for it. */
export function timedCache<T>(ttlMs: number, most = 500): TimedCache<T> {
  const entries = new Map<string, Entry<T>>();

  const start = (key: string, nowMs: number, compute: () => Promise<T>): Entry<T> => {
    const entry = { computedAtMs: nowMs, value: compute() };
    entries.delete(key);
    entries.set(key, entry);
    if (entries.size > most) entries.delete(entries.keys().next().value!);
    entry.value.catch(() => entries.get(key) === entry && entries.delete(key));
    return entry;
  };

  return {
    async get(key, nowMs, compute) {
      const held = entries.get(key);
      const good = held && nowMs - held.computedAtMs < ttlMs && nowMs >= held.computedAtMs;
      const entry = good ? held : start(key, nowMs, compute);
      return { value: await entry.value, computedAtMs: entry.computedAtMs, fresh: !good };
    },
  };
}
