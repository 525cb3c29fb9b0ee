// A client as a third party makes one: generated from the document that the API serves, used by a program that is
// written from the same document, type-checked as strictly as TypeScript can, and loaded.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Called, consumerOf, type Document } from './consumer';

const root = join(__dirname, '../../..');
const run = promisify(execFile);

export interface Client {
  readonly folder: string;
  readonly document: Document;
  /** The generated source. */
  readonly source: string;
}

/** Inside the checkout, where the packages that the generated code imports are found. */
export async function generateClient(documentUrl: string, queries: Readonly<Record<string, string>>): Promise<Client> {
  await mkdir(join(root, '.local'), { recursive: true });
  const folder = await mkdtemp(join(root, '.local/client-'));
  return made(folder, documentUrl, queries).catch(async (error: unknown) => {
    await rm(folder, { recursive: true });
    throw error;
  });
}

async function made(folder: string, documentUrl: string, queries: Readonly<Record<string, string>>): Promise<Client> {
  const file = join(folder, 'client.ts');
  const generator = join(dirname(require.resolve('oazapfts')), 'cli.cjs');
  const options = ['--argumentStyle=object', '--allSchemas', '--useUnknown', '--futureStripLegacyMethods'];
  await run(process.execPath, [generator, ...options, documentUrl, file]);
  const document = (await (await fetch(documentUrl)).json()) as Document;
  await writeFile(join(folder, 'consumer.ts'), consumerOf(document, queries));
  await writeFile(join(folder, 'package.json'), '{"type":"commonjs"}');
  return { folder, document, source: await readFile(file, 'utf8') };
}

/**
 * All options except `exactOptionalPropertyTypes`, which the generator's own request with a body violates (oazapfts
 * 7.5.0).
 */
const STRICTEST = {
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'node20',
  types: [],
  noEmit: true,
  strict: true,
  skipDefaultLibCheck: true,
  noFallthroughCasesInSwitch: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noPropertyAccessFromIndexSignature: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  isolatedModules: true,
};

/** The compiler's errors; '' if there are none. */
export async function typeErrors({ folder }: Client): Promise<string> {
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: STRICTEST, files: ['consumer.ts'] }),
  );
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  return run(process.execPath, [compiler, '-p', folder, '--pretty', 'false']).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}

export function load({ folder }: Client): Readonly<Record<string, Called>> {
  return require(join(folder, 'consumer.ts')).operations;
}
