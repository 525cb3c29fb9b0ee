// PostgreSQL with TimescaleDB, and Redis, in a Debian system of their own inside the cache: no distribution but Debian 13
// packages all of them. Needs root rights; the mirror is the one this machine's own apt names, never a name of ours.
import { join } from 'node:path';
import { Problem } from '../command/problem.mjs';
import { onPath } from '../process/on-path.mjs';
import { ask, run } from '../process/run.mjs';
import { cacheRoot, installed, noteOf } from './cache-folder.mjs';
import { requireSpace } from './disk-space.mjs';

const suite = 'trixie';
const packages = 'postgresql-17,postgresql-17-timescaledb,redis-server';
export const debianRoot = () => join(cacheRoot(), `database-root-${suite}-1`);
const aptEnvironment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };

export function ensureDebianRoot({ progress, signal, logs, needed }) {
  const onWait = () => progress.say('… another process is installing the database servers; waiting for it');
  const build = (target) => {
    requireRights(needed);
    requireSpace(cacheRoot(), 1_000, 'installing PostgreSQL with TimescaleDB, and Redis,');
    return progress.step('Installing PostgreSQL with TimescaleDB, and Redis (debootstrap, about a minute)', () =>
      bootstrap(target, { signal, logs, needed }),
    );
  };
  return installed(debianRoot(), build, { signal, onWait });
}

// What is missing is said together with the two other ways to have the server.
const otherWays = ({ what, variable }) =>
  `To have ${what} otherwise, set ${variable} to a running server, or start a Docker engine.`;

function requireRights(needed) {
  if (process.platform === 'linux' && process.getuid() === 0) return;
  throw new Problem(`${needed.what} cannot be installed here without root rights on Linux. ${otherWays(needed)}`);
}

async function bootstrap(target, { signal, logs, needed }) {
  if (!onPath('debootstrap')) await installDebootstrap({ signal, logs, needed });
  const mirror = await machinesMirror({ signal, logs });
  const args = ['--variant=minbase', `--include=${packages}`, suite, target, ...mirror];
  await run('debootstrap', args, { signal, log: join(logs, 'debootstrap.log'), noteIn: noteOf(target) });
}

async function installDebootstrap({ signal, logs, needed }) {
  if (!onPath('apt-get')) throw new Problem(`The tool debootstrap is missing, and so is apt-get. ${otherWays(needed)}`);
  await refreshLists({ signal, logs });
  const args = ['install', '-y', '--no-install-recommends', 'debootstrap', 'debian-archive-keyring'];
  // Seconds long, and never broken off: half of an installation would be left to the machine's owner.
  const options = { signal: new AbortController().signal, log: join(logs, 'apt-get.log'), env: aptEnvironment };
  await run('apt-get', args, options);
  signal.throwIfAborted();
}

const refreshLists = ({ signal, logs }) =>
  run('apt-get', ['update'], { signal, log: join(logs, 'apt-get.log'), env: aptEnvironment, what: 'apt-get update' });

// On a machine whose apt names no Debian mirror debootstrap's own default is used.
async function machinesMirror({ signal, logs }) {
  if (!onPath('apt-get')) return [];
  const known = await debianMirrors();
  if (known.length > 0) return known.slice(0, 1);
  await refreshLists({ signal, logs });
  return (await debianMirrors()).slice(0, 1);
}

async function debianMirrors() {
  const targets = await ask('apt-get', ['indextargets', '--format', '$(ORIGIN) $(LABEL) $(REPO_URI)']);
  const lines = (targets ?? '').split('\n').filter((line) => line.startsWith('Debian Debian '));
  return [...new Set(lines.map((line) => line.slice('Debian Debian '.length)))];
}
