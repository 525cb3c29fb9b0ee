// The client that openapi-python-client generates from the document, with the programs of a customer beside it
// (`python/`).
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import { BULK_TYPES } from '../../../src/api/operations/bulk/bulk';
import { ensurePythonTools, mypyCache } from './tools';

const run = promisify(execFile);
const PROGRAMS = ['operations.py', 'follow.py'];
/** It reads files as bytes if it knows that their types are binary. */
const BYTES = 'application/octet-stream';
const CONFIG = JSON.stringify({
  post_hooks: [],
  content_type_overrides: Object.fromEntries(BULK_TYPES.map((type) => [type, BYTES])),
});

export interface PythonClient {
  readonly folder: string;
  readonly python: string;
  /** The generator's output; a warning means that it left something out. */
  readonly output: string;
}

/** What operations.py writes. */
interface Operations {
  /** By operation: the status and the type of the response, or of its first row. */
  readonly answers: Readonly<Record<string, string>>;
  readonly used: object;
}

export async function generatePythonClient(documentUrl: string): Promise<PythonClient> {
  const python = await ensurePythonTools();
  const folder = await mkdtemp(join(tmpdir(), 'python-client-'));
  for (const program of PROGRAMS) await cp(join(__dirname, 'python', program), join(folder, program));
  const config = join(folder, 'config.json');
  await writeFile(config, CONFIG);
  const out = ['--output-path', join(folder, 'client'), '--meta', 'none'];
  const args = ['-m', 'openapi_python_client', 'generate', '--url', documentUrl, '--config', config, ...out];
  const { stdout, stderr } = await run(python, args).catch(async (error: unknown) => {
    await rm(folder, { recursive: true });
    throw error;
  });
  return { folder, python, output: `${stdout}${stderr}`.trim() };
}

/** By the names of the modules that contain them. */
export async function operationsOf({ folder }: PythonClient): Promise<string[]> {
  const files = await readdir(join(folder, 'client/api'), { recursive: true });
  return files.flatMap((file) => /(\w+)\.py$/.exec(file)?.[1] ?? []).filter((name) => name !== '__init__');
}

/** What mypy reports about the client and the programs. */
export async function mypy({ folder, python }: PythonClient): Promise<string> {
  const options = ['--strict', '--no-error-summary', '--cache-dir', mypyCache(python)];
  const args = ['-m', 'mypy', ...options, ...PROGRAMS, 'client'];
  return run(python, args, { cwd: folder }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string; stderr: string }) => `${error.stdout}${error.stderr}`,
  );
}

export async function runOperations({ folder, python }: PythonClient, given: object): Promise<Operations> {
  const program = run(python, ['operations.py'], { cwd: folder });
  program.child.stdin!.end(JSON.stringify(given));
  return JSON.parse((await program).stdout);
}

/** A program that follows `changes`. */
export class PythonFollower {
  private readonly program: ChildProcessByStdio<Writable, Readable, Readable>;
  private readonly lines: Interface;
  private errors = '';

  constructor({ folder, python }: PythonClient, url: string, key: string) {
    this.program = spawn(python, ['follow.py', url, key], { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
    this.program.stderr.on('data', (text) => {
      this.errors += text;
    });
    this.lines = createInterface(this.program.stdout);
  }

  /** Its prices after one more poll. */
  async poll(): Promise<Record<string, number | null>> {
    return new Promise((resolve, reject) => {
      this.lines.once('line', (line) => resolve(JSON.parse(line)));
      this.program.once('close', () => reject(new Error(this.errors)));
      this.program.stdin.write('\n');
    });
  }

  stop(): void {
    this.program.kill();
  }
}
