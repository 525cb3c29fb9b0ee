import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const script = join(__dirname, '../../../scripts/fuzz.mjs');
const fuzz = (args: readonly string[], env: Record<string, string> = {}) =>
  spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', env: { ...process.env, ...env } });

test('without Python it prints what to install, runs nothing, and has its own exit code', () => {
  const { status, stdout, stderr } = fuzz([], { PATH: '', PYTHON: '' });
  expect([status, stdout]).toEqual([3, '']);
  expect(stderr).toContain('There is no Python 3.11 or newer with venv here');
  expect(stderr).toContain('apt-get install python3 python3-venv');
});

test('a PYTHON that does not run counts as missing', () => {
  expect(fuzz([], { PYTHON: '/bin/false' }).status).toBe(3);
});

test('--help lists the options and the exit codes, and an unknown option is refused', () => {
  expect(fuzz(['--help']).stdout).toContain('3 no such Python here');
  const { status, stderr } = fuzz(['--exmples', '3']);
  expect([status, stderr]).toEqual([1, "\nUnknown option '--exmples': see npm run fuzz -- --help.\n"]);
});
