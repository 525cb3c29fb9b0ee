// A copy of this service whose source differs in a few lines, so that a bench compares the service with itself without
// one of its parts, and the service needs no switch. A line that is not found exactly once is an error: the bench no
// longer fits.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface Edit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export interface Tree {
  readonly root: string;
  remove(): void;
}

const ROOT = resolve(__dirname, '../..');
const COPIED = ['src', 'bench', 'test/support', 'package.json', 'tsconfig.json'];

export function patchedTree(edits: readonly Edit[]): Tree {
  const root = mkdtempSync(join(tmpdir(), 'patched-'));
  for (const path of COPIED) cpSync(join(ROOT, path), join(root, path), { recursive: true });
  for (const path of ['node_modules', 'migrations', 'CHANGELOG.md']) symlinkSync(join(ROOT, path), join(root, path));
  for (const { file, from, to } of edits) {
    const path = join(root, 'src', file);
    const parts = readFileSync(path, 'utf8').split(from);
    if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} places that read "${from}"`);
    writeFileSync(path, parts.join(to));
  }
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
