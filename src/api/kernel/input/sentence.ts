// Describes an invalid value in a sentence that states what would be valid (A 7).
import type { ErrorObject } from 'ajv';
import type { InputProblem } from '../../../errors';
import { didYouMean } from '../../../nearest';
import type { Keywords } from './ajv';

/** One parameter's problem from the validator's errors about it. `raw` is what was sent. */
export function parameterProblem(
  name: string,
  schema: Keywords,
  raw: string,
  errors: readonly ErrorObject[],
): InputProblem {
  const valid = (schema.enum ?? schema.items?.enum)?.map(String);
  const right = rightValue(schema);
  const isMissing = errors.some(({ keyword }) => keyword === 'required');
  return {
    parameter: name,
    detail: isMissing
      ? `${name} is required: send ${right}.`
      : `${name} must be ${right}; ${sent(schema, raw, errors)}.${didYouMean(wrongTexts(schema, raw, errors), valid ?? [])}`,
    ...(valid && { valid_values: valid }),
  };
}

function sent(schema: Keywords, raw: string, errors: readonly ErrorObject[]): string {
  const shown = wrongTexts(schema, raw, errors);
  return `you sent ${quoted(shown)}`;
}

const MOST_QUOTED = 10;

/** The first of these values and the number of the others: a list may have thousands. */
export function quoted(values: readonly string[]): string {
  const named = values.slice(0, MOST_QUOTED).map((value) => `'${clip(value)}'`);
  const more = values.length - named.length;
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** The invalid items of a list as they were sent, or the whole value. */
function wrongTexts(schema: Keywords, raw: string, errors: readonly ErrorObject[]): string[] {
  const wrong = new Set(errors.map(({ data }) => String(data).toLowerCase()));
  const items = raw.split(',').map((item) => item.trim());
  const shown = schema.items ? [...new Set(items.filter((item) => wrong.has(item.toLowerCase())))] : [];
  return shown.length > 0 ? shown : [raw];
}

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);
const clip = (text: string): string => cut(text, 60);

const AN_INSTANT = 'an instant with its UTC offset, as 2026-11-21T05:20:00Z or 2026-11-21T16:20:00+11:00';

function rightValue(schema: Keywords): string {
  if (schema['x-must-be']) return schema['x-must-be'];
  if (schema.enum) return `one of ${valuesOf(schema.enum).join(', ')}`;
  if (schema.items?.enum) return `one or more of ${schema.items.enum.join(', ')}, comma-separated`;
  if (schema.format === 'date') return 'a calendar day as YYYY-MM-DD';
  if (schema.format === 'date-time') return AN_INSTANT;
  if (schema.format === 'day-or-instant') return `a calendar day as YYYY-MM-DD, or ${AN_INSTANT}`;
  if (schema.format === 'uuid') return 'a UUID';
  if (schema.format === 'email') return 'an email address, as jo@example.com';
  if (schema.type === 'integer') return `an integer${range(schema)}`;
  if (schema.type === 'number') return `a number${range(schema)}`;
  if (schema.type === 'boolean') return 'true or false';
  return schema.items ? 'one or more values, comma-separated' : 'a value in the documented format';
}

/** Null stands for an absent member, and is not a value to choose. */
const valuesOf = (choices: readonly unknown[]): string[] => choices.filter((one) => one !== null).map(String);

function range({ minimum, maximum }: Keywords): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? '' : ` of at most ${maximum}`;
}

/** A longer name is truncated in its pointer, so that no refusal is as long as the body that it refuses. */
const MOST_NAME_CHARACTERS = 200;

/** A problem of a body, by JSON pointer. */
export function bodyProblem(error: ErrorObject): InputProblem {
  if (error.keyword === 'additionalProperties') return unknownMember(error);
  const pointer = error.instancePath;
  const where = pointer === '' ? 'The body' : pointer;
  const schema = error.parentSchema as Keywords | undefined;
  const valid = schema?.enum && valuesOf(schema.enum);
  const meant = valid && typeof error.data === 'string' ? didYouMean(error.data, valid) : '';
  return { pointer, detail: `${where} ${faultOf(error)}.${meant}`, ...(valid && { valid_values: valid }) };
}

/** Names the nearest member, or the first members of the object if none is near. */
function unknownMember({ instancePath, params, parentSchema }: ErrorObject): InputProblem {
  const name = String(params.additionalProperty);
  const pointer = `${instancePath}/${escaped(name)}`;
  const known = Object.keys(parentSchema?.properties ?? {});
  const list = known.length > 0 ? `; valid properties are ${known.slice(0, MOST_MEMBERS).join(', ')}` : '';
  const meant = didYouMean(name, known);
  return { pointer, detail: `${clip(pointer)} is not a known property${meant ? `.${meant}` : `${list}.`}` };
}

const MOST_MEMBERS = 20;

const A_TYPE: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  null: 'null',
};

const THAN: Readonly<Record<string, string>> = {
  '>': 'more than',
  '>=': 'at least',
  '<': 'less than',
  '<=': 'at most',
};

/** The validator's own message, if it is a sentence for people. */
function faultOf({ keyword, params, schema, parentSchema, message }: ErrorObject): string {
  const counted = (least: string, unit: string) =>
    `must have ${least} ${params.limit} ${unit}${params.limit === 1 ? '' : 's'}`;
  switch (keyword) {
    case 'enum':
    case 'format':
      return `must be ${rightValue(parentSchema as Keywords)}`;
    case 'type':
      return `must be ${[schema as string | string[]]
        .flat()
        .map((type) => A_TYPE[type])
        .join(' or ')}`;
    case 'const':
      return `must be ${params.allowedValue}`;
    case 'required':
      return `must have the property ${params.missingProperty}`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `must be ${THAN[params.comparison]} ${params.limit}`;
    case 'minItems':
      return counted('at least', 'item');
    case 'minLength':
      return counted('at least', 'character');
    case 'maxLength':
      return counted('at most', 'character');
    default: {
      const right = (parentSchema as Keywords | undefined)?.['x-must-be'];
      return right ? `must be ${right}` : (message ?? 'is not valid');
    }
  }
}

/** A member's name inside a JSON pointer (RFC 6901). */
export const escaped = (name: string): string =>
  cut(name, MOST_NAME_CHARACTERS).replaceAll('~', '~0').replaceAll('/', '~1');
