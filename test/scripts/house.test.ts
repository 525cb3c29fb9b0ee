// The rules of the house: a new fault is refused, a cured one leaves the exceptions, and nothing is added to them
// again.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const { arrowsOf, circlesOf, graphOf, graphBelow } = require('../../scripts/house/graph.mjs') as {
  graphOf(sources: readonly { file: string; imports: readonly string[] }[]): Map<string, string[]>;
  graphBelow(graph: Map<string, string[]>, folder: string): Map<string, string[]>;
  arrowsOf(graph: Map<string, string[]>): Map<string, Set<string>>;
  circlesOf(arrows: Map<string, Set<string>>): string[][];
};
const { faultsOf, shrunk } = require('../../scripts/house/rules.mjs') as {
  faultsOf(measures: Measures, allowed: Exceptions): readonly string[];
  shrunk(measures: Measures, allowed: Exceptions): Exceptions;
};

// The parser is an ECMAScript module, which this runner cannot load.
const wideLinesOf = (root: string): string[] => {
  const module_ = require.resolve('../../scripts/house/wide-lines.mjs');
  const script = `import { wideLinesOf } from ${JSON.stringify(module_)}; console.log(JSON.stringify(wideLinesOf(process.argv[1])))`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script, root], { encoding: 'utf8' }));
};

interface Exceptions {
  readonly longFunctions: Record<string, number>;
  readonly longTestFiles: Record<string, number>;
  readonly homonyms: Record<string, number>;
  readonly longPages: Record<string, number>;
  readonly foldersWithOneFile: readonly string[];
  readonly apiRoomsInCircles: number;
}
interface Measures {
  readonly longFunctions: readonly { file: string; name: string; lines: number }[];
  readonly longTestFiles: readonly { file: string; lines: number }[];
  readonly homonyms: ReadonlyMap<string, readonly string[]>;
  readonly lonelyFiles: readonly string[];
  readonly words: readonly { file: string; words: number }[];
  readonly apiRooms: { readonly inCircles: readonly string[] };
  readonly wideLines: readonly string[];
}

test('imports become arrows between rooms, and rooms that lead back to themselves a circle', () => {
  const graph = graphOf([
    { file: 'a/one.ts', imports: ['./two', '../b/three', 'pg'] },
    { file: 'a/two.ts', imports: [] },
    { file: 'b/three.ts', imports: ['../c'] },
    { file: 'c/index.ts', imports: ['../a/two'] },
    { file: 'd/last.ts', imports: ['../a/one'] },
  ]);
  expect(graph.get('a/one.ts')).toEqual(['a/two.ts', 'b/three.ts']);
  const arrows = arrowsOf(graph);
  expect([...arrows].map(([from, to]) => [from, ...to])).toEqual([
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'a'],
    ['d', 'a'],
  ]);
  expect(circlesOf(arrows).map((circle) => circle.toSorted())).toEqual([['a', 'b', 'c']]);
  expect(circlesOf(arrowsOf(graphBelow(graph, 'a/')))).toEqual([]);
});

const before: Exceptions = {
  longFunctions: { 'a.ts long': 80, 'a.ts longer': 90 },
  longTestFiles: { 'a.test.ts': 500 },
  homonyms: { Row: 3 },
  longPages: { 'docs/long.md': 5000 },
  foldersWithOneFile: ['b'],
  apiRoomsInCircles: 4,
};
const measured = (more: Partial<Measures> = {}): Measures => ({
  longFunctions: [
    { file: 'a.ts', name: 'long', lines: 80 },
    { file: 'a.ts', name: 'longer', lines: 90 },
  ],
  longTestFiles: [{ file: 'a.test.ts', lines: 500 }],
  homonyms: new Map([['Row', ['a.ts', 'b.ts', 'c.ts']]]),
  lonelyFiles: ['b'],
  words: [
    { file: 'docs/long.md', words: 5000 },
    { file: 'README.md', words: 4001 },
  ],
  apiRooms: { inCircles: ['1', '2', '3', '4'] },
  wideLines: [],
  ...more,
});
const faults = (more?: Partial<Measures>) => [...faultsOf(measured(more), before)];

