// The programs of a checkout are built into a folder.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const script = require.resolve('../../../scripts/app/programs.mjs');
let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'programs-'));
  for (const file of [
    'api/main',
    'api/input/large/thread',
    'ops/main',
    'simulator/main',
    'workers/main',
    'workers/build-bundle',
  ])
    write(`src/${file}.ts`, 'export const built = true;\n');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function build(folder: string, options: object): void {
  const program = `const { buildPrograms } = await import(process.argv[1]); await buildPrograms(${JSON.stringify(root)}, ${JSON.stringify(join(root, folder))}, ${JSON.stringify(options)})`;
  execFileSync(process.execPath, ['--input-type=module', '-e', program, script]);
}

test('a build empties the folder that the command chose, and removes nothing from one that a user chose', () => {
  for (const [folder, options, stays] of [
    ['dist', {}, false],
    ['chosen', { isOwn: false }, true],
  ] as const) {
    write(`${folder}/earlier/main.js`, '');
    build(folder, options);
    expect(existsSync(join(root, folder, 'api/main.js'))).toBe(true);
    expect(existsSync(join(root, folder, 'earlier/main.js'))).toBe(stays);
  }
});
