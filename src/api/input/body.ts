// A JSON body read once, bounded, and validated by its declaration. A malformed one is a 422 like any other wrong input (D5).
import type { IncomingMessage } from 'node:http';
import type { TSchema } from '@sinclair/typebox';
import { AppError, invalid } from '../../errors';
import { ajv } from './ajv';
import { bodyProblems } from './sentence';

export const MAX_BODY_BYTES = 1_048_576;

/** A reader for one declared body. Throws `unsupported_media_type`, `payload_too_large` or `validation`. */
export function bodyReader(schema: TSchema): (request: IncomingMessage) => Promise<unknown> {
  const validate = ajv.compile(schema);
  return async (request) => {
    const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
    if (type !== 'application/json') {
      throw new AppError('unsupported_media_type', 'Send the body as application/json.');
    }
    const body = parse(await readAll(request));
    if (!validate(body)) throw invalid(bodyProblems(validate.errors ?? []));
    return body;
  };
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new AppError('payload_too_large', `A body may have ${MAX_BODY_BYTES} bytes.`);
    chunks.push(chunk);
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
