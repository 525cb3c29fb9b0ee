// pgBackRest from the suite of the Debian root, only for the backup drill: unpacked into its own folder in the cache,
// with the libraries that the root lacks. The root itself, which every start uses, is only read. apt chooses the
// packages by the root's list and verifies them with the root's keys.
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../command/problem.mjs';
import { onPath } from '../process/on-path.mjs';
import { run } from '../process/run.mjs';
import { cacheRoot, installed } from './cache-folder.mjs';
import { aptEnvironment, debianRoot, suite } from './debian-root.mjs';
import { requireSpace } from './disk-space.mjs';
import { removeTree } from './remove-tree.mjs';

const KEYS = 'usr/share/keyrings/debian-archive-keyring.gpg';

/** The folder with `usr/bin/pgbackrest`. The Debian root must exist. */
export function ensurePgbackrest({ progress, signal, logs }) {
  const onWait = () => progress.note('… another process is installing pgBackRest; waiting for it');
  const build = (target) => progress.step('Installing pgBackRest', () => unpack(target, { signal, logs }));
  return installed(join(cacheRoot(), `pgbackrest-${suite}-1`), build, { signal, onWait });
}

async function unpack(target, { signal, logs }) {
  for (const tool of ['apt-get', 'dpkg-deb'])
    if (!onPath(tool)) throw new Problem(`pgBackRest cannot be installed here: the tool ${tool} is missing.`);
  requireSpace(cacheRoot(), 200, 'installing pgBackRest');
  const work = join(target, 'apt');
  for (const folder of ['lists/partial', 'cache/archives/partial', 'unpacked'])
    mkdirSync(join(work, folder), { recursive: true });
  writeFileSync(join(work, 'sources.list'), signedBy(join(debianRoot(), KEYS), sourcesOfRoot()));
  const apt = (what, ...words) =>
    run('apt-get', [...optionsOf(work), ...words], {
      signal,
      log: join(logs, 'pgbackrest-apt.log'),
      env: aptEnvironment,
      what,
    });
  await apt('apt-get update', 'update');
  await apt('The download of pgBackRest', 'install', '-y', '--download-only', 'pgbackrest');
  const archives = join(work, 'cache/archives');
  for (const file of readdirSync(archives).filter((name) => name.endsWith('.deb')))
    await run('dpkg-deb', ['-x', join(archives, file), join(work, 'unpacked')], {
      signal,
      log: join(logs, 'dpkg-deb.log'),
    });
  renameSync(join(work, 'unpacked/usr'), join(target, 'usr'));
  removeTree(work);
}

const sourcesOfRoot = () => readFileSync(join(debianRoot(), 'etc/apt/sources.list'), 'utf8');

/** Lines of a sources.list that name no keys, with these keys added. */
export const signedBy = (keys, sources) => sources.replace(/^deb (?!\[)/gm, `deb [signed-by=${keys}] `);

/** Its own lists and archives: neither this machine's packages nor the root's change. */
const optionsOf = (work) =>
  Object.entries({
    'Dir::Etc::SourceList': join(work, 'sources.list'),
    'Dir::Etc::SourceParts': join(work, 'none'),
    'Dir::State::Lists': join(work, 'lists'),
    'Dir::State::status': join(debianRoot(), 'var/lib/dpkg/status'),
    'Dir::Cache': join(work, 'cache'),
    'APT::Install-Recommends': 'false',
    'APT::Sandbox::User': 'root',
  }).flatMap(([name, value]) => ['-o', `${name}=${value}`]);

/**
 * Puts it beside the data of an instance, where a process in the root finds it. Returns the folder of the program,
 * named like `data`.
 */
export function handPgbackrest(folder, data, inside) {
  cpSync(join(folder, 'usr'), join(data, 'pgbackrest/usr'), { recursive: true, verbatimSymlinks: true });
  const libraries = readdirSync(join(folder, 'usr/lib')).filter((name) => name.includes('-linux-gnu'));
  const path = libraries.map((name) => join(inside, 'pgbackrest/usr/lib', name)).join(':');
  mkdirSync(join(data, 'bin'), { recursive: true });
  const lines = ['#!/bin/sh', `LD_LIBRARY_PATH=${path} exec ${join(inside, 'pgbackrest/usr/bin/pgbackrest')} "$@"`, ''];
  writeFileSync(join(data, 'bin/pgbackrest'), lines.join('\n'), { mode: 0o755 });
}
