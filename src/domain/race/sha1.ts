// SHA-1 (FIPS 180-4) for UUID version 5, written out because the domain may not import a package or a Node built-in.
// For identifiers only; never for secrets.

const rotateLeft = (x: number, bits: number): number => (x << bits) | (x >>> (32 - bits));

/** The message, 0x80, zeros, and the length in bits as 64 bits: whole 64-byte blocks. */
function padded(bytes: readonly number[]): number[] {
  const out = [...bytes, 0x80];
  while (out.length % 64 !== 56) out.push(0);
  const bits = bytes.length * 8;
  out.push(0, 0, 0, 0, (bits >>> 24) & 255, (bits >>> 16) & 255, (bits >>> 8) & 255, bits & 255);
  return out;
}

function schedule(block: readonly number[]): number[] {
  const w: number[] = [];
  for (let i = 0; i < 64; i += 4) {
    w.push((block[i]! << 24) | (block[i + 1]! << 16) | (block[i + 2]! << 8) | block[i + 3]!);
  }
  for (let t = 16; t < 80; t++) w.push(rotateLeft(w[t - 3]! ^ w[t - 8]! ^ w[t - 14]! ^ w[t - 16]!, 1));
  return w;
}

/** The round function and constant of round `t` (FIPS 180-4, 4.1.1 and 4.2.1). */
function round(t: number, b: number, c: number, d: number): number {
  if (t < 20) return ((b & c) | (~b & d)) + 0x5a827999;
  if (t < 40) return (b ^ c ^ d) + 0x6ed9eba1;
  if (t < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
  return (b ^ c ^ d) + 0xca62c1d6;
}

type Words = [number, number, number, number, number];

function digestBlock(h: Words, block: readonly number[]): Words {
  const w = schedule(block);
  let [a, b, c, d, e] = h;
  for (let t = 0; t < 80; t++) {
    const next = (rotateLeft(a, 5) + round(t, b, c, d) + e + w[t]!) | 0;
    [a, b, c, d, e] = [next, a, rotateLeft(b, 30), c, d];
  }
  return [(h[0] + a) | 0, (h[1] + b) | 0, (h[2] + c) | 0, (h[3] + d) | 0, (h[4] + e) | 0];
}

/** SHA-1 of up to 2^29 bytes (each 0 to 255), as 40 lowercase hex digits. */
export function sha1Hex(bytes: readonly number[]): string {
  const message = padded(bytes);
  let h: Words = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476, 0xc3d2e1f0 | 0];
  for (let i = 0; i < message.length; i += 64) h = digestBlock(h, message.slice(i, i + 64));
  return h.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}
