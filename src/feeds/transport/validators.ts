// The ETags we may send back, per URL: least recently used out first. A validator says "we hold that reply", so it is kept only for a
// reply that was mapped, and only for a minute: should a reply be lost between here and the store, the next whole one heals it.

const TRUSTED_FOR_MS = 60_000;

export interface Validators {
  get(url: string, nowMs: number): string | null;
  keep(url: string, etag: string, nowMs: number): void;
  forget(url: string): void;
}

export function createValidators(bound: number): Validators {
  const held = new Map<string, { etag: string; atMs: number }>();
  const keep: Validators['keep'] = (url, etag, nowMs) => {
    held.delete(url);
    held.set(url, { etag, atMs: nowMs });
    if (held.size > bound) held.delete(held.keys().next().value!);
  };
  return {
    keep,
    forget: (url) => void held.delete(url),
    get(url, nowMs) {
      const found = held.get(url);
      if (!found) return null;
      held.delete(url);
      if (nowMs - found.atMs > TRUSTED_FOR_MS) return null;
      held.set(url, found);
      return found.etag;
    },
  };
}
