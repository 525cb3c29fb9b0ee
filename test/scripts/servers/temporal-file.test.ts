// A stored file of another Temporal server is set aside, never opened, and never lost before the next one is set aside.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { removeTemporalFile, setAsideOfOther } = require('../../../scripts/servers/temporal-file.mjs') as {
  removeTemporalFile(folder: string): void;
  setAsideOfOther(folder: string, version: string): string | null;
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'temporal-file-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const store = (text: string) => {
  for (const end of ['', '-wal', '-shm']) writeFileSync(join(folder, `temporal.db${end}`), text + end);
};
const at = (name: string) => readFileSync(join(folder, name), 'utf8');

test('a first start and one of the same version leave the file alone', () => {
  expect(setAsideOfOther(folder, '1.32.0')).toBeNull();
  store('ours');
  expect(setAsideOfOther(folder, '1.32.0')).toBeNull();
  expect(at('temporal.db-wal')).toBe('ours-wal');
});

test('a file of another version, or from before versions were recorded, is set aside with its parts and named once', () => {
  store('old');
  expect(setAsideOfOther(folder, '1.32.0')).toContain('an earlier version');
  expect(existsSync(join(folder, 'temporal.db'))).toBe(false);
  expect(['', '-wal', '-shm'].map((end) => at(`temporal.db.aside${end}`))).toEqual(['old', 'old-wal', 'old-shm']);
  expect(setAsideOfOther(folder, '1.32.0')).toBeNull();
  store('newer');
  expect(setAsideOfOther(folder, '1.33.0')).toContain('1.32.0');
  expect(at('temporal.db.aside')).toBe('newer');
});

test('wiping data keeps the files set aside', () => {
  store('old');
  setAsideOfOther(folder, '1.32.0');
  store('ours');
  removeTemporalFile(folder);
  expect(readdirSync(folder).filter((name) => /^temporal\.db(-|$)/.test(name))).toEqual([]);
  expect(at('temporal.db.aside')).toBe('old');
});
