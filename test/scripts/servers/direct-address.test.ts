// A script that gives a program another DATABASE_URL gives it a DATABASE_DIRECT_URL too: with the shell's, its commands
// would go to the shell's database.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { directAddress } from '../../../scripts/app/processes.mjs';
import { memberOf, within } from '../../boundary/source';

const ROOT = join(__dirname, '../../..');

const filesOf = (folder: string, ends: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => ends.test(file))
    .map((file) => join(folder, file));

test('every environment with a DATABASE_URL of its own has a direct address of its own', () => {
  const environments = filesOf('scripts', /\.mjs$/).flatMap((file) => {
    const { body } = parseSync(readFileSync(join(ROOT, file), 'utf8'), { syntax: 'ecmascript' });
    return within(body, (node) =>
      node.type === 'ObjectExpression' && memberOf(node, 'DATABASE_URL')
        ? { file, isOwn: memberOf(node, 'DATABASE_DIRECT_URL') !== undefined }
        : undefined,
    );
  });
  expect(environments.length).toBeGreaterThan(10);
  expect(environments.filter(({ isOwn }) => !isOwn)).toEqual([]);
});

test('tests and benches that set DATABASE_URL for all their programs set the direct address with it', () => {
  const set = /process\.env\.DATABASE_URL = \w/;
  const files = [...filesOf('test', /\.(ts|mjs)$/), ...filesOf('bench', /\.ts$/)].filter((file) =>
    set.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  expect(files.length).toBeGreaterThan(2);
  expect(files.filter((file) => !/DATABASE_DIRECT_URL = ''/.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});

test('the shell’s direct address counts with the shell’s database alone', () => {
  const shell = { DATABASE_URL: 'postgres://pooler/racing', DATABASE_DIRECT_URL: 'postgres://server/racing' };
  expect(directAddress('postgres://pooler/racing', shell)).toBe('postgres://server/racing');
  expect(directAddress('postgres://127.0.0.1/own', shell)).toBe('');
  expect(directAddress(undefined, {})).toBe('');
});
