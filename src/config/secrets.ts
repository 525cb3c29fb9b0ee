// Keys that are outside of the database: those that seal the secrets in it, and those that sign manifests. No error
// shows a key.
import { ConfigError } from './environment';

export type SecretKeys = readonly { readonly id: string; readonly key: Buffer }[];

const KEY_BYTES = 32;
/** Those of base64 without line breaks, of 32 bytes. */
const FORM = /^([\w-]{1,32}):([A-Za-z0-9+/]{43}=)$/;

/**
 * `2026-11:<base64 of 32 bytes>,2025-11:…`, in their order. Throws `ConfigError` naming the place or the id of what is
 * wrong.
 */
export function secretKeysOf(list: string, setting = 'SECRET_KEYS'): SecretKeys {
  if (list === '') return [];
  const keys = list.split(',').map((text, i) => {
    const [, id = '', base64 = ''] = FORM.exec(text.trim()) ?? [];
    const key = Buffer.from(base64, 'base64');
    if (key.length === KEY_BYTES) return { id, key };
    throw new ConfigError(
      `${setting}: number ${i + 1} must be an id of letters, digits, - and _, a colon and the base64 of 32 bytes`,
    );
  });
  const repeated = keys.find(({ id }, i) => keys.findIndex((other) => other.id === id) !== i);
  if (repeated) throw new ConfigError(`${setting} has two keys with the id ${repeated.id}`);
  return keys;
}
