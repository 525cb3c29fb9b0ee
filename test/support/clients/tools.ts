// The tools that generate third-party clients: packages for TypeScript 5, and a Python environment. Both are installed
// on first use into the per-user cache, beside the other tools of the tests, and named by their contents.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const { cacheRoot, installed } = require('../../../scripts/install/cache-folder.mjs') as {
  cacheRoot(): string;
  installed(folder: string, build: (unfinished: string) => Promise<unknown>, options: object): Promise<string>;
};
const { requireSpace } = require('../../../scripts/install/disk-space.mjs') as {
  requireSpace(folder: string, megabytes: number, what: string): void;
};
const { ensurePythonPackages, findPython } = require('../../../scripts/install/python-packages.mjs') as {
  findPython(): string | null;
  ensurePythonPackages(name: string, wanted: object, context: object): Promise<string>;
};

const run = promisify(execFile);
const LOGS = join(__dirname, '../../../.local/clients');
const QUIET = { say: () => {}, step: (_: string, work: () => unknown) => work() };

/** The folder that contains `node_modules`. */
export function ensureTypeScript5(): Promise<string> {
  const own = join(__dirname, 'typescript-5');
  const id = createHash('sha256')
    .update(readFileSync(join(own, 'package-lock.json')))
    .digest('hex')
    .slice(0, 12);
  const build = async (folder: string) => {
    requireSpace(folder, 150, 'installing the tools for TypeScript 5');
    for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(own, file), join(folder, file));
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=6'];
    await run('npm', args, { cwd: folder });
  };
  return installed(join(cacheRoot(), `typescript-5-${id}`), build, {});
}

/** Python 3.11 or newer, or null. Decided without installing anything. */
export const python: string | null = findPython();

/** The Python that has the generator and mypy. */
export function ensurePythonTools(): Promise<string> {
  mkdirSync(LOGS, { recursive: true });
  const requirements = join(__dirname, 'python/requirements.txt');
  const context = { progress: QUIET, signal: new AbortController().signal, logs: LOGS };
  return ensurePythonPackages('python-client', { python, requirements, megabytes: 300 }, context);
}
