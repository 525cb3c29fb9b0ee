// The public name of a key (D18): `tk_` and the UUID of the key in base32, lower case. It grants nothing and is
// unchanged when the key is replaced. Pure.

const PREFIX = 'tk_';
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
/** 128 bits: 26 characters, of which the last has 3. */
const FORM = /^tk_[a-z2-7]{25}[aeimquy4]$/;

/** `uuid`: as PostgreSQL writes it. */
export const publicKeyId = (uuid: string): string => PREFIX + base32(uuid.replaceAll('-', ''));

/** Of 128 bits in hexadecimal. */
export function base32(hex: string): string {
  let bits = BigInt(`0x${hex}`) << 2n;
  let text = '';
  for (let i = 0; i < 26; i++) {
    text = BASE32[Number(bits & 31n)] + text;
    bits >>= 5n;
  }
  return text;
}

/** The UUID; null for a text that names none. */
export function keyIdOf(text: string): string | null {
  if (!FORM.test(text)) return null;
  const bits = [...text.slice(PREFIX.length)].reduce((sum, each) => (sum << 5n) | BigInt(BASE32.indexOf(each)), 0n);
  const hex = (bits >> 2n).toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
