// Reads a JSON body, bounds it and validates it. A malformed body is a 422 like any other invalid input (D5). The limit applies to the
// decompressed body, so that a small compressed one cannot exceed it. Nothing walks a body before its depth and its values are counted.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Static, TSchema } from '@sinclair/typebox';
import { AppError, type InputProblem, invalid, MOST_PROBLEMS } from '../../errors';
import { ClientGone } from '../http/connection/client-gone';
import { ajv } from './ajv';
import { unstorableTexts } from './body-texts';
import { boundsOf, type JsonBounds, measure } from './json-bounds';
import { judgeInTurns } from './judge-in-turns';
import { bodyProblem } from './sentence';

/** Of an operation that declares no `bodyBytes`. */
export const USUAL_BODY_BYTES = 65_536;

export const tooLarge = (maxBytes = USUAL_BODY_BYTES): string =>
  `The body is too large; the maximum is ${maxBytes} bytes.`;

export interface ReadBody {
  readonly body: unknown;
  /** The first of the schema's problems; without any, the body has the declared type. */
  readonly problems: readonly InputProblem[];
  /** How many problems there are beside these; null: not counted. */
  readonly unlisted: number | null;
}

/** In a body of more values only the first problem is looked for: all problems of all items are work that a sender does not pay for. */
const MOST_VALUES_JUDGED_WHOLE = 5_000;

/** A reader for one declared body. Throws `unsupported_media_type`, `payload_too_large`, or `validation` if it cannot be parsed. */
export function bodyReader(
  schema: TSchema,
  maxBytes = USUAL_BODY_BYTES,
): (request: IncomingMessage) => Promise<ReadBody> {
  const judge = judgeOf(schema);
  const bounds = boundsOf(schema);
  return async (request) => {
    if (mediaType(request) !== 'application/json') {
      throw new AppError('unsupported_media_type', 'Send the body as application/json.');
    }
    const { body, values } = parse(await readBytes(request, maxBytes), bounds);
    return values > MOST_VALUES_JUDGED_WHOLE ? judge.first(body) : judge.whole(body);
  };
}

interface BodyJudge {
  /** Stops at the first problem, and lets others have turns. */
  first(body: unknown): Promise<ReadBody>;
  whole(body: unknown): ReadBody;
}

/** Both throw `validation` for what the rules of an operation need not see: a list that is too long, a text that cannot be stored. */
function judgeOf(schema: TSchema): BodyJudge {
  const firstProblem = judgeInTurns(schema);
  const validate = ajv.compile(schema);
  return {
    async first(body) {
      const problem = await firstProblem(body);
      if (problem) return { body, problems: [problem], unlisted: null };
      for (const problem of unstorableTexts(body)) throw invalid([problem], null);
      return { body, problems: [], unlisted: 0 };
    },
    whole(body) {
      const problems = [...unfit(schema, body)];
      if (problems.length > 0) throw invalid(problems);
      if (validate(body)) return { body, problems, unlisted: 0 };
      const errors = validate.errors ?? [];
      const listed = errors.slice(0, MOST_PROBLEMS).map(bodyProblem);
      return { body, problems: listed, unlisted: errors.length - listed.length };
    },
  };
}

/** What is looked for before the schema is: the validator would report every fault of every item of a list that is too long. */
function* unfit(schema: TSchema, body: unknown): Generator<InputProblem> {
  yield* overlong(schema, body);
  yield* unstorableTexts(body);
}

/** Without its parameters. */
export const mediaType = ({ headers }: IncomingMessage): string =>
  (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();

/** Judges what a page's form sends as the body of the operation that does the same. Throws `validation` with every problem. */
export function bodyJudge<S extends TSchema>(schema: S): (body: unknown) => Static<S> {
  const validate = ajv.compile(schema);
  return (body) => {
    const problems = [...unfit(schema, body)];
    if (problems.length === 0 && !validate(body)) problems.push(...(validate.errors ?? []).map(bodyProblem));
    if (problems.length > 0) throw invalid(problems);
    return body as Static<S>;
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

/** The connection ended before the body was read to its end; whether all of it had arrived does not matter. */
const isCut = ({ destroyed, readableEnded }: IncomingMessage): boolean => destroyed && !readableEnded;

function through(request: IncomingMessage, decompressor: Transform): Transform {
  request.once('close', () => isCut(request) && decompressor.destroy());
  return request.pipe(decompressor);
}

function parse(bytes: Buffer, bounds: JsonBounds): { body: unknown; values: number } {
  const { excess, values, tooLarge: isTooLarge } = measure(bytes, bounds);
  if (excess !== null && isTooLarge) throw new AppError('payload_too_large', excess);
  if (excess !== null) throw invalid([{ pointer: '', detail: excess }]);
  if (!isUtf8(bytes)) throw invalid([{ pointer: '', detail: 'The body is not valid UTF-8.' }]);
  try {
    return { body: JSON.parse(bytes.toString('utf8')), values };
  } catch {
    throw invalid([{ pointer: '', detail: 'The body is not valid JSON.' }]);
  }
}

/** Every list of `body` that is longer than its schema allows, by JSON pointer. Looks inside a list only if its own length is valid. */
function* overlong(schema: TSchema, body: unknown, pointer = ''): Generator<InputProblem> {
  if (Array.isArray(body)) {
    const most: unknown = schema.maxItems;
    if (typeof most === 'number' && body.length > most)
      yield { pointer, detail: `${pointer || 'The body'} has ${body.length} items; the maximum is ${most}.` };
    else if (schema.items)
      for (const [i, item] of body.entries()) yield* overlong(schema.items, item, `${pointer}/${i}`);
    return;
  }
  if (typeof body !== 'object' || body === null || !schema.properties) return;
  for (const [name, member] of Object.entries<TSchema>(schema.properties))
    yield* overlong(member, (body as Record<string, unknown>)[name], `${pointer}/${name}`);
}
