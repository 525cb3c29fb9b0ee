// X-Request-Id of every response: the caller's when it is a UUID or 32 hex digits, otherwise minted (D4).
import { randomUUID } from 'node:crypto';

const ACCEPTED = /^(?:[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;

/** `sent`: the header as it came. */
export function requestId(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && ACCEPTED.test(sent) ? sent : randomUUID().replaceAll('-', '');
}
