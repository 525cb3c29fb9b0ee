// Reads a JSON body, limits its size and validates it. A malformed body is a 422 like any other invalid input (D5). The limit applies to
// the decompressed body, so that a small compressed one cannot exceed it.
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { TSchema } from '@sinclair/typebox';
import { AppError, type InputProblem, invalid } from '../../errors';
import { ajv } from './ajv';
import { containsNul } from './nul';
import { bodyProblems } from './sentence';

export const MAX_BODY_BYTES = 1_048_576;

export interface ReadBody {
  readonly body: unknown;
  /** The schema's problems; without any, the body has the declared type. */
  readonly problems: readonly InputProblem[];
}

/** A reader for one declared body. Throws `unsupported_media_type`, `payload_too_large`, or `validation` if it cannot be parsed. */
export function bodyReader(schema: TSchema): (request: IncomingMessage) => Promise<ReadBody> {
  const validate = ajv.compile(schema);
  return async (request) => {
    const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
    if (type !== 'application/json') {
      throw new AppError('unsupported_media_type', 'Send the body as application/json.');
    }
    const body = parse(await readAll(request));
    const tooLong = overlong(schema, body);
    if (tooLong.length > 0) throw invalid(tooLong);
    if (containsNul(body)) throw invalid([{ pointer: '', detail: 'A string in the body contains a NUL character.' }]);
    return { body, problems: validate(body) ? [] : bodyProblems(validate.errors ?? []) };
  };
}

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

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  let decompressor: Transform | null = null;
  try {
    decompressor = decompressorOf(request);
    const stream = decompressor ? through(request, decompressor) : request;
    // Not destroyed when the body is too large: that would close the connection before the response is sent.
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES)
        throw new AppError('payload_too_large', `The body is too large; the maximum is ${MAX_BODY_BYTES} bytes.`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof AppError || decompressor === null) throw error;
    throw invalid([{ pointer: '', detail: 'The body does not match its Content-Encoding.' }]);
  } finally {
    if (decompressor !== null) {
      request.unpipe();
      decompressor.destroy();
    }
    // Reads and discards the rest: a client that is still sending would not read the response.
    request.resume();
  }
  return Buffer.concat(chunks).toString('utf8');
}

function through(request: IncomingMessage, decompressor: Transform): Transform {
  request.once('close', () => request.complete || decompressor.destroy());
  return request.pipe(decompressor);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid([{ pointer: '', detail: 'The body is not valid JSON.' }]);
  }
}

/**
 * Every list of `body` that is longer than its schema allows, by JSON pointer. Runs before the validator, which reports every fault: a list
 * of a million empty objects has millions. Looks inside a list only if its own length is valid.
 */
function overlong(schema: TSchema, body: unknown, pointer = ''): InputProblem[] {
  if (Array.isArray(body)) {
    const most: unknown = schema.maxItems;
    if (typeof most === 'number' && body.length > most) {
      return [{ pointer, detail: `${pointer || 'The body'} has ${body.length} items; the maximum is ${most}.` }];
    }
    return schema.items ? body.flatMap((item, i) => overlong(schema.items, item, `${pointer}/${i}`)) : [];
  }
  if (typeof body !== 'object' || body === null || !schema.properties) return [];
  return Object.entries<TSchema>(schema.properties).flatMap(([name, member]) =>
    overlong(member, (body as Record<string, unknown>)[name], `${pointer}/${name}`),
  );
}
