// X-Request-Id of every response: the caller's when it is a UUID or 32 hex digits, otherwise a new one (D4).
import { randomFillSync } from 'node:crypto';

const ACCEPTED = /^(?:[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;
const BYTES = 16;

/** `sent`: the header as received. */
export function requestId(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && ACCEPTED.test(sent) ? sent : newId();
}

/** Random bytes for 256 ids are generated at once, which is cheaper than one by one. */
const random = Buffer.alloc(256 * BYTES);
let used = random.length;

function newId(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += BYTES;
  return random.toString('hex', used - BYTES, used);
}
