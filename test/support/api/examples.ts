// Checks every example of an OpenAPI document, wherever one may occur, against its schema. The validator is not the
// service's own.
import Ajv, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { closed } from './conforms';

type Json = Readonly<Record<string, unknown>>;

export interface Example {
  /** JSON pointer to the owner of the example. */
  readonly at: string;
  readonly problems: readonly string[];
}

interface Found {
  /** JSON pointer of the schema. */
  readonly schema: string;
  /** The schema itself. */
  readonly text: string;
  readonly at: string;
  readonly value: unknown;
}

/** These are neither schemas nor parts of the document, but what a caller may send or receive. */
const VALUES = ['example', 'examples', 'default', 'enum', 'const'];
/** The keys under these are names chosen by the schema's author. */
const NAMED = ['properties', 'patternProperties', 'schemas'];

/** Every example, checked against its schema. An object may have only the members that its schema declares. */
export function examplesOf(document: Json): Example[] {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  // Formats of the service's own: any text here, because its tests of input cover them.
  for (const format of ['day-or-instant', 'bulk-period']) ajv.addFormat(format, true);
  ajv.addSchema(closed(document) as object, 'document');
  /** By text: the responses of all operations repeat a few schemas. */
  const compiled = new Map<string, ValidateFunction>();
  const validatorAt = (schema: string, text: string): ValidateFunction => {
    const validate = compiled.get(text) ?? ajv.getSchema(`document#${schema}`);
    if (!validate) throw new Error(`no schema at ${schema}`);
    compiled.set(text, validate);
    return validate;
  };
  return found(document, '', false).map(({ schema, text, at, value }) => {
    const validate = validatorAt(schema, text);
    validate(value);
    return { at, problems: (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`) };
  });
}

function found(node: unknown, at: string, areNames: boolean): Found[] {
  if (typeof node !== 'object' || node === null) return [];
  const inside = Object.entries(node)
    .filter(([key]) => areNames || !VALUES.includes(key))
    .flatMap(([key, member]) => found(member, `${at}/${escaped(key)}`, !areNames && NAMED.includes(key)));
  return areNames || Array.isArray(node) ? inside : [...own(node as Json, at), ...inside];
}

/**
 * For a media type, parameter or header, its examples, checked by its `schema`; for a schema, its `examples` and
 * `default`.
 */
function own(node: Json, at: string): Found[] {
  const { example, examples, schema } = node;
  const beside = schema === undefined ? at : `${at}/schema`;
  const listed = Array.isArray(examples) ? examples : Object.values(examples ?? {}).map((one) => (one as Json).value);
  const values = [...(example === undefined ? [] : [example]), ...listed, ...('default' in node ? [node.default] : [])];
  if (values.length === 0) return [];
  const text = JSON.stringify(schema ?? node);
  return values.map((value) => ({ schema: beside, text, at, value }));
}

const escaped = (key: string): string => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
