// The programs of a checkout are built into a folder.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const script = require.resolve('../../../scripts/app/programs.mjs');
let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'programs-'));
  for (const file of [
    'api/main',
    'api/kernel/input/large/thread',
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

test('a program’s error names the line of its source, anywhere in a statement of many lines', () => {
  const lines = [
    'export const value = (): number => 1;',
    '',
    '/** A comment that the program does not have. */',
    'const deep = (text: string): never => {',
    '  throw new Error(text);',
    '};',
    'const list = [value(), 2].map((one) =>',
    '  one > 1',
    '    ? deep(`two`)',
    '    : one,',
    ');',
    'console.log(list);',
  ];
  write('src/ops/main.ts', `${lines.join('\n')}\n`);
  build('lines', {});
  const { stderr } = spawnSync(process.execPath, [join(root, 'lines/ops/main.js')], { encoding: 'utf8' });
  const named = [...stderr.matchAll(/main\.ts:(\d+)/g)].map(([, line]) => Number(line));
  expect(named.slice(-4)).toEqual(expect.arrayContaining([5, 9, 7]));
  const { sources, names } = JSON.parse(readFileSync(join(root, 'lines/ops/program.js.map'), 'utf8'));
  expect({ sources, names }).toEqual({ sources: ['../../src/ops/main.ts'], names: [] });
});

/** The result of `ensurePrograms` after each step, in one process. */
function ensured(steps: readonly (readonly [step: string, code: string])[]): Record<string, string> {
  const lines = steps.map(
    ([step, code]) => `${code}; did[${JSON.stringify(step)}] = (await ensurePrograms(root, folder))?.text ?? 'built';`,
  );
  const program = `import { rmSync, writeFileSync, readFileSync } from 'node:fs';
const { ensurePrograms } = await import(process.argv[1]);
const root = ${JSON.stringify(root)}; const folder = root + '/kept'; const did = {};
const write = (path, text) => writeFileSync(root + '/' + path, text);
${lines.join('\n')}
console.log(JSON.stringify(did));`;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', program, script], { encoding: 'utf8' }),
  );
}

test('programs are kept while none of their sources has changed, and rebuilt otherwise', () => {
  const KEPT = 'kept, no source has changed';
  const did = ensured([
    ['first', ''],
    ['again', ''],
    ['a source changed', `write('src/ops/main.ts', 'export const built = 2;')`],
    ['a source came', `write('src/ops/other.ts', 'export const other = 1;')`],
    ['a source went', `rmSync(root + '/src/ops/other.ts')`],
    ['a package changed', `write('package-lock.json', '{}')`],
    ['again later', ''],
    ['a program was lost', `rmSync(folder + '/api/program.js')`],
    ['a build was cut off', `rmSync(folder + '/made-of')`],
    ['back to what it was', `write('src/ops/main.ts', 'export const built = 2;')`],
  ]);
  const kept = Object.keys(did).filter((step) => did[step] === KEPT);
  expect(kept).toEqual(['again', 'again later', 'back to what it was']);
  expect(Object.values(did).filter((what) => what === 'built')).toHaveLength(7);
});
