// Compares the source with docs/architecture.md: the floors and their exceptions are read from the document, never
// copied here.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { floorsInsideApi, liesIn, type Named, placeIn, type Rule, readFloors } from './support/source/floors';
import { fileOf, type Import, importsOf, sourceCode, sourceFiles } from './support/source/imports';

const ROOT = join(__dirname, '..');
const DOCUMENT = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
const FLOORS = readFloors(DOCUMENT);
const allImports: Import[] = sourceFiles().flatMap(importsOf);
const ownImports = allImports.filter((found) => found.own);

const withoutEnding = (file: string): string => file.replace(/\.ts$/, '');
/** A folder of `src`, or a file at its root without extension. */
const roomOf = (path: string): string => withoutEnding(path).replace(/\/.*/, '');
const crossing = ownImports.filter((found) => roomOf(found.from) !== roomOf(found.to));

const importsByFile = new Map<string, string[]>(sourceFiles().map((file) => [file, []]));
for (const found of ownImports) importsByFile.get(found.from)?.push(fileOf(found) ?? found.to);
const importedBy = (file: string): readonly string[] => importsByFile.get(file) ?? [];

/** These files and everything that they import, directly or not: each with the first file found that imports it. */
function reachedFrom(files: readonly string[]): ReadonlyMap<string, string> {
  const reached = new Map(files.map((file) => [file, '']));
  for (const [file] of reached) for (const next of importedBy(file)) if (!reached.has(next)) reached.set(next, file);
  return reached;
}

/** The place in the table that contains a path. */
const placeOf = (path: string): string | undefined => placeIn(FLOORS.floorOf, withoutEnding(path));
const isOn = ({ places }: Named, path: string): boolean => places.includes(placeOf(path) ?? '');
const covers = ({ places }: Named, path: string): boolean => places.some((each) => liesIn(withoutEnding(path), each));
const filesOn = (named: readonly Named[]): string[] =>
  sourceFiles().filter((file) => named.some((each) => isOn(each, file)));

const describeImport = (i: Import): string => `${i.from} → ${i.to}${i.typeOnly ? ' (type)' : ''}`;

test('every file of src is on a floor, and every place in the table has files', () => {
  expect(sourceFiles().filter((file) => placeOf(file) === undefined)).toEqual([]);
  const places = new Set(sourceFiles().map(placeOf));
  expect([...FLOORS.floorOf.keys()].filter((place) => !places.has(place))).toEqual([]);
});

/** Imports that lead to a higher floor, or to another room of the same floor. */
const upOrSideways = (floorOf: ReadonlyMap<string, number>, isSameRoom: (found: Import) => boolean): Import[] =>
  ownImports.filter((found) => {
    const from = floorOf.get(placeIn(floorOf, withoutEnding(found.from)) ?? '');
    const to = floorOf.get(placeIn(floorOf, found.to) ?? '');
    if (from === undefined || to === undefined) return false;
    return to > from || (to === from && !isSameRoom(found));
  });

test('a file imports only its own room and lower floors', () => {
  expect(crossing.length).toBeGreaterThan(100);
  expect(upOrSideways(FLOORS.floorOf, ({ from, to }) => roomOf(from) === roomOf(to)).map(describeImport)).toEqual([]);
});

test('a folder inside api imports only lower floors', () => {
  const inside = floorsInsideApi(DOCUMENT);
  const isSameFolder = ({ from, to }: Import) => placeIn(inside, from) === placeIn(inside, to);
  expect([...inside.keys()].filter((place) => !existsSync(join(ROOT, 'src', place)))).toEqual([]);
  expect(inside.size).toBeGreaterThan(3);
  expect(upOrSideways(inside, isSameFolder).map(describeImport)).toEqual([]);
});

/** `to` of a rule "imports only". */
const admits = (named: Named, found: Import): boolean => covers(named, found.to) && (found.typeOnly || !named.typeOnly);

test('a room with a rule "imports only" imports nothing else', () => {
  const others = crossing.filter((found) => {
    const rules = FLOORS.importsOnly.filter(({ from }) => from.some((each) => covers(each, found.from)));
    return rules.length > 0 && !rules.some(({ to }) => to.some((each) => admits(each, found)));
  });
  expect(others.map(describeImport)).toEqual([]);
});

test('code with a rule "only … import" is imported by nothing else', () => {
  const others = FLOORS.importedOnlyBy.flatMap(({ from, to }) =>
    crossing.filter(
      (found) =>
        !found.typeOnly && to.some((each) => isOn(each, found.to)) && !from.some((each) => covers(each, found.from)),
    ),
  );
  expect(others.map(describeImport)).toEqual([]);
});

test.each(FLOORS.unreachable)('no chain of imports leads from $from.0.name to $to.0.name, nor to …', ({ from, to }) => {
  const forbidden = filesOn(to);
  const reached = reachedFrom(filesOn(from));
  expect(reached.size).toBeGreaterThan(10);
  expect(forbidden.length).toBeGreaterThan(10);
  expect(forbidden.filter((file) => reached.has(file)).map((file) => `${reached.get(file)} → ${file}`)).toEqual([]);
});

/** Unneeded names in a rule: no import of the kind connects them to the other side of the rule. */
function unusedIn({ from, to }: Rule, isOfKind: (found: Import) => boolean): string[] {
  const imports = crossing.filter(isOfKind);
  const isUsed = (importer: Named, imported: Named): boolean =>
    imports.some((found) => covers(importer, found.from) && covers(imported, found.to));
  const unused = [
    ...from.filter((importer) => !to.some((each) => isUsed(importer, each))),
    ...to.filter((imported) => !from.some((each) => isUsed(each, imported))),
  ];
  return unused.map(({ name }) => name);
}

