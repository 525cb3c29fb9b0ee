import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Project {
  readonly name: string;
  readonly groupOf: number;
}
const { chunks, writeGroups } = require('../../../scripts/jest/groups.mjs') as {
  chunks<T>(all: readonly T[], most: number): T[][];
  writeGroups(root: string, folder: string): void;
};
const { KIND_OF, PROJECTS, filesOf, testFiles } = require('../../../scripts/jest/projects.mjs') as {
  KIND_OF: Readonly<Record<string, string>>;
  PROJECTS: readonly Project[];
  filesOf(root: string, project: Project): string[];
  testFiles(root: string): string[];
};

const ROOT = join(__dirname, '../../..');

test('every test file has a kind, every folder of the map has tests, and the document lists the same folders', () => {
  const all = PROJECTS.flatMap((project) => filesOf(ROOT, project));
  expect(all.sort()).toEqual(testFiles(ROOT));
  const folders = Object.keys(KIND_OF);
  expect(folders.filter((folder) => !all.some((file) => file === folder || file.startsWith(`${folder}/`)))).toEqual([]);
  const page = readFileSync(join(ROOT, 'docs/testing.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)].filter(([, name]) =>
    PROJECTS.some((one) => one.name === name),
  );
  const listed = rows.flatMap(([, kind, column]) =>
    [...column!.matchAll(/`([^`]+)`/g)].map(([, folder]) => [folder, kind]),
  );
  expect(Object.fromEntries(listed)).toEqual(KIND_OF);
});

test('the groups of a whole run contain every file of their kinds, each once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'groups-'));
  try {
    writeGroups(ROOT, folder);
    const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    const members = sources.flatMap((source) => JSON.parse(source.slice(source.indexOf('['), source.indexOf(']') + 1)));
    const grouped = PROJECTS.filter(({ groupOf }) => groupOf > 1).flatMap((project) => filesOf(ROOT, project));
    expect(members.sort()).toEqual(grouped.sort());
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('groups are of nearly the same size, and none exceeds the maximum', () => {
  const sizes = (count: number) => chunks([...Array(count).keys()], 10).map((group) => group.length);
  expect(sizes(11)).toEqual([6, 5]);
  expect(sizes(10)).toEqual([10]);
  expect(sizes(0)).toEqual([]);
  expect(chunks([1, 2, 3], 2).flat()).toEqual([1, 2, 3]);
});
