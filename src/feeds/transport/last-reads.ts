// The values that were read from the last replies of one book, by URL: a book that sends no ETag sends the same bytes
// again and again, and reading them costs more than all else in a poll. Equal bytes are only not read twice: the reply
// stays a whole one, and the store judges it as any other.
import { LRUCache } from 'lru-cache';

/** By the bytes of the bodies and their texts. The value of a race takes about as many as its text. */
const MOST_BYTES = 6 * 1024 * 1024;

/** All that the value of a reply depends on. */
interface Readable {
  /** Its body as it came. */
  readonly raw: Buffer;
  readonly encoding: string | null;
  /** What its reader depends on besides (`GetOptions`). */
  readonly readOnce: string;
}

export interface LastReads {
  /** What the last reply from the URL was read as, if it is read alike. */
  get(url: string, reply: Readable): unknown;
  keep(url: string, reply: Readable, value: unknown, textBytes: number): void;
}

export function createLastReads(mostBytes = MOST_BYTES): LastReads {
  const last = new LRUCache<string, Readable & { readonly value: unknown }>({ maxSize: mostBytes });
  return {
    get(url, { raw, encoding, readOnce }) {
      const found = last.get(url);
      const isSame = found?.readOnce === readOnce && found.encoding === encoding && found.raw.equals(raw);
      return isSame ? found.value : undefined;
    },
    keep: (url, { raw, encoding, readOnce }, value, textBytes) =>
      void last.set(url, { raw, encoding, readOnce, value }, { size: Math.max(1, raw.length + textBytes) }),
  };
}
