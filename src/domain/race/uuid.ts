// Ids derived from a name: the same name always gives the same id (RFC 9562, 5.5).
import { sha1Hex } from './sha1';

const bytesOfHex = (hex: string): number[] => hex.match(/../g)!.map((pair) => Number.parseInt(pair, 16));
const bytesOfAscii = (text: string): number[] => Array.from(text, (c) => c.charCodeAt(0));

/** The UUID, version 5, of an ASCII name in a namespace, itself a UUID. */
export function uuidOf(namespace: string, name: string): string {
  const hash = sha1Hex([...bytesOfHex(namespace.replaceAll('-', '')), ...bytesOfAscii(name)]);
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `5${hash.slice(13, 16)}`,
    `${variant}${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}
