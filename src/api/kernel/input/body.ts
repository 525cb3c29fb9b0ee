// Reads and validates a JSON body: a large one in another thread. The limit applies to the decompressed body, so that a
// small compressed one cannot exceed it.
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { TSchema } from '@sinclair/typebox';
import { AppError, invalid } from '../../../errors';
import { ClientGone } from '../http/client-gone';
import type { Measured } from './json-bounds';
import { bytesJudge, MOST_VALUES_JUDGED_WHOLE, type ReadBody } from './judge-body';
import type { LargeBody } from './verdict';

/** For an operation that declares no `bodyBytes`. */
export const USUAL_BODY_BYTES = 65_536;

export const tooLarge = (maxBytes = USUAL_BODY_BYTES): string =>
  `The body is too large; the maximum is ${maxBytes} bytes.`;

/** A larger body is not parsed on the thread that serves requests. */
const LARGE_BYTES = 256_000;

/**
 * A reader for one declared body. Throws `unsupported_media_type`, `payload_too_large`, or `validation` if it cannot be
 * parsed.
 */
export function bodyReader(
  schema: TSchema,
  maxBytes = USUAL_BODY_BYTES,
): (request: IncomingMessage, judgeLarge: (body: LargeBody) => Promise<ReadBody>) => Promise<ReadBody> {
  const { measure, judge } = bytesJudge(schema);
  const text = JSON.stringify(schema);
  return async (request, judgeLarge) => {
    if (mediaType(request) !== 'application/json') {
      throw new AppError('unsupported_media_type', 'Send the body as application/json.');
    }
    const bytes = await readBytes(request, maxBytes);
    const measured = bytes.length > LARGE_BYTES ? null : measure(bytes);
    if (measured && !hasManyValues(measured)) return judge(bytes, measured);
    return judgeLarge({ schema: text, bytes });
  };
}

/** Whether a body comes with the request (RFC 9112, 6.3). */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Many values cost as much as many bytes. A body with too many is refused at once. */
const hasManyValues = ({ excess, values }: Measured): boolean => excess === null && values > MOST_VALUES_JUDGED_WHOLE;

/** Without its parameters. */
export const mediaType = ({ headers }: IncomingMessage): string =>
  (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();

// A map: a plain object would find `constructor`, which any caller can send as a Content-Encoding.
const DECOMPRESSORS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** The decompressor of this body; null: it is not compressed. */
function decompressorOf(request: IncomingMessage): Transform | null {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return null;
  const create = DECOMPRESSORS.get(encoding);
  if (create) return create();
  const accepted = [...DECOMPRESSORS.keys()].join(', ');
  throw new AppError(
    'unsupported_media_type',
    `The Content-Encoding of the body must be ${accepted} or absent.`,
    {},
    { 'Accept-Encoding': accepted },
  );
}

/** The decompressed bytes of a body. Throws `unsupported_media_type`, `payload_too_large` or `ClientGone`. */
export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (isCut(request)) throw new ClientGone('the client closed the connection');
  const chunks: Buffer[] = [];
  let size = 0;
  let decompressor: Transform | null = null;
  try {
    decompressor = decompressorOf(request);
    const stream = decompressor ? through(request, decompressor) : request;
    // Not destroyed when the body is too large: that would close the connection before the response is sent.
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new AppError('payload_too_large', tooLarge(maxBytes));
      chunks.push(chunk);
    }
  } catch (error) {
    // By who threw it: the request itself fails only with its connection, also after the whole message has arrived.
    if (isCut(request) || (decompressor === null && !(error instanceof AppError)))
      throw new ClientGone('the client closed the connection');
    if (error instanceof AppError) throw error;
    throw invalid([{ pointer: '', detail: 'The body does not match its Content-Encoding.' }]);
  } finally {
    if (decompressor !== null) {
      request.unpipe();
      decompressor.destroy();
    }
    // Reads and discards the rest: a client that is still sending would not read the response.
    request.resume();
  }
  return Buffer.concat(chunks);
}

/** The connection ended before the body was fully read; whether all of it had arrived does not matter. */
const isCut = ({ destroyed, readableEnded }: IncomingMessage): boolean => destroyed && !readableEnded;

function through(request: IncomingMessage, decompressor: Transform): Transform {
  request.once('close', () => isCut(request) && decompressor.destroy());
  return request.pipe(decompressor);
}
