// The program of a user of the generated client, written only from the document, so that it includes every new
// operation.

/** The parts of an OpenAPI document that are read here. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Operation {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content; readonly headers?: object }>>;
}

type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface RequestOptions {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch?: typeof fetch;
}

/** 202 for requests that are only accepted. */
export const okStatus = ({ responses }: Operation): number => (responses[200] ? 200 : 202);

/** One operation, called with what it needs. */
export type Called = (options: RequestOptions) => Promise<{ status: number; headers: Headers; data: unknown }>;

/** TypeScript. `queries` has, by operation, the query with which its call is sent when it runs. */
export function consumerOf(document: Document, queries: Readonly<Record<string, string>>): string {
  const all = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .filter(hasJson);
  const typed = all.map((one) => typedUse(one, document));
  const calls = all.map((one) => {
    const query = new URLSearchParams(queries[one.operationId] ?? '');
    return `  ${one.operationId}: (options: Options) => ${call(one, queryMembers(one, query, document))},`;
  });
  const head = `import * as client from './client';\nimport type { RequestOpts as Options } from '@oazapfts/runtime';`;
  return `${head}\n\n${typed.join('\n')}\nexport const operations = {\n${calls.join('\n')}\n};\n`;
}

/** A file is a Blob in every client, without a type of its content. */
export const hasJson = (one: Operation): boolean => 'application/json' in (one.responses[okStatus(one)]?.content ?? {});

/**
 * Uses every parameter, narrows the response by its status and names the type of its body; an undeclared parameter must
 * not compile.
 */
function typedUse(one: Operation, document: Document): string {
  const given = one.parameters.map(
    ({ name, schema }) => `${memberOf(name)}: ${JSON.stringify(exampleOf(schema, document))}`,
  );
  const right = okStatus(one);
  const answer = typeName(one.responses[right]!.content!['application/json']!.schema);
  const empty = [303, 304].filter((status) => one.responses[status]);
  const unchanged = empty.map((status) => `  if (answer.status === ${status}) return 'unchanged';\n`).join('');
  return `export async function ${camel(one.operationId)}(options: Options): Promise<${answer} | client.ProblemCode | 'unchanged'> {
  const answer = await ${call(one, given)};
  if (answer.status === ${right}) return answer.data;
${unchanged}  return answer.data.code;
}
// @ts-expect-error
export const ${camel(one.operationId)}Surprised = (options: Options) => ${call(one, [...given, 'surprise: 1'])};
`;
}

/** On one line, so that an expectation applies to all of it. */
function call(one: Operation, members: readonly string[]): string {
  const all = [...members, ...bodyOf(one)];
  const takesNone = one.parameters.length === 0 && !one.requestBody && all.length === 0;
  return `client.${camel(one.operationId)}(${takesNone ? '' : `{ ${all.join(', ')} }, `}options)`;
}

function queryMembers(one: Operation, query: URLSearchParams, document: Document): string[] {
  return one.parameters.flatMap(({ name, required, schema }) => {
    const text = query.get(name);
    if (!required && text === null) return [];
    return [`${memberOf(name)}: ${JSON.stringify(text === null ? exampleOf(schema, document) : read(schema, text))}`];
  });
}

function bodyOf({ requestBody }: Operation): string[] {
  if (!requestBody) return [];
  const { schema, example } = requestBody.content['application/json']!;
  return [`${camel(typeName(schema).replace('client.', ''))}: ${JSON.stringify(example)}`];
}

/** Throws for a schema without a name: a client would have no type for it. */
function typeName(schema: Schema): string {
  if (schema.$ref) return `client.${schema.$ref.split('/').at(-1)}`;
  if (schema.type === 'array') return `${typeName(schema.items!)}[]`;
  throw new Error(`a schema without a name: ${JSON.stringify(schema)}`);
}

function read(schema: Schema, text: string): unknown {
  if (schema.type === 'array') return text.split(',');
  if (schema.type === 'integer' || schema.type === 'number') return Number(text);
  return schema.type === 'boolean' ? text === 'true' : text;
}

const TEXTS: Readonly<Record<string, string>> = {
  date: '2026-11-21',
  'date-time': '2026-11-21T03:00:00Z',
  uuid: '0d5a1f9e-6f4c-5b6e-9a53-3d9e4f6a7b10',
};

/** A value of the right type; an object has only its required members. */
export function exampleOf(schema: Schema, document: Document): unknown {
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  if (schema.$ref) return exampleOf(document.components.schemas[schema.$ref.split('/').at(-1)!]!, document);
  if (type === 'object') {
    const members = (schema.required ?? []).map((name) => [name, exampleOf(schema.properties![name]!, document)]);
    return Object.fromEntries(members);
  }
  const [declared] = [schema.default, schema.examples?.[0], schema.enum?.[0]].filter((value) => value !== undefined);
  if (declared !== undefined) return declared;
  if (type === 'array') return [exampleOf(schema.items!, document)];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  return type === 'boolean' ? true : (TEXTS[schema.format ?? ''] ?? 'text');
}

/** `hours_ahead` and `If-None-Match` as the generator writes them. */
const camel = (name: string): string =>
  name
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase())
    .replace(/[_-](\w)/g, (_, letter: string) => letter.toUpperCase());

/** The generator writes a sign before a reserved word of the language. */
const memberOf = (name: string): string => (name === 'from' ? '$from' : camel(name));
