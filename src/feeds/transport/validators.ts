// The ETags for conditional requests, per URL, least recently used out first.
// An ETag claims that we have that reply, so it is cached only for a reply that was mapped, and only for a minute: if a reply is lost before it is
// stored, the next whole one makes up for it.

const TRUSTED_FOR_MS = 60_000;

export interface Validators {
  get(url: string, nowMs: number): string | null;
  keep(url: string, etag: string, nowMs: number): void;
  forget(url: string): void;
}

export function createValidators(bound: number): Validators {
  const entries = new Map<string, { etag: string; atMs: number }>();
  const keep: Validators['keep'] = (url, etag, nowMs) => {
    entries.delete(url);
    entries.set(url, { etag, atMs: nowMs });
    if (entries.size > bound) entries.delete(entries.keys().next().value!);
  };
  return {
    keep,
    forget: (url) => void entries.delete(url),
    get(url, nowMs) {
      const found = entries.get(url);
      if (!found) return null;
      entries.delete(url);
      if (nowMs - found.atMs > TRUSTED_FOR_MS) return null;
      entries.set(url, found);
      return found.etag;
    },
  };
}
