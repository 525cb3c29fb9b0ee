// The Python client of this checkout: its generated files are those of the document, and its README has its examples.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { openApiDocument } from '../../src/api/openapi/document';
import { ENDPOINTS } from '../../src/api/operations';
import { BASE_URL } from '../support/api/api';

const { pythonFiles } = require('../../scripts/clients/python.mjs') as {
  pythonFiles(root: string, document: object): readonly (readonly [file: string, text: string])[];
};

const ROOT = join(__dirname, '../..');
const FOLDER = join(ROOT, 'clients/python');
const SOURCE = join(FOLDER, 'src/racing_odds_client');
const document = openApiDocument(ENDPOINTS, BASE_URL) as { info: { version: string } };

test('the generated files are those of the document: if not, run `npm run clients`', () => {
  for (const [file, text] of pythonFiles(ROOT, document)) expect(readFileSync(file, 'utf8')).toBe(text);
});

test('the version is that of the document, and the licence that of the repository', () => {
  const [, version] = /^__version__ = "(.*)"$/m.exec(readFileSync(join(SOURCE, 'version.py'), 'utf8'))!;
  expect(version).toBe(document.info.version);
  expect(readFileSync(join(FOLDER, 'LICENSE'), 'utf8')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
});

test('the programs of the README are its examples', () => {
  const readme = readFileSync(join(FOLDER, 'README.md'), 'utf8');
  const programs = [...readme.matchAll(/^```python\n(.*?)^```$/gms)].map(([, program]) => program);
  const names = ['next_to_go', 'errors', 'poll', 'pages', 'frames', 'follow', 'replay', 'backtest', 'webhook'];
  expect(programs).toEqual(names.map((name) => readFileSync(join(FOLDER, 'examples', `${name}.py`), 'utf8')));
  const files = readdirSync(join(FOLDER, 'examples')).filter((file) => file.endsWith('.py'));
  expect(files.sort()).toEqual(names.map((name) => `${name}.py`).sort());
});

test('a file that is written by hand has at most 300 lines, and a folder fifteen files', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => file.endsWith('.py') && !file.startsWith('generated/'));
  const lines = (file: string): number => readFileSync(join(SOURCE, file), 'utf8').split('\n').length - 1;
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((file) => lines(file) > 300)).toEqual([]);
  const folders = Object.values(Object.groupBy(files, (file) => posix.dirname(file)));
  expect(folders.map((one) => one!.length).filter((count) => count > 15)).toEqual([]);
});
