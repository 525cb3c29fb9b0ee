// The types that openapi-typescript generates from the document, and a program with openapi-fetch that uses every
// operation with them, compiled by TypeScript 5 as strictly as it can.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Document, exampleOf, hasJson, type Operation, okStatus } from './consumer';
import { ensureTypeScript5 } from './tools';

const run = promisify(execFile);

const STRICTEST = {
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  types: [],
  noEmit: true,
  strict: true,
  skipDefaultLibCheck: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
};

/** The messages of the generator and the compiler; '' if there are none. */
export async function typeErrorsByTypeScript5(documentUrl: string): Promise<string> {
  const tools = await ensureTypeScript5();
  const folder = await mkdtemp(join(tmpdir(), 'typescript-5-client-'));
  try {
    await symlink(join(tools, 'node_modules'), join(folder, 'node_modules'));
    const document = (await (await fetch(documentUrl)).json()) as Document;
    await writeFile(join(folder, 'consumer.ts'), consumerOf(document));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const options = { compilerOptions: STRICTEST, files: ['consumer.ts'] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(options));
    const of = (program: string) => join(tools, 'node_modules', program);
    const { stderr } = await run(
      process.execPath,
      [of('openapi-typescript/bin/cli.js'), documentUrl, '-o', 'api.d.ts'],
      {
        cwd: folder,
      },
    );
    const args = [of('typescript/bin/tsc'), '-p', folder, '--pretty', 'false'];
    const { stdout } = await run(process.execPath, args).catch((error: { stdout: string }) => error);
    return `${stderr}${stdout}`;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function consumerOf(document: Document): string {
  const uses = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, one]) => hasJson(one))
      .map(([method, one]) => useOf(path, method, one, document)),
  );
  return `import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

type Schemas = components['schemas'];
const querySerializer = { array: { style: 'form', explode: false } } as const;
const client = createClient<paths>({ baseUrl: 'https://api.example.com', querySerializer });

${uses.join('\n')}
`;
}

/** Passes every parameter and a body with only the required members, and names the type of the response. */
function useOf(path: string, method: string, one: Operation, document: Document): string {
  const given = (place: string) => {
    const own = one.parameters.filter((each) => each.in === place);
    const members = own.map(({ name, schema }) => [name, exampleOf(schema, document)]);
    return own.length === 0 ? {} : { [place]: Object.fromEntries(members) };
  };
  const body = one.requestBody?.content['application/json']?.schema;
  const init = { params: { ...given('path'), ...given('query') }, ...(body && { body: exampleOf(body, document) }) };
  return `export async function ${one.operationId}(): Promise<${typeOf(one)} | Schemas['ProblemCode']> {
  const { data, error } = await client.${method.toUpperCase()}(${JSON.stringify(path)}, ${JSON.stringify(init)});
  return data === undefined ? error!.code : data;
}`;
}

function typeOf(one: Operation): string {
  const { 'application/json': json, ...others } = one.responses[okStatus(one)]!.content!;
  const { $ref, items } = json!.schema;
  const name = ($ref ?? items!.$ref)!.split('/').at(-1);
  // For another format it has the text.
  const text = Object.keys(others).length > 0 ? ' | string' : '';
  return `Schemas['${name}']${$ref ? '' : '[]'}${text}`;
}
