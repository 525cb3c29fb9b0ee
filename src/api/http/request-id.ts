// X-Request-Id of every response: the caller's when it is a UUID or 32 hex digits, otherwise minted (D4).
import { randomFillSync } from 'node:crypto';

const ACCEPTED = /^(?:[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;
const BYTES = 16;

/** `sent`: the header as it came. */
export function requestId(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && ACCEPTED.test(sent) ? sent : minted();
}

/** Random bytes for many ids are made at once. */
const random = Buffer.alloc(256 * BYTES);
let used = random.length;

function minted(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += BYTES;
  return random.toString('hex', used - BYTES, used);
}
