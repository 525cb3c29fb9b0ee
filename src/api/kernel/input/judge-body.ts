// Validates the bytes of a JSON body: counts, parses and checks it. The verdict is the same on every thread. A
// malformed body is a 422 like any other invalid input (D5). Nothing walks a body before its depth and its values are
// counted.
import { isUtf8 } from 'node:buffer';
import type { Static, TSchema } from '@sinclair/typebox';
import { AppError, type InputProblem, invalid, MOST_PROBLEMS } from '../../../errors';
import { ajv, firstError } from './ajv';
import { unstorableTexts } from './body-texts';
import { boundsOf, type Measured, measure } from './json-bounds';
import { bodyProblem } from './sentence';

export interface ReadBody {
  readonly body: unknown;
  /** The first of the schema's problems; without any, the body has the declared type. */
  readonly problems: readonly InputProblem[];
  /** How many further problems there are; null: not counted. */
  readonly unlisted: number | null;
}

/**
 * In a body of more values only the first problem is looked for: finding all problems of all items is work that the
 * sender does not pay for.
 */
export const MOST_VALUES_JUDGED_WHOLE = 5_000;

export interface BytesJudge {
  /** Only counts. */
  measure(bytes: Uint8Array): Measured;
  /**
   * Throws `payload_too_large`, or `validation` if the body cannot be parsed, or has errors that the rules of an
   * operation need not see.
   */
  judge(bytes: Uint8Array, measured: Measured): ReadBody;
}

/** For one declared body. */
export function bytesJudge(schema: TSchema): BytesJudge {
  const bounds = boundsOf(schema);
  return {
    measure: (bytes) => measure(bytes, bounds),
    judge(bytes, measured) {
      const body = parse(bytes, measured);
      return measured.values > MOST_VALUES_JUDGED_WHOLE ? judgeFirst(schema, body) : judgeWhole(schema, body);
    },
  };
}

function parse(bytes: Uint8Array, { excess, tooLarge }: Measured): unknown {
  if (excess !== null && tooLarge) throw new AppError('payload_too_large', excess);
  if (excess !== null) throw invalid([{ pointer: '', detail: excess }]);
  if (!isUtf8(bytes)) throw invalid([{ pointer: '', detail: 'The body is not valid UTF-8.' }]);
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch {
    throw invalid([{ pointer: '', detail: 'The body is not valid JSON.' }]);
  }
}

function judgeFirst(schema: TSchema, body: unknown): ReadBody {
  const isValid = firstError.compile(schema);
  if (!isValid(body)) return { body, problems: isValid.errors!.slice(0, 1).map(bodyProblem), unlisted: null };
  for (const problem of unstorableTexts(body)) throw invalid([problem], null);
  return { body, problems: [], unlisted: 0 };
}

function judgeWhole(schema: TSchema, body: unknown): ReadBody {
  const problems = [...unfit(schema, body)];
  if (problems.length > 0) throw invalid(problems);
  const isValid = ajv.compile(schema);
  const errors = isValid(body) ? [] : isValid.errors!;
  const listed = errors.slice(0, MOST_PROBLEMS).map(bodyProblem);
  return { body, problems: listed, unlisted: errors.length - listed.length };
}

/** Validates a page's form as the body of the operation that does the same. Throws `validation` with every problem. */
export function bodyJudge<S extends TSchema>(schema: S): (body: unknown) => Static<S> {
  const validate = ajv.compile(schema);
  return (body) => {
    const problems = [...unfit(schema, body)];
    if (problems.length === 0 && !validate(body)) problems.push(...(validate.errors ?? []).map(bodyProblem));
    if (problems.length > 0) throw invalid(problems);
    return body as Static<S>;
  };
}

/**
 * Checked before the schema, because the validator would report every error of every item of a list that is too long.
 */
function* unfit(schema: TSchema, body: unknown): Generator<InputProblem> {
  yield* overlong(schema, body);
  yield* unstorableTexts(body);
}

/**
 * Every list of `body` that is longer than its schema allows, by JSON pointer. Looks inside a list only if its own
 * length is valid.
 */
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
