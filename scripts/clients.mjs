// `npm run clients`: writes the generated files of the clients in `clients` from the OpenAPI document of this checkout.
// A unit test compares them with the document (test/scripts/clients.test.ts).
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { collectionFile } from './clients/postman.mjs';
import { pythonFiles } from './clients/python.mjs';
import { generatedFiles } from './clients/typescript.mjs';
import { asksForHelp } from './command/help.mjs';
import { runOnPinnedNode } from './command/pinned-node.mjs';
import { runSession } from './command/session.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const help = `npm run clients

Writes the folders "generated" of clients/typescript and clients/python, and clients/postman, from the OpenAPI document
of this checkout. The generators are installed on first use into the per-user cache.`;

await runSession(async ({ signal }) => {
  if (asksForHelp(process.argv.slice(2))) return console.log(help);
  const ended = await runOnPinnedNode(root, { signal });
  if (ended !== null) return ended;
  const document = await documentOf();
  const written = [...(await generatedFiles(root, document)), ...pythonFiles(root, document)];
  for (const [file, text] of [...written, await collectionFile(root, document)]) {
    writeFileSync(file, text);
    console.log(`  ${relative(root, file)}`);
  }
});

/** The document as the tests have it: its address is in no generated file. */
async function documentOf() {
  const { register } = await import('tsx/cjs/api');
  register();
  const load = createRequire(import.meta.url);
  const { openApiDocument } = load('../src/api/openapi/document.ts');
  return openApiDocument(load('../src/api/operations/index.ts').ENDPOINTS, 'https://api.example.com');
}
