// package-lock.json is what every machine installs: complete for all platforms, each entry with the hash of its
// content, and without the address of a registry.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Entry {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly optionalDependencies?: Record<string, string>;
}
interface Lock {
  readonly packages: Record<string, Entry>;
}

const root = join(__dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** The faults of a lock file, one line each. */
function faultsOf({ packages }: Lock): string[] {
  return Object.entries(packages).flatMap(([place, entry]) => [
    ...(place !== '' && !entry.integrity?.startsWith('sha512-') ? [`${place} has no sha512 integrity`] : []),
    ...(entry.resolved === undefined ? [] : [`${place} names the registry ${entry.resolved}`]),
    ...Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !isFound(packages, place, name))
      .map((name) => `${place} needs ${name}, which is not listed`),
  ]);
}

// As Node resolves a package: inside the one that needs it, beside it, then in every folder above.
function isFound(packages: Lock['packages'], place: string, name: string): boolean {
  const parts = place === '' ? [] : place.split('/node_modules/');
  const folders = parts.map((_part, depth) => `${parts.slice(0, parts.length - depth).join('/node_modules/')}/`);
  return [...folders, ''].some((folder) => `${folder}node_modules/${name}` in packages);
}

// The fix is a version of the parent for which the registry has all platforms: npm leaves out the others.
test('package-lock.json lists every package for every platform with its integrity, and no registry', () => {
  expect(faultsOf(JSON.parse(read('package-lock.json')))).toEqual([]);
});

test('a lock with a fault is refused', () => {
  const integrity = 'sha512-x';
  const packages = {
    '': {},
    'node_modules/a': {
      integrity,
      optionalDependencies: { 'a-darwin': '1.0.0', 'a-linux': '1.0.0', 'a-win': '1.0.0' },
    },
    'node_modules/a/node_modules/a-darwin': { integrity },
    'node_modules/a-linux': { integrity: 'sha1-x' },
    'node_modules/b': { resolved: 'https://registry.example/b.tgz' },
  };
  expect(faultsOf({ packages })).toEqual([
    'node_modules/a needs a-win, which is not listed',
    'node_modules/a-linux has no sha512 integrity',
    'node_modules/b has no sha512 integrity',
    'node_modules/b names the registry https://registry.example/b.tgz',
  ]);
});

test('no package runs a script of its own while it is installed, and npm writes no registry into the lock', () => {
  const settings = read('.npmrc').split('\n');
  expect(settings).toEqual(expect.arrayContaining(['ignore-scripts=true', 'omit-lockfile-registry-resolved=true']));
  expect(settings.filter((line) => /registry=/.test(line))).toEqual([]);
});
