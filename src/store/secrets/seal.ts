// Secrets that must be read again, sealed: AES-256-GCM under a key outside of the database, bound to the row that they
// belong to. Pure: the keys and the nonce are arguments. A sealed value names its key, and is never mistaken for a
// plain one, even if a later release sealed it.
import { createCipheriv, createDecipheriv } from 'node:crypto';

export interface SecretKey {
  /** Letters, digits, `-` and `_`. */
  readonly id: string;
  /** 32 bytes. */
  readonly key: Buffer;
}

/** Each opens the values that it has sealed. */
export type KeyRing = readonly SecretKey[];

/** The place that a value is sealed for. Moved elsewhere, it does not open. */
export interface SealedPlace {
  readonly table: string;
  readonly column: string;
  readonly row: string;
}

export type Opened = { readonly plain: Buffer } | { readonly problem: string };

/** The prefix of every version. */
const SEALED = 'sealed:';
const VERSION = `${SEALED}1:`;
const CIPHER = 'aes-256-gcm';
/** NIST SP 800-38D, 8.2.2: 96 random bits, for at most 2^32 values under a key. */
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The prefix of every value under a key. */
export const sealedUnder = (keyId: string): string => `${VERSION}${keyId}:`;

export const isSealed = (stored: string): boolean => stored.startsWith(SEALED);

/**
 * `sealed:1:<key id>:<base64url of nonce, ciphertext and tag>`. `nonce`: 12 bytes, never used before under this key.
 */
export function seal(plain: Buffer, place: SealedPlace, { id, key }: SecretKey, nonce: Buffer): string {
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(boundTo(place));
  const sealed = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return sealedUnder(id) + sealed.toString('base64url');
}

/** An unsealed value is its own text. `problem`: a clause for a log, without anything of the value. */
export function open(stored: string, place: SealedPlace, ring: KeyRing): Opened {
  if (!isSealed(stored)) return { plain: Buffer.from(stored) };
  if (!stored.startsWith(VERSION)) return { problem: 'a later release sealed it' };
  const [, , id, text = ''] = stored.split(':');
  const named = ring.find((each) => each.id === id);
  if (!named) return { problem: `it is sealed under the key ${id}, which SECRET_KEYS does not have` };
  const sealed = Buffer.from(text, 'base64url');
  try {
    const decipher = createDecipheriv(CIPHER, named.key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(boundTo(place))
      .setAuthTag(sealed.subarray(-TAG_BYTES));
    return { plain: Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]) };
  } catch {
    return { problem: `it was changed, moved, or sealed under another key that was called ${id}` };
  }
}

const boundTo = ({ table, column, row }: SealedPlace): Buffer => Buffer.from(JSON.stringify([table, column, row]));