test('everything that a rule of the floors names is in use', () => {
  const { importsOnly, importedOnlyBy, unreachable } = FLOORS;
  expect(importsOnly.flatMap((rule) => unusedIn(rule, () => true))).toEqual([]);
  expect(importedOnlyBy.flatMap((rule) => unusedIn(rule, ({ typeOnly }) => !typeOnly))).toEqual([]);
  const places = unreachable.flatMap(({ from, to }) => [...from, ...to]);
  expect(places.filter((each) => filesOn([each]).length === 0)).toEqual([]);
});

test('no files import each other in a circle, types included', () => {
  expect(sourceFiles().flatMap(circleThrough)).toEqual([]);
});

/** The shortest path from a file back to itself along imports, as one line; empty if there is none. */
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
  const reached = reachedFrom(sourceFiles().filter((file) => file.startsWith('feeds/')));
  expect([...reached.keys()].filter((file) => file.startsWith('api/'))).toEqual([]);
});

test('the second reader of audits and the mappers share only what counts as a price', () => {
  const isReader = (file: string) => file.startsWith('domain/quality/second-reader/');
  const readers = sourceFiles().filter(isReader);
  const reached = reachedFrom(readers);
  expect(readers.length).toBeGreaterThan(4);
  expect(
    [...reached.keys()].filter((file) => file.startsWith('feeds/') || file === 'domain/sports/read-market.ts'),
  ).toEqual([]);
  const byMappers = new Set(
    sourceFiles()
      .filter((file) => file.startsWith('feeds/'))
      .flatMap(importedBy),
  );
  expect([...byMappers].filter(isReader)).toEqual([]);
  // The price rule, the name of an empty box, and types.
  const shared = [...reached.keys()].filter((file) => byMappers.has(file));
  expect(
    shared.filter((file) => !/^domain\/(prices\/price|race\/(runner|race|sport)|sports\/sports)\.ts$/.test(file)),
  ).toEqual([]);
});

test('every file and folder that the document names exists', () => {
  const named = [...DOCUMENT.matchAll(/`((?:src|migrations|scripts|bench|test)\b[\w./-]*)`/g)].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(25);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('a room with folders has a README.md, and what it names exists', () => {
  const rooms = foldersOf(join(ROOT, 'src')).filter((room) => foldersOf(room).length > 0);
  const readmes = rooms.map((room) => join(room, 'README.md'));
  expect(readmes.filter((file) => !existsSync(file))).toEqual([]);
  const texts = readmes.map((file) => ({ room: dirname(file), text: readFileSync(file, 'utf8') }));
  const named = texts.flatMap(({ room, text }) =>
    [...text.matchAll(/`([\w./-]+(?:\/|\.ts|\.mjs))`/g)].map(([, path]) => join(room, path!)),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
  expect(texts.filter(({ text }) => text.split('\n').some((line) => line.length > 120))).toEqual([]);
});

const foldersOf = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [join(folder, entry.name)] : [],
  );

test('the path of one price has ten files, each with one sentence', () => {
  const [, section = ''] = /\n## The way of one price, from wire to wire\n([\s\S]*?)\n## /.exec(DOCUMENT) ?? [];
  const steps = section
    .split(/\n(?=\d+\. )/)
    .filter((step) => /^\d+\. `(src|migrations)\/[\w./-]+` [^`]+(?:`[^`]+`[^`]*)*\.\n?$/.test(step));
  expect(steps).toHaveLength(10);
});

test('SQL is only in store (and migrations)', () => {
  const sql = /\b(SELECT\s+[\w"*(]|INSERT INTO|UPDATE \w+ SET|DELETE FROM|CREATE TABLE)/;
  const others = sourceFiles().filter((f) => !f.startsWith('store/'));
  expect(others.filter((f) => sql.test(sourceCode(f)))).toEqual([]);
});

test('only store talks to PostgreSQL and Redis; wiring and the entries build the connections through it', () => {
  const drivers = allImports.filter((i) => ['pg', 'ioredis'].includes(i.to) && !i.from.startsWith('store/'));
  expect(drivers.filter((i) => !i.typeOnly).map(describeImport)).toEqual([]);
});

test('process.env is read only in config', () => {
  expect(sourceFiles().filter((f) => /\bprocess\.env\b/.test(sourceCode(f)))).toEqual(['config/index.ts']);
});

test('only the list imports operations', () => {
  const list = 'api/operations/index.ts';
  const operations = importedBy(list).filter((file) => file.startsWith('api/operations/'));
  const others = ownImports.filter((found) => found.from !== list && operations.includes(fileOf(found) ?? ''));
  expect(operations.length).toBeGreaterThan(100);
  expect(others.map(describeImport)).toEqual([]);
});

/**
 * Each user creates its own. There are two boards: streams wait for the database differently from requests, and widgets
 * show nothing that was read before an outage.
 */
const BUILDING_BLOCKS = [
  'createOwnWindows',
  'createFairTurns',
  'createWorkBudget',
  'createBetslipBoard',
  'createSportsBoard',
];

test('what operations and pages share is created in one place, because two counts of a limit would admit twice as much', () => {
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

test('no folder or file has a meaningless name', () => {
  expect(sourceFiles().filter((f) => /(^|[/-])(utils?|helpers?|common|misc|manager)(\.ts|\/|-)/.test(f))).toEqual([]);
});
