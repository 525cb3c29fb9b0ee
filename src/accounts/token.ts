// Secrets that are given to a browser or mailed: 32 random bytes. Only their SHA-256 is stored, so a copy of the
// database opens nothing.
import { createHash } from 'node:crypto';

export interface Token {
  /** Never logged, never stored. */
  readonly token: string;
  readonly hash: Buffer;
}

/** At least so many random bytes, and never the same twice. */
export type Random = (bytes: number) => Buffer;

const TOKEN_BYTES = 32;
const TOKEN_FORM = /^[A-Za-z0-9_-]{43}$/;

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export function mintToken(random: Random): Token {
  const token = random(TOKEN_BYTES).toString('base64url');
  return { token, hash: hashToken(token) };
}

/** Null for a text that no token can be: it needs no look-up. */
export const hashOf = (token: string | undefined): Buffer | null =>
  token !== undefined && TOKEN_FORM.test(token) ? hashToken(token) : null;
