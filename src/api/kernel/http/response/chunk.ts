// Bytes of a response together with the frame of an HTTP chunk (RFC 9112, 7.1): a response that is sent in chunks
// writes frame and bytes at once, instead of in three parts.

export interface Chunk {
  /** With the frame. */
  readonly framed: Buffer;
  /** The same without it. */
  readonly bytes: Buffer;
}

export const CHUNK_END = Buffer.from('\r\n');

const startOf = (length: number): string => `${length.toString(16)}\r\n`;

/** A chunk of at least one byte: an empty one would end the response. */
export function chunkOf(parts: readonly Buffer[]): Chunk {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return chunkIn(Buffer.concat([Buffer.from(startOf(length)), ...parts, CHUNK_END]), length);
}

/** The chunk whose frame is already around this many bytes. */
export const chunkIn = (framed: Buffer, length: number): Chunk => ({
  framed,
  bytes: framed.subarray(framed.length - CHUNK_END.length - length, framed.length - CHUNK_END.length),
});
