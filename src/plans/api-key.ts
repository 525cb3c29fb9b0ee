// The form of a key (D18): `pe_live_`, 32 base62 characters, and 6 base62 characters of CRC-32 over what precedes, so
// that a mistyped key is refused without a look-up. Pure: the random characters are an argument.

const PREFIX = 'pe_live_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_FORM = /^pe_live_[0-9A-Za-z]{38}$/;
const CHECK_LENGTH = 6;

/** How many random bytes `formatKey` takes. */
export const KEY_RANDOM_BYTES = 48;

/**
 * A key from random bytes, at least `KEY_RANDOM_BYTES` of them. Bytes of 248 and up are skipped, so that no character
 * is likelier than another.
 */
export function formatKey(random: Uint8Array): string {
  let secret = '';
  for (const byte of random) if (byte < 248 && secret.length < 32) secret += BASE62[byte % 62];
  if (secret.length < 32) throw new RangeError(`too few random bytes for a key: ${random.length}`);
  return PREFIX + secret + checkOf(PREFIX + secret);
}

/** Whether `key` has the form of a key and its checksum is right. It need not have been issued. */
export function isWellFormedKey(key: string): boolean {
  return KEY_FORM.test(key) && checkOf(key.slice(0, -CHECK_LENGTH)) === key.slice(-CHECK_LENGTH);
}

function checkOf(text: string): string {
  let rest = crc32(text);
  let check = '';
  for (let i = 0; i < CHECK_LENGTH; i++) {
    check = BASE62[rest % 62] + check;
    rest = Math.floor(rest / 62);
  }
  return check;
}

/** CRC-32 (ISO-HDLC, reflected 0xEDB88320) of ASCII text, as an unsigned integer. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** A text that may be stored: of a key in it only the prefix stays. */
export const withoutKeys = (text: string): string => text.replaceAll(/pe_live_[0-9A-Za-z]+/g, `${PREFIX}…`);
