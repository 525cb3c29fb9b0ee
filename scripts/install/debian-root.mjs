// PostgreSQL with TimescaleDB, and Redis, in their own Debian system inside the cache: no distribution except Debian 13
// packages all of them. It needs root rights; the mirror is the one in this machine's apt configuration, never one of
// our choice.
import { join } from 'node:path';
import { Problem } from '../command/problem.mjs';
import { onPath } from '../process/on-path.mjs';
import { outputOf, run } from '../process/run.mjs';
import { cacheRoot, installed, noteOf } from './cache-folder.mjs';
import { requireSpace } from './disk-space.mjs';

export const suite = 'trixie';
const packages = 'postgresql-17,postgresql-17-timescaledb,redis-server';
/** Size on disk, for the progress bar of the installation. */
const ABOUT_MB = 700;
export const debianRoot = () => join(cacheRoot(), `database-root-${suite}-1`);
export const aptEnvironment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };

export function ensureDebianRoot({ progress, signal, logs, needed }) {
  const onWait = () => progress.note('… another process is installing the database servers; waiting for it');
  const build = (target) => {
    requireRights(needed);
    requireSpace(cacheRoot(), 1_000, 'installing PostgreSQL with TimescaleDB, and Redis,');
    return progress.step(
      'Installing PostgreSQL with TimescaleDB, and Redis (debootstrap, about a minute)',
      (measured) => {
        measured(async () => ({ done: await megabytes(target), total: ABOUT_MB, unit: 'MB' }));
        return bootstrap(target, { signal, logs, needed });
      },
    );
  };
  return installed(debianRoot(), build, { signal, onWait });
}

// Only one file system: debootstrap mounts /proc, where files vanish.
const megabytes = async (folder) => Number.parseInt((await outputOf('du', ['-smx', folder])) ?? '0', 10);

// A missing prerequisite is reported together with the two alternatives.
const otherWays = ({ what, variable }) =>
  `To have ${what} otherwise, set ${variable} to a running server, or start a Docker engine.`;

function requireRights(needed) {
  if (process.platform === 'linux' && process.getuid?.() === 0) return;
  throw new Problem(`${needed.what} cannot be installed here without root rights on Linux. ${otherWays(needed)}`);
}

async function bootstrap(target, { signal, logs, needed }) {
  if (!onPath('debootstrap')) await installDebootstrap({ signal, logs, needed });
  const mirror = await machinesMirror({ signal, logs });
  const args = ['--variant=minbase', `--include=${packages}`, suite, target, ...mirror];
  // An interrupted installation is removed, so no file needs to be flushed individually (dpkg's defaults plus
  // unsafe-io): this saves six of 45 seconds.
  const env = { ...process.env, DPKG_FORCE: 'security-mac,downgrade,unsafe-io' };
  await run('debootstrap', args, { signal, log: join(logs, 'debootstrap.log'), env, noteIn: noteOf(target) });
}

async function installDebootstrap({ signal, logs, needed }) {
  if (!onPath('apt-get')) throw new Problem(`The tool debootstrap is missing, and so is apt-get. ${otherWays(needed)}`);
  await refreshLists({ signal, logs });
  const args = ['install', '-y', '--no-install-recommends', 'debootstrap', 'debian-archive-keyring'];
  // Takes seconds and is never interrupted: otherwise the machine's owner would have to clean up half an installation.
  const options = { signal: new AbortController().signal, log: join(logs, 'apt-get.log'), env: aptEnvironment };
  await run('apt-get', args, options);
  signal.throwIfAborted();
}

const refreshLists = ({ signal, logs }) =>
  run('apt-get', ['update'], { signal, log: join(logs, 'apt-get.log'), env: aptEnvironment, what: 'apt-get update' });

// If apt names no Debian mirror, debootstrap's own default is used.
async function machinesMirror({ signal, logs }) {
  if (!onPath('apt-get')) return [];
  const mirrors = await debianMirrors();
  if (mirrors.length > 0) return mirrors.slice(0, 1);
  await refreshLists({ signal, logs });
  return (await debianMirrors()).slice(0, 1);
}

async function debianMirrors() {
  const targets = await outputOf('apt-get', ['indextargets', '--format', '$(ORIGIN) $(LABEL) $(REPO_URI)']);
  const lines = (targets ?? '').split('\n').filter((line) => line.startsWith('Debian Debian '));
  return [...new Set(lines.map((line) => line.slice('Debian Debian '.length)))];
}
