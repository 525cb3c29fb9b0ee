// A package from the suite of the Debian root, for a test or a drill that needs one more server: unpacked into its own
// folder in the cache, with the libraries that the root lacks. The root itself, which every start uses, is only read.
// apt chooses the packages by the root's list and verifies them with the root's keys.
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Problem } from '../command/problem.mjs';
import { onPath } from '../process/on-path.mjs';
import { run } from '../process/run.mjs';
import { cacheRoot, installed } from './cache-folder.mjs';
import { aptEnvironment, debianRoot, suite } from './debian-root.mjs';
import { requireSpace } from './disk-space.mjs';
import { removeTree } from './remove-tree.mjs';

/**
 * `name`: of the package; `title`: for people; `program`: its path below `/`; `megabytes`: what its installation needs.
 * @typedef {{ name: string, title: string, program: string, megabytes: number }} SuitePackage
 */

/** @type {SuitePackage} */
export const PGBACKREST = { name: 'pgbackrest', title: 'pgBackRest', program: 'usr/bin/pgbackrest', megabytes: 200 };
/** @type {SuitePackage} */
export const PGBOUNCER = { name: 'pgbouncer', title: 'PgBouncer', program: 'usr/sbin/pgbouncer', megabytes: 100 };

const KEYS = 'usr/share/keyrings/debian-archive-keyring.gpg';

/** The folder with the package's files as they would be below `/`. The Debian root must exist. */
export function ensureSuitePackage({ progress, signal, logs }, wanted) {
  const { name, title } = wanted;
  const onWait = () => progress.note(`… another process is installing ${title}; waiting for it`);
  const build = (target) => progress.step(`Installing ${title}`, () => unpack(target, wanted, { signal, logs }));
  return installed(join(cacheRoot(), `${name}-${suite}-1`), build, { signal, onWait });
}

async function unpack(target, { name, title, megabytes }, { signal, logs }) {
  for (const tool of ['apt-get', 'dpkg-deb'])
    if (!onPath(tool)) throw new Problem(`${title} cannot be installed here: the tool ${tool} is missing.`);
  requireSpace(cacheRoot(), megabytes, `installing ${title}`);
  const work = join(target, 'apt');
  for (const folder of ['lists/partial', 'cache/archives/partial', 'unpacked'])
    mkdirSync(join(work, folder), { recursive: true });
  writeFileSync(join(work, 'sources.list'), signedBy(join(debianRoot(), KEYS), sourcesOfRoot()));
  const apt = (what, ...words) =>
    run('apt-get', [...optionsOf(work), ...words], {
      signal,
      log: join(logs, `${name}-apt.log`),
      env: aptEnvironment,
      what,
    });
  await apt('apt-get update', 'update');
  await apt(`The download of ${title}`, 'install', '-y', '--download-only', name);
  const archives = join(work, 'cache/archives');
  for (const file of readdirSync(archives).filter((each) => each.endsWith('.deb')))
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

/** Puts it beside the data of an instance, once, where a process in the root finds its program: in the folder `bin`. */
export function handPackage(folder, { name, program }, { data, inside }) {
  cpSync(join(folder, 'usr'), join(data, name, 'usr'), { recursive: true, verbatimSymlinks: true });
  const libraries = readdirSync(join(folder, 'usr/lib')).filter((each) => each.includes('-linux-gnu'));
  const path = libraries.map((each) => join(inside, name, 'usr/lib', each)).join(':');
  mkdirSync(join(data, 'bin'), { recursive: true });
  const lines = ['#!/bin/sh', `LD_LIBRARY_PATH=${path} exec ${join(inside, name, program)} "$@"`, ''];
  writeFileSync(join(data, 'bin', basename(program)), lines.join('\n'), { mode: 0o755 });
}
