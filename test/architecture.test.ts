// Holds the source to docs/architecture.md: its table "Who may import whom" is read out of the document, never copied
// here.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Arrow, importTable, liesIn } from './support/source/import-table';
import { fileOf, type Import, importsOf, sourceCode, sourceFiles } from './support/source/imports';

const ROOT = join(__dirname, '..');
const DOCUMENT = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
const TABLE = importTable(DOCUMENT);
const ARROWS: Arrow[] = [...TABLE.values()].flat();
const allImports: Import[] = sourceFiles().flatMap(importsOf);
const ownImports = allImports.filter((found) => found.own);

/** A folder of `src`, or a file at its root without extension. */
const roomOf = (path: string): string => path.replace(/\.ts$/, '').replace(/\/.*/, '');
const crossing = ownImports.filter((found) => roomOf(found.from) !== roomOf(found.to));

const importsByFile = new Map<string, string[]>(sourceFiles().map((file) => [file, []]));
for (const found of ownImports) importsByFile.get(found.from)?.push(fileOf(found) ?? found.to);
const importedBy = (file: string): readonly string[] => importsByFile.get(file) ?? [];

const allows = (arrow: Arrow, found: Import): boolean =>
  liesIn(found.from.replace(/\.ts$/, ''), arrow.from) &&
  liesIn(found.to, arrow.to) &&
  (found.typeOnly || !arrow.typeOnly);

const describeImport = (i: Import): string => `${i.from} → ${i.to}${i.typeOnly ? ' (type)' : ''}`;

const describeArrow = (arrow: Arrow): string => `${arrow.from} → ${arrow.to}${arrow.typeOnly ? ' (types)' : ''}`;

test('every folder of src and every file at its root has a row in the table', () => {
  expect([...new Set(sourceFiles().map(roomOf))].filter((room) => !TABLE.has(room))).toEqual([]);
});

test('every row and every arrow of the table is in use', () => {
  const files = sourceFiles().map((file) => file.replace(/\.ts$/, ''));
  expect([...TABLE.keys()].filter((place) => !files.some((file) => liesIn(file, place)))).toEqual([]);
  expect(ARROWS.filter((arrow) => !crossing.some((found) => allows(arrow, found))).map(describeArrow)).toEqual([]);
});

test('no file imports what the table does not allow', () => {
  expect(crossing.length).toBeGreaterThan(100);
  const forbidden = crossing.filter((found) => !ARROWS.some((arrow) => allows(arrow, found)));
  expect(forbidden.map(describeImport)).toEqual([]);
});

test('no files import each other in a circle, types included', () => {
  expect(sourceFiles().flatMap(circleThrough)).toEqual([]);
});

/** The shortest way from a file back to itself along imports, as one line; empty when there is none. */
function circleThrough(file: string): string[] {
  const before = new Map<string, string>();
  const queue = [file];
  for (const from of queue) {
    for (const to of importedBy(from)) {
      if (to === file) return [wayTo(from, before).concat(file).join(' → ')];
      if (before.has(to)) continue;
      before.set(to, from);
      queue.push(to);
    }
  }
  return [];
}

function wayTo(file: string, before: ReadonlyMap<string, string>): string[] {
  const previous = before.get(file);
  return previous === undefined ? [file] : [...wayTo(previous, before), file];
}

