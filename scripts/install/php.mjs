// PHP for the programs of the guides: packages of this machine's distribution, unpacked into the cache with the
// libraries that they need. Nothing is installed on the machine; apt verifies what it downloads.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onPath } from '../process/on-path.mjs';
import { outputOf, run } from '../process/run.mjs';
import { cacheRoot, installed } from './cache-folder.mjs';
import { aptEnvironment } from './debian-root.mjs';
import { removeTree } from './remove-tree.mjs';

/** Every machine has these, and they belong together. */
const OF_THE_MACHINE = /^lib(?:c6|gcc-s1|crypt1)$/;

/**
 * The program, which runs without configuration and extensions. Null if there is no apt, or no such package.
 * @param {{ signal: AbortSignal, logs: string }} ctx
 * @returns {Promise<string | null>}
 */
export async function ensurePhp(ctx) {
  if (!onPath('apt-get') || !onPath('dpkg-deb')) return null;
  const name = (await programPackage()) ?? (await afterRefresh(ctx));
  if (!name) return null;
  const folder = join(cacheRoot(), `${name}-1`);
  await installed(folder, (target) => unpack(target, name, ctx), { signal: ctx.signal });
  return join(folder, 'bin/php');
}

/** `php8.2-cli`. */
const programPackage = async () => (await dependenciesOf('php-cli')).find((name) => /^php[\d.]+-cli$/.test(name));

async function afterRefresh({ signal, logs }) {
  if (process.getuid?.() !== 0) return null;
  const options = { signal, log: join(logs, 'apt-get.log'), env: aptEnvironment, what: 'apt-get update' };
  await run('apt-get', ['update'], options);
  return programPackage();
}

async function dependenciesOf(name) {
  const text = (await outputOf('apt-cache', ['depends', '--important', name])) ?? '';
  return [...text.matchAll(/^ [ |]Depends: ([^<\s]\S*)$/gm)].map(([, one]) => one);
}

/** With those that they need in turn. */
async function librariesOf(name, found = new Set()) {
  const own = (await dependenciesOf(name)).filter((one) => one.startsWith('lib') && !OF_THE_MACHINE.test(one));
  for (const one of own.filter((each) => !found.has(each))) {
    found.add(one);
    await librariesOf(one, found);
  }
  return found;
}

async function unpack(target, name, { signal, logs }) {
  const log = join(logs, 'php.log');
  const archives = join(target, 'archives');
  mkdirSync(archives);
  const wanted = [name, ...(await librariesOf(name))];
  // As root, apt downloads as its own user, to whom the folder does not belong; apt reports that and continues.
  await run('apt-get', ['download', ...wanted], { cwd: archives, signal, log, env: aptEnvironment });
  for (const file of readdirSync(archives)) {
    await run('dpkg-deb', ['-x', join(archives, file), target], { signal, log });
  }
  removeTree(archives);
  mkdirSync(join(target, 'bin'));
  writeFileSync(join(target, 'bin/php'), starter(name.replace('-cli', '')), { mode: 0o755 });
}

const starter = (program) => `#!/bin/sh
here=$(dirname "$0")/..
libraries=$here/lib/$(uname -m)-linux-gnu:$here/usr/lib/$(uname -m)-linux-gnu
LD_LIBRARY_PATH=$libraries exec "$here/usr/bin/${program}" -n "$@"
`;
