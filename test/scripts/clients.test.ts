// The generated files of the clients are those of the document: `npm run clients` brings them up to date.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { openApiDocument } from '../../src/api/openapi/document';
import { ENDPOINTS } from '../../src/api/operations';
import { BASE_URL } from '../support/api/api';

const { isCurrent } = require('../../scripts/clients/typescript.mjs') as {
  isCurrent(text: string, document: object): boolean;
};
const { renderOperations } = require('../../scripts/clients/operations.mjs') as {
  renderOperations(document: object): string;
};

const FOLDER = join(__dirname, '../../clients/typescript');
const document = openApiDocument(ENDPOINTS, BASE_URL) as { info: { version: string } };
const generated = (name: string): string => readFileSync(join(FOLDER, 'src/generated', name), 'utf8');

test('the types are of the document and as they were generated: if not, run `npm run clients`', () => {
  expect(isCurrent(generated('openapi.ts'), document)).toBe(true);
  expect(isCurrent(generated('openapi.ts').replace('race_id', 'raceId'), document)).toBe(false);
});

test('the table of operations is that of the document: if not, run `npm run clients`', () => {
  expect(generated('operations.ts')).toBe(renderOperations(document));
});

test('the version is that of the document, the licence that of the repository, and nothing is needed at run time', () => {
  const own = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8'));
  const root = JSON.parse(readFileSync(join(FOLDER, '../../package.json'), 'utf8'));
  expect(own).toMatchObject({ version: document.info.version, license: root.license });
  expect(Object.keys(own).filter((name) => name.toLowerCase().includes('dependencies'))).toEqual([]);
  expect(readFileSync(join(FOLDER, 'LICENSE'), 'utf8')).toBe(readFileSync(join(FOLDER, '../../LICENSE'), 'utf8'));
});

test('the command line has the version and the licence of the client, and needs nothing at run time', () => {
  const odds = join(FOLDER, '../odds');
  const [own, client] = [odds, FOLDER].map((folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  expect([own.version, own.license]).toEqual([client.version, client.license]);
  expect(Object.keys(own).filter((name) => name.toLowerCase().includes('dependencies'))).toEqual([]);
  expect(readFileSync(join(odds, 'LICENSE'), 'utf8')).toBe(readFileSync(join(FOLDER, 'LICENSE'), 'utf8'));
});

test('the programs of the README are its examples', () => {
  const readme = readFileSync(join(FOLDER, 'README.md'), 'utf8');
  const programs = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, program]) => program);
  const names = ['next-to-go', 'errors', 'poll', 'pages', 'follow', 'replay', 'webhook'];
  expect(programs).toEqual(names.map((name) => readFileSync(join(FOLDER, 'examples', `${name}.ts`), 'utf8')));
});

test.each(['typescript', 'odds'])(
  'a file of %s that is written by hand has at most 300 lines, a folder fifteen',
  (name) => {
    const sources = join(FOLDER, '..', name, 'src');
    const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
      .map((file) => file.split(sep).join('/'))
      .filter((file) => file.endsWith('.ts') && !file.startsWith('generated/'));
    const lines = (file: string): number => readFileSync(join(sources, file), 'utf8').split('\n').length - 1;
    expect(files.filter((file) => lines(file) > 300)).toEqual([]);
    const folders = Object.values(Object.groupBy(files, (file) => posix.dirname(file)));
    expect(folders.map((one) => one!.length).filter((count) => count > 15)).toEqual([]);
  },
);
