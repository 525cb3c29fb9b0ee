// A finished file that is read in parts.

/** `end` is exclusive. */
export interface FilePart {
  readonly bytes: number;
  read(start: number, end: number): AsyncIterable<Uint8Array>;
}

export async function collected(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}
