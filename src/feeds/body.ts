// Reads a reply's body within a bound, gzip and brotli included: the bound holds on the wire and again after decompression.
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

export type BodyRead =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'malformed'; readonly detail: string };

const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

/** Rejects only when the connection breaks or is aborted while reading. Stops reading at `maxBytes`. */
export async function readBody(
  chunks: AsyncIterable<Buffer>,
  encoding: string | null,
  maxBytes: number,
): Promise<BodyRead> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) return { kind: 'too_large' };
    parts.push(chunk);
  }
  return decode(parts.length === 1 ? parts[0]! : Buffer.concat(parts), encoding, maxBytes);
}

async function decode(raw: Buffer, encoding: string | null, maxBytes: number): Promise<BodyRead> {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity' || raw.length === 0) return { kind: 'text', text: raw.toString('utf8') };
  if (!Object.hasOwn(DECODERS, name)) return { kind: 'malformed', detail: `content-encoding ${name}` };
  try {
    const body = await DECODERS[name as keyof typeof DECODERS](raw, { maxOutputLength: maxBytes });
    return { kind: 'text', text: body.toString('utf8') };
  } catch (error) {
    const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return tooLarge ? { kind: 'too_large' } : { kind: 'malformed', detail: `${name} body is damaged` };
  }
}
