// The generated files of clients/typescript: types by openapi-typescript, and the table of operations by this
// repository.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureTypeScript5 } from '../install/npm-packages.mjs';
import { renderOperations } from './operations.mjs';

const run = promisify(execFile);
const HEAD = '// Made by `npm run clients`, with openapi-typescript, from the OpenAPI document. Do not edit.\n';
const FOLDER = 'clients/typescript/src/generated';

/**
 * Path and content of each file.
 * @param {string} root the checkout
 * @returns {Promise<[file: string, text: string][]>}
 */
export async function generatedFiles(root, document) {
  const typed = typedPart(document);
  return [
    [join(root, FOLDER, 'openapi.ts'), typesFile(typed, await typesOf(root, typed))],
    [join(root, FOLDER, 'operations.ts'), renderOperations(document)],
  ];
}

/**
 * Whether the file of types is of this document and as it was written, without the generator.
 * @param {string} text
 */
export function isCurrent(text, document) {
  const types = text.split('\n').slice(2).join('\n');
  return text === typesFile(typedPart(document), types);
}

const typesFile = (document, types) =>
  `${HEAD}// document ${digest(JSON.stringify(document))}, types ${digest(types)}\n${types}`;

const digest = (text) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/**
 * What the client has types of: requests, successes and the bodies of events, without their examples; and no operation
 * that only a console session may call. Refusals are classes, all of one schema; headers are read by the client. With
 * these the types would be five times as long.
 */
function typedPart({ openapi, info, paths, webhooks, components: { schemas } }) {
  return {
    openapi,
    info: { title: info.title, version: info.version },
    paths: members(paths, (methods) => members(ofKeys(methods), callOf)),
    webhooks: members(webhooks, (methods) => members(methods, eventOf)),
    components: { schemas },
  };
}

const members = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([name, one]) => [name, change(one)]));

const ofKeys = (methods) =>
  Object.fromEntries(
    Object.entries(methods).filter(
      ([, { security }]) => security.length === 0 || security.some((one) => !('Session' in one)),
    ),
  );

const callOf = ({ responses, parameters, requestBody, ...one }) => ({
  ...one,
  parameters: parameters.map(withoutExample),
  ...(requestBody && { requestBody: bodyOf(requestBody) }),
  responses: Object.fromEntries(
    Object.entries(responses)
      .filter(([status]) => Number(status) < 400)
      .map(([status, { headers, ...response }]) => [status, bodyOf(response)]),
  ),
});

const eventOf = ({ parameters, requestBody, ...one }) => ({ ...one, requestBody: bodyOf(requestBody), responses: {} });

const bodyOf = ({ content, ...one }) => ({ ...one, ...(content && { content: members(content, withoutExample) }) });

const withoutExample = ({ example, ...one }) => one;

async function typesOf(root, document) {
  const tools = await ensureTypeScript5(root);
  const folder = await mkdtemp(join(tmpdir(), 'client-types-'));
  try {
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
    const generator = join(tools, 'node_modules/openapi-typescript/bin/cli.js');
    await run(process.execPath, [generator, 'openapi.json', '-o', 'openapi.ts'], { cwd: folder });
    return await readFile(join(folder, 'openapi.ts'), 'utf8');
  } finally {
    await rm(folder, { recursive: true });
  }
}
