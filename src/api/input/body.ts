// A JSON body read once, bounded, and validated by its declaration. A malformed one is a 422 like any other wrong input (D5). What
// is bounded is the body as it is after unpacking: a small body that unpacks to a large one is as large.
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { TSchema } from '@sinclair/typebox';
import { AppError, type InputProblem, invalid } from '../../errors';
import { ajv } from './ajv';
import { containsNul } from './nul';
import { bodyProblems } from './sentence';

export const MAX_BODY_BYTES = 1_048_576;

export interface ReadBody {
  readonly body: unknown;
  /** What its schema finds wrong; with none of these it has the declared shape. */
  readonly problems: readonly InputProblem[];
}

/** A reader for one declared body. Throws `unsupported_media_type`, `payload_too_large`, or `validation` of what cannot be looked at. */
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

const UNPACKERS = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress } as const;

function unpacked(request: IncomingMessage): Readable {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return request;
  const create = UNPACKERS[encoding as keyof typeof UNPACKERS];
  if (!create) {
    const known = Object.keys(UNPACKERS).join(', ');
    throw new AppError('unsupported_media_type', `The Content-Encoding of the body must be ${known} or absent.`);
  }
  const unpacker = create();
  request.once('close', () => request.complete || unpacker.destroy());
  return request.pipe(unpacker);
}

async function readAll(request: IncomingMessage): Promise<string> {
  const stream = unpacked(request);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Left alone when it is too large: to destroy it would cut the connection before the refusal is said.
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES)
        throw new AppError('payload_too_large', `The body is too large; the maximum is ${MAX_BODY_BYTES} bytes.`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof AppError || stream === request) throw error;
    throw invalid([{ pointer: '', detail: 'The body does not match its Content-Encoding.' }]);
  } finally {
    if (stream !== request) {
      request.unpipe();
      stream.destroy();
    }
    // The rest is read and thrown away, or the sender would wait to be read instead of reading the refusal.
    request.resume();
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid([{ pointer: '', detail: 'The body is not valid JSON.' }]);
  }
}

/**
 * Every list of `body` that is longer than its schema allows, by JSON pointer, found before the validator runs: it reports every fault, and a
 * list of a million empty objects has millions. Looks into a list only when its own length is right.
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
