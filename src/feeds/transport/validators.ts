// The ETags for conditional requests, per URL; the least recently used is evicted first.
// An ETag claims that we have that reply, so it is cached only for a reply that was mapped, and only for a minute: if a
// reply is lost before it is stored, the next whole one makes up for it.
import { createBoundedMap } from '../../cache';

const TRUSTED_FOR_MS = 60_000;

export interface Validators {
  get(url: string, nowMs: number): string | null;
  keep(url: string, etag: string, nowMs: number): void;
  forget(url: string): void;
}

export function createValidators(bound: number): Validators {
  const etags = createBoundedMap<{ etag: string; atMs: number }>(bound);
  return {
    keep: (url, etag, nowMs) => void etags.set(url, { etag, atMs: nowMs }),
    forget: (url) => void etags.delete(url),
    get(url, nowMs) {
      const found = etags.get(url);
      if (!found) return null;
      if (nowMs - found.atMs <= TRUSTED_FOR_MS) return found.etag;
      etags.delete(url);
      return null;
    },
  };
}
