// The tools that generate third-party clients: packages for TypeScript 5, and a Python environment. Both are installed
// on first use into the per-user cache, beside the other tools of the tests, and named by their contents.
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const packages = require('../../../scripts/install/npm-packages.mjs') as {
  ensureTypeScript5(root: string): Promise<string>;
  ensureInspector(root: string): Promise<string>;
};
const { ensurePythonPackages, findPython } = require('../../../scripts/install/python-packages.mjs') as {
  findPython(): string | null;
  ensurePythonPackages(name: string, wanted: object, context: object): Promise<string>;
};

const ROOT = join(__dirname, '../../..');
const LOGS = join(ROOT, '.local/clients');
const QUIET = { say: () => {}, step: (_: string, work: () => unknown) => work() };

/** The folder that contains `node_modules`. */
export const ensureTypeScript5 = (): Promise<string> => packages.ensureTypeScript5(ROOT);

/** The folder that contains `node_modules`. */
export const ensureInspector = (): Promise<string> => packages.ensureInspector(ROOT);

/** Python 3.11 or newer, or null. Decided without installing anything. */
export const python: string | null = findPython();

/**
 * Where mypy keeps what it found out about packages, for the next run: it checks again what has changed. By checkout
 * and Python, because two runs at once would wait for each other's database.
 */
export function mypyCache(interpreter: string): string {
  const name = createHash('sha256').update(`${ROOT}\0${interpreter}`).digest('hex').slice(0, 12);
  return join(tmpdir(), `racing-odds-mypy-${name}`);
}

/** The Python that has the generator and mypy. */
export function ensurePythonTools(): Promise<string> {
  mkdirSync(LOGS, { recursive: true });
  const requirements = join(__dirname, 'python/requirements.txt');
  const context = { progress: QUIET, signal: new AbortController().signal, logs: LOGS };
  return ensurePythonPackages('python-client', { python, requirements, megabytes: 300 }, context);
}