test('domain and plans use no package, no Node built-in, no clock and no randomness', () => {
  const pure = sourceFiles().filter((f) => /^(domain|plans)\//.test(f));
  expect(pure.length).toBeGreaterThan(10);
  expect(allImports.filter((i) => pure.includes(i.from) && !i.own).map(describeImport)).toEqual([]);
  const impure = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\.|\bsetTimeout\(|\bcrypto\b/;
  expect(pure.filter((f) => impure.test(sourceCode(f)))).toEqual([]);
});

test('there is no import path from feeds to api', () => {
  const reached = new Set(sourceFiles().filter((file) => file.startsWith('feeds/')));
  for (const file of reached) for (const next of importedBy(file)) reached.add(next);
  expect([...reached].filter((file) => file.startsWith('api/'))).toEqual([]);
});

test('the second reader of audits and the mappers share no code but what counts as a price', () => {
  const isReader = (file: string) => file.startsWith('domain/quality/second-reader/');
  const readers = sourceFiles().filter(isReader);
  const reached = new Set(readers);
  for (const file of reached) for (const next of importedBy(file)) reached.add(next);
  expect(readers.length).toBeGreaterThan(4);
  expect([...reached].filter((file) => file.startsWith('feeds/') || file === 'domain/sports/read-market.ts')).toEqual(
    [],
  );
  const byMappers = new Set(
    sourceFiles()
      .filter((file) => file.startsWith('feeds/'))
      .flatMap(importedBy),
  );
  expect([...byMappers].filter(isReader)).toEqual([]);
  // The price rule, what an empty box is called, and types.
  const shared = [...reached].filter((file) => byMappers.has(file));
  expect(
    shared.filter((file) => !/^domain\/(prices\/price|race\/(runner|race|sport)|sports\/sports)\.ts$/.test(file)),
  ).toEqual([]);
});

test('every file and folder that the document names exists', () => {
  const named = [...DOCUMENT.matchAll(/`((?:src|migrations|scripts|bench|test)\b[\w./-]*)`/g)].map(([, path]) => path!);
  const rooms = folderRows().flatMap(([folder, text]) =>
    [...text.matchAll(/`([\w-]+\/)`/g)].map(([, room]) => join(folder, room!)),
  );
  expect(named.length).toBeGreaterThan(25);
  expect(rooms.length).toBeGreaterThan(25);
  expect([...named, ...rooms].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('the table of folders names every folder of src', () => {
  const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const named = folderRows().map(([folder]) => folder);
  expect(folders.map(({ name }) => `src/${name}`).filter((folder) => !named.includes(folder))).toEqual([]);
});

/** Rows of the table of folders: the folder and what it holds. */
function folderRows(): [string, string][] {
  const [, section = ''] = /\n## Folders\n([\s\S]*?)\n## /.exec(DOCUMENT) ?? [];
  return [...section.matchAll(/^\| `([\w/-]+)` \| (.+) \|$/gm)].map(([, folder, text]) => [folder!, text!]);
}

test('the way of one price has ten files, each with one sentence', () => {
  const [, section = ''] = /\n## The way of one price, from wire to wire\n([\s\S]*?)\n## /.exec(DOCUMENT) ?? [];
  const steps = section
    .split(/\n(?=\d+\. )/)
    .filter((step) => /^\d+\. `(src|migrations)\/[\w./-]+` [^`]+(?:`[^`]+`[^`]*)*\.\n?$/.test(step));
  expect(steps).toHaveLength(10);
});

test('SQL text stands only in store (and migrations)', () => {
  const sql = /\b(SELECT\s+[\w"*(]|INSERT INTO|UPDATE \w+ SET|DELETE FROM|CREATE TABLE)/;
  const others = sourceFiles().filter((f) => !f.startsWith('store/'));
  expect(others.filter((f) => sql.test(sourceCode(f)))).toEqual([]);
});

test('only store talks to PostgreSQL and Redis; wiring and the entries build the connections through it', () => {
  const drivers = allImports.filter((i) => ['pg', 'ioredis'].includes(i.to) && !i.from.startsWith('store/'));
  expect(drivers.filter((i) => !i.typeOnly).map(describeImport)).toEqual([]);
});

test('process.env is read in config alone', () => {
  expect(sourceFiles().filter((f) => /\bprocess\.env\b/.test(sourceCode(f)))).toEqual(['config/index.ts']);
});

/** Of `src/api`, from below: what serves any declaration, what subjects share, the subjects. */
const FLOORS = ['api/kernel/', 'api/wire/', 'api/operations/'];

test.each(FLOORS.slice(0, -1))('%s imports nothing of a floor above it', (floor) => {
  const above = FLOORS.slice(FLOORS.indexOf(floor) + 1);
  const up = ownImports.filter(({ from, to }) => from.startsWith(floor) && above.some((each) => to.startsWith(each)));
  expect(sourceFiles().filter((file) => file.startsWith(floor)).length).toBeGreaterThan(10);
  expect(up.map(describeImport)).toEqual([]);
});

test('an operation is imported by the list alone', () => {
  const list = 'api/operations/index.ts';
  const operations = importedBy(list).filter((file) => file.startsWith('api/operations/'));
  const others = ownImports.filter((found) => found.from !== list && operations.includes(fileOf(found) ?? ''));
  expect(operations.length).toBeGreaterThan(100);
  expect(others.map(describeImport)).toEqual([]);
});

/**
 * Made anew by each that needs one. Of the boards there are two: streams wait for the database in another way than
 * requests, and widgets show nothing that was read before an outage.
 */
const BUILDING_BLOCKS = [
  'createOwnWindows',
  'createFairTurns',
  'createWorkBudget',
  'createBetslipBoard',
  'createSportsBoard',
];

test('what operations and pages share is made in one place: two counts of a limit would admit twice as much', () => {
  const files = sourceFiles().filter((file) => !file.startsWith('ops/'));
  const code = files.map(sourceCode);
  const made = files
    .filter((file) => file.startsWith('api/'))
    .flatMap((file) => [...sourceCode(file).matchAll(/^export (?:function|const) (create[A-Z]\w*)/gm)])
    .map(([, name]) => name!);
  const callsOf = (name: string) =>
    code.reduce((sum, text) => sum + (text.match(new RegExp(`(?<!function )\\b${name}\\(`, 'g')) ?? []).length, 0);
  expect(made.length).toBeGreaterThan(50);
  expect(made.filter((name) => !BUILDING_BLOCKS.includes(name) && callsOf(name) > 1)).toEqual([]);
  expect(BUILDING_BLOCKS.filter((name) => callsOf(name) < 2)).toEqual([]);
});

test('no file is longer than 300 lines, except data tables', () => {
  const long = sourceFiles().filter((f) => !f.endsWith('.data.ts') && sourceCode(f).split('\n').length > 300);
  expect(long).toEqual([]);
});

test('a folder has at most fifteen loose files', () => {
  const loose = new Map<string, number>();
  for (const file of sourceFiles()) loose.set(dirname(file), (loose.get(dirname(file)) ?? 0) + 1);
  const full = [...loose].filter(([, count]) => count > 15);
  expect(loose.size).toBeGreaterThan(50);
  expect(full).toEqual([]);
});

test('there is no folder or file named for nothing', () => {
  expect(sourceFiles().filter((f) => /(^|[/-])(utils?|helpers?|common|misc|manager)(\.ts|\/|-)/.test(f))).toEqual([]);
});
