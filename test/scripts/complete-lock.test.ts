import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Lock {
  packages: Record<string, object>;
}
const { completeLock } = require('../../scripts/complete-lock.mjs') as {
  completeLock(lock: Lock): { lock: Lock; added: string[] };
};

const parent = (name: string) => ({ version: '2.0.0', dev: true, optionalDependencies: { [name]: '2.0.0' } });

test('a package for another platform that the lock lacks is added, so that npm skips it there and finds it elsewhere', () => {
  const { lock, added } = completeLock({ packages: { '': {}, 'node_modules/a': parent('a-linux-x64-musl') } });
  expect(added).toEqual(['node_modules/a-linux-x64-musl']);
  expect(lock.packages['node_modules/a-linux-x64-musl']).toEqual({
    version: '2.0.0',
    dev: true,
    optional: true,
    os: ['linux'],
    cpu: ['x64'],
    libc: ['musl'],
  });
});

test('one that is there is left as it is, also when it lies deeper', () => {
  const packages = {
    '': {},
    'node_modules/a': parent('b-darwin-arm64'),
    'node_modules/a/node_modules/b-darwin-arm64': {},
  };
  expect(completeLock({ packages }).added).toEqual([]);
});

test('an optional package that is for no platform is not guessed', () => {
  expect(() => completeLock({ packages: { '': {}, 'node_modules/a': parent('colours') } })).toThrow(
    'colours does not say which platform it is for.',
  );
});

test('package-lock.json is complete: else `npm ci` refuses it (mend it with node scripts/complete-lock.mjs)', () => {
  const lock = JSON.parse(readFileSync(join(__dirname, '../../package-lock.json'), 'utf8')) as Lock;
  expect(completeLock(lock).added).toEqual([]);
});
