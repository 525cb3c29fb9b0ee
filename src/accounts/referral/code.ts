// Referral codes and the addresses that share one. Pure; the random bytes are an argument.
import { mailboxWithoutTag } from '../email/mailbox';

const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const LENGTH = 10;

/**
 * Letters that cannot be mistaken for each other; bytes beyond a multiple of their number are skipped, so that none is
 * likelier.
 */
export function referralCode(random: (bytes: number) => Uint8Array): string {
  let code = '';
  while (code.length < LENGTH) {
    for (const byte of random(LENGTH))
      if (byte < 256 - (256 % LETTERS.length) && code.length < LENGTH) code += LETTERS[byte % LETTERS.length];
  }
  return code;
}

/** `anna+b@example.com` is read by who reads `anna@example.com`, whatever its provider: a doubt earns nothing. */
export const isSameMailbox = (a: string, b: string): boolean => mailboxWithoutTag(a) === mailboxWithoutTag(b);
