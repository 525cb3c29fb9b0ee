// The values that were read from the last replies of one book, by URL: a book that sends no ETag sends the same bytes
// again and again, and reading them costs more than all else in a poll. Equal bytes are only not read twice: the reply
// stays a whole one, and the store judges it as any other.
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** By the bytes of the text. The value of a race takes about as many. */
const MOST_BYTES = 4 * 1024 * 1024;

/** All that the value of a reply depends on. */
interface Readable {
  /** Its body as it came. */
  readonly raw: Buffer;
  readonly encoding: string | null;
  /** What its reader depends on besides (`GetOptions`). */
  readonly readOnce: string;
}

export interface LastReads {
  /** Equal for replies that are read alike. */
  keyOf(reply: Readable): string;
  /** What the last reply from the URL was read as, if it had this key. */
  get(url: string, key: string): unknown;
  keep(url: string, key: string, value: unknown, bytes: number): void;
}

export function createLastReads(mostBytes = MOST_BYTES): LastReads {
  const last = new LRUCache<string, { readonly key: string; readonly value: unknown }>({ maxSize: mostBytes });
  return {
    keyOf: ({ raw, encoding, readOnce }) => `${hash('sha256', raw, 'base64')} ${encoding} ${readOnce}`,
    get(url, key) {
      const found = last.get(url);
      return found?.key === key ? found.value : undefined;
    },
    keep: (url, key, value, bytes) => void last.set(url, { key, value }, { size: Math.max(1, bytes) }),
  };
}