test('listed exceptions are not faults; a new one, or one that grows, is', () => {
  expect(faults()).toEqual([]);
  const functions = [...measured().longFunctions.slice(1), { file: 'a.ts', name: 'long', lines: 81 }];
  expect(faults({ longFunctions: functions })).toEqual(['src/a.ts long: 81 lines, at most 80']);
  expect(faults({ longFunctions: [...measured().longFunctions, { file: 'n.ts', name: 'n', lines: 61 }] })).toEqual([
    'src/n.ts n: 61 lines, at most 60',
  ]);
  expect(faults({ longTestFiles: [{ file: 'a.test.ts', lines: 501 }] })).toEqual([
    'test/a.test.ts: 501 lines, at most 500',
  ]);
  const tests = [...measured().longTestFiles, { file: 'n.test.ts', lines: 401 }];
  expect(faults({ longTestFiles: tests })).toEqual(['test/n.test.ts: 401 lines, at most 400']);
  const names = new Map([...measured().homonyms, ['New', ['a.ts', 'b.ts']]]);
  expect(faults({ homonyms: names })).toEqual(['New is exported by 2 files, at most 1: a.ts, b.ts']);
  expect(faults({ words: [...measured().words, { file: 'docs/new.md', words: 4001 }] })).toEqual([
    'docs/new.md: 4001 words, at most 4000',
  ]);
  expect(faults({ lonelyFiles: ['b', 'c'] })).toEqual(['src/c has one file: put it into the folder above']);
  expect(faults({ apiRooms: { inCircles: ['1', '2', '3', '4', '5'] } })).toHaveLength(1);
  expect(faults({ wideLines: ['src/a.ts:7'] })).toHaveLength(1);
});

test('a cured exception must leave the list, and the list takes nothing in', () => {
  const mended = measured({
    longFunctions: [
      { file: 'a.ts', name: 'long', lines: 70 },
      { file: 'n.ts', name: 'n', lines: 99 },
    ],
    longTestFiles: [],
    homonyms: new Map([['New', ['a.ts', 'b.ts']]]),
    lonelyFiles: ['c'],
    words: [],
    apiRooms: { inCircles: [] },
  });
  const stale = [...faultsOf(mended, before)].filter((fault) => fault.endsWith('--shrink'));
  expect(stale.map((fault) => fault.split(' needs ')[0])).toEqual([
    'a.ts long',
    'a.ts longer',
    'a.test.ts',
    'Row',
    'docs/long.md',
    'src/b',
    'the circles of rooms in src/api',
  ]);
  expect(shrunk(mended, before)).toEqual({
    longFunctions: { 'a.ts long': 70 },
    longTestFiles: {},
    homonyms: {},
    longPages: {},
    foldersWithOneFile: [],
    apiRoomsInCircles: 0,
  });
});

test('comments and prose have at most 120 characters per line; code, tables and unbreakable text may have more', () => {
  const root = mkdtempSync(join(tmpdir(), 'house-'));
  const long = 'word '.repeat(30).trim();
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  for (const page of ['README.md', 'CONTRIBUTING.md', 'SECURITY.md']) write(page, 'short\n');
  for (const folder of ['test', 'bench', 'scripts', 'clients']) write(`${folder}/a.ts`, '// short\n');
  write(
    'src/a.ts',
    `// ${long}\nconst a = '${long}';\n/**\n * ${long}\n */\n// \`${long}\`.\nconst b = 1; // ${long}\n`,
  );
  write('docs/a.md', `${long}\n\n| ${long} |\n\n- ${long}\n\n\`\`\`\n${long}\n\`\`\`\n\n1. \`${long}\`:\n`);
  expect(wideLinesOf(root)).toEqual(['src/a.ts:1', 'src/a.ts:4', 'docs/a.md:1', 'docs/a.md:5']);
  rmSync(root, { recursive: true });
});
