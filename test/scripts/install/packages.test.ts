import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { packagesAreFresh } = require('../../../scripts/install/packages.mjs') as {
  packagesAreFresh(root: string, dev?: boolean): boolean;
};

interface Package {
  version?: string;
  integrity?: string;
  optional?: boolean;
  dev?: boolean;
  name?: string;
}
type Packages = Record<string, Package>;
const wanted: Packages = {
  '': { name: 'service' },
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/for-another-platform': { version: '1.0.0', integrity: 'sha512-p', optional: true },
  'node_modules/of-tests': { version: '1.0.0', integrity: 'sha512-t', dev: true },
};
const a = { version: '1.0.0', integrity: 'sha512-a' };
const present: Packages = { 'node_modules/a': a, 'node_modules/of-tests': wanted['node_modules/of-tests']! };

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'packages-'));
  mkdirSync(join(root, 'node_modules'));
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: wanted }));
});
afterEach(() => rmSync(root, { recursive: true }));

const install = (packages: Packages) =>
  writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages }));

test('an installation that matches the lock file is fresh, even without the packages of other platforms', () => {
  install(present);
  expect(packagesAreFresh(root)).toBe(true);
});

test('a start needs no test packages, and accepts those that are there', () => {
  install({ 'node_modules/a': a });
  expect([packagesAreFresh(root), packagesAreFresh(root, false)]).toEqual([false, true]);
  install(present);
  expect([packagesAreFresh(root), packagesAreFresh(root, false)]).toEqual([true, true]);
  install({ 'node_modules/of-tests': wanted['node_modules/of-tests']! });
  expect(packagesAreFresh(root, false)).toBe(false);
});

test('with nothing installed, or an installation that never finished, it is not fresh', () => {
  expect(packagesAreFresh(root)).toBe(false);
});

test.each<[string, Packages]>([
  ['another version', { ...present, 'node_modules/a': { ...a, version: '1.0.1' } }],
  ['another content', { ...present, 'node_modules/a': { ...a, integrity: 'sha512-b' } }],
  ['a package too few', {}],
  ['a package too many', { ...present, 'node_modules/b': { version: '1.0.0', integrity: 'sha512-b' } }],
])('%s is stale', (_what, packages) => {
  install(packages);
  expect(packagesAreFresh(root)).toBe(false);
});
