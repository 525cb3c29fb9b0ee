// The header under which a repeated request is carried out once.
import type { Context } from 'koa';
import { invalid } from '../../../errors';

export const MOST_KEY_CHARACTERS = 255;

/** Null: none was sent. Throws `validation`. */
export function readIdempotencyKey(ctx: Context): string | null {
  if (!('idempotency-key' in ctx.headers)) return null;
  const key = ctx.get('Idempotency-Key');
  if (key.length <= MOST_KEY_CHARACTERS && /^[\x21-\x7e]+$/.test(key)) return key;
  const detail = `Idempotency-Key must be 1 to ${MOST_KEY_CHARACTERS} visible ASCII characters.`;
  throw invalid([{ parameter: 'Idempotency-Key', detail }]);
}
