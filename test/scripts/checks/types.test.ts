// No file of JavaScript is left out of the type checks of `npm run check`.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const ROOT = join(__dirname, '../../..');

/** As paths from the root. */
function checkedBy(project: string): string[] {
  const args = [join(ROOT, 'node_modules/.bin/tsc'), '--showConfig', '--project', project];
  const { compilerOptions, files } = JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }));
  expect(compilerOptions).toMatchObject({ checkJs: true, strict: true });
  return files.map((file: string) => relative(ROOT, resolve(ROOT, project, file)));
}

function scriptsIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (['node_modules', 'dist'].includes(entry.name) || entry.name.startsWith('.')) return [];
    if (entry.isDirectory()) return scriptsIn(path);
    return /\.[cm]?js$/.test(entry.name) ? [path] : [];
  });
}

test('every script and every module of the browser is checked', () => {
  const scripts = scriptsIn('.');
  expect(scripts.length).toBeGreaterThan(100);
  expect([...checkedBy('scripts'), ...checkedBy('src/web/assets')].sort()).toEqual(scripts.sort());
  expect(scripts.filter((file) => /@ts-(nocheck|ignore)/.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});
