// Reads the import graph of `src` from its text, for the tests that guard the architecture. Never used by the service.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

export interface Import {
  /** Path below `src`, e.g. `api/kernel/mount.ts`. */
  readonly from: string;
  /** Path below `src` without extension for the project's own files, otherwise the package name (`node:fs`, `pg`). */
  readonly to: string;
  readonly own: boolean;
  readonly typeOnly: boolean;
}

const SRC = resolve(__dirname, '../../../src');
const STATEMENT = /^\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;
const CALL = /\b(?:import|require)\(\s*'([^']+)'\s*\)/g;

export function sourceFiles(folder = SRC): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return sourceFiles(path);
    return path.endsWith('.ts') ? [relative(SRC, path)] : [];
  });
}

function sourceText(file: string): string {
  return readFileSync(join(SRC, file), 'utf8');
}

/** Text without comments, so that prose is not mistaken for code. */
export function sourceCode(file: string): string {
  return sourceText(file)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/\s\/\/ .*$/gm, '');
}

export function importsOf(file: string): Import[] {
  const text = sourceCode(file);
  const statements = [...text.matchAll(STATEMENT)].map((m) => target(file, m[2]!, m[1] !== undefined));
  const calls = [...text.matchAll(CALL)].map((m) => target(file, m[1]!, false));
  return [...statements, ...calls];
}

const FILES = new Set(sourceFiles());

/** The file below `src` that an import of our own names. */
export const fileOf = (found: Import): string | undefined =>
  [`${found.to}.ts`, `${found.to}/index.ts`].find((file) => FILES.has(file));

function target(file: string, specifier: string, typeOnly: boolean): Import {
  if (!specifier.startsWith('.')) return { from: file, to: packageName(specifier), own: false, typeOnly };
  const path = relative(SRC, resolve(dirname(join(SRC, file)), specifier));
  return { from: file, to: path, own: true, typeOnly };
}

const packageName = (specifier: string): string =>
  specifier.startsWith('node:')
    ? specifier
    : specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/');
