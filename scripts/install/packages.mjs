// npm packages: installed when node_modules differs from package-lock.json. npm writes its own record of a finished
// installation; that record is compared, so an installation by hand counts and an interrupted one does not. A start
// does not need the packages of tests and checks, a third of all files: the first command that needs them adds them to
// the existing packages, because a service may be using those.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../process/run.mjs';
import { requireSpace } from './disk-space.mjs';
import { withLock } from './lock.mjs';

/** `dev`: the packages of tests and checks must be there too. If they are not needed, they may be there. */
export function packagesAreFresh(root, dev = true) {
  const wanted = packagesIn(join(root, 'package-lock.json'));
  const present = packagesIn(join(root, 'node_modules/.package-lock.json'));
  return present !== null && matches(wanted, present, dev);
}

export async function ensurePackages(root, { dev, progress, signal, log }) {
  if (packagesAreFresh(root, dev)) return;
  await withLock(join(root, '.local/npm-ci.lock'), () => install(root, { dev, progress, signal, log }), { signal });
}

async function install(root, { dev, progress, signal, log }) {
  if (packagesAreFresh(root, dev)) return;
  requireSpace(root, dev ? 800 : 500, 'installing packages');
  const [title, command, ...options] = stepFor(dev, packagesAreFresh(root, false));
  await progress.step(`${title} (npm ${command})`, (measured) => {
    measured(() => ({ done: foldersIn(join(root, 'node_modules')), total: foldersOf(root, dev), unit: 'packages' }));
    const args = [command, ...options, '--no-audit', '--no-fund'];
    return run('npm', args, { cwd: root, log, signal, what: `npm ${command}` });
  });
}

/** `npm ci` starts by emptying the folder. */
function stepFor(dev, hasOthers) {
  if (!dev) return ['Installing packages', 'ci', '--omit=dev'];
  if (!hasOthers) return ['Installing packages', 'ci', '--include=dev'];
  return ['Installing packages of tests and checks', 'install', '--include=dev', '--no-save'];
}

/** Packages at the top of `node_modules`, complete or not. */
function foldersIn(folder) {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')) : [];
  return names.reduce((sum, name) => sum + (name.startsWith('@') ? foldersIn(join(folder, name)) : 1), 0);
}

/** The number of top-level packages in the lock file for this platform. */
function foldersOf(root, dev) {
  const all = Object.entries(packagesIn(join(root, 'package-lock.json')) ?? {});
  return all.filter(
    ([path, { os, cpu, dev: isDev }]) => path.lastIndexOf('node_modules/') === 0 && suits(os, cpu) && (dev || !isDev),
  ).length;
}

const suits = (os, cpu) => (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true);

// The lock file also has packages for other platforms, which are rightly absent.
function matches(wanted, present, dev) {
  const names = new Set([...Object.keys(wanted), ...Object.keys(present)]);
  names.delete('');
  return [...names].every((name) => same(wanted[name], present[name], dev));
}

function same(wanted, present, dev) {
  if (!wanted) return false;
  if (!present) return Boolean(wanted.optional || wanted.devOptional || (wanted.dev && !dev));
  return wanted.version === present.version && wanted.integrity === present.integrity;
}

function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return null;
  }
}
