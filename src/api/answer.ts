// A reply put on the wire: JSON, a weak ETag over what is said and not how old it is, and the 304 that follows from it (D32).
import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { Reply } from './reply';

/**
 * Members that say how old something is, in JSON text: `last_update` is the same fact as `age_seconds`. Their values are numbers,
 * booleans or instants. A match inside a string value is impossible: its quotes are escaped.
 */
const AGES =
  /"(?:age_seconds|data_age_seconds|freshest_age_seconds|oldest_age_seconds|secs_to_jump|mins_to_jump|cached|cache_age_seconds|now|last_ok_age_s|last_poll_age_s|last_change_age_s|p50_s|p90_s|p99_s|last_update|as_of|server_time|last_check_age_min|window_span_days)":(?:"[^"]*"|[^,}]*)/g;

/** A tag over everything that a JSON text says except its ages. */
export function tagOf(json: string): string {
  return createHash('sha1').update(json.replace(AGES, '')).digest('base64url');
}

/** Writes the reply to a GET or POST. The status is 304 when the caller already holds what would be said; untagged, never. */
export function answer(ctx: Context, reply: Reply<unknown>, tagged = true): void {
  const json = 'bytes' in reply ? reply.bytes : JSON.stringify(reply.body);
  ctx.status = 200;
  ctx.type = 'application/json';
  if (reply.dataAgeSeconds != null) ctx.set('X-Data-Age-Seconds', String(reply.dataAgeSeconds));
  if (!tagged) ctx.set('Cache-Control', 'no-store');
  else if (ctx.method === 'GET' || ctx.method === 'HEAD') {
    ctx.set('Cache-Control', 'private, no-cache');
    const tag = `W/"${'bytes' in reply ? reply.tag : tagOf(json as string)}"`;
    ctx.set('ETag', tag);
    if (holds(ctx.get('If-None-Match'), tag)) {
      ctx.body = null;
      ctx.status = 304;
      return;
    }
  }
  ctx.body = json;
}

/**
 * Whether the caller's `If-None-Match` names the tag, compared weakly (RFC 9110 13.1.2). Koa's own `fresh` will not do: it obeys the
 * `Cache-Control: no-cache` that `fetch` adds to every conditional request.
 */
function holds(sent: string, tag: string): boolean {
  const opaque = tag.replace('W/', '');
  return sent.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === opaque);
}
