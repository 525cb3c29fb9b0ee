// The Python type of a schema. A schema without one throws: a client must not have a member of any type unnoticed.
import { literal } from './text.mjs';

const SCALARS = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' };
/** Texts that a frame reads as instants or days. */
const FORMATS = { 'date-time': 'Instant', date: 'Day' };

/** @param {string} within before the name of a schema, such as `schemas.` */
export function annotation(schema, within = '') {
  if (schema.$ref) return within + refName(schema.$ref);
  if ('const' in schema) return `Literal[${literal(schema.const)}]`;
  if (schema.anyOf) return union(schema.anyOf.map((one) => annotation(one, within)));
  const types = [schema.type].flat();
  if (schema.enum)
    return union([
      `Literal[${schema.enum
        .filter((one) => one !== null)
        .map(literal)
        .join(', ')}]`,
      ...nullOf(types),
    ]);
  if (types[0] === undefined) return 'Any';
  return union(types.map((type) => typed(type, schema, within)));
}

/** A list that is sent may be any sequence, and an instant or a day one of Python’s. */
export function sentAnnotation(schema, within = '') {
  const type = annotation(schema, within);
  if (type.startsWith('list[')) return type.replace('list[', 'Sequence[');
  if (schema.format === 'date-time') return 'str | _datetime';
  if (schema.format === 'date') return 'str | _date';
  return schema.format === 'day-or-instant' ? 'str | _date | _datetime' : type;
}

export const refName = (ref) => ref.split('/').at(-1);

const nullOf = (types) => (types.includes('null') ? ['None'] : []);

function typed(type, { items, additionalProperties, format }, within) {
  if (type === 'array') return `list[${annotation(items ?? {}, within)}]`;
  if (type === 'object') return `dict[str, ${annotation(plain(additionalProperties), within)}]`;
  if (type === 'string' && FORMATS[format]) return within + FORMATS[format];
  const found = SCALARS[type];
  if (!found) throw new Error(`a schema without a Python type: ${type}`);
  return found;
}

const plain = (schema) => (typeof schema === 'object' ? schema : {});

/** Of no type twice. */
const union = (types) => [...new Set(types)].join(' | ');
