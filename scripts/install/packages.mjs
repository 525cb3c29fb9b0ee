// npm packages: installed when node_modules differs from package-lock.json. npm writes its own record of
// a finished installation; that is compared, so an installation by hand counts and an interrupted one does not. A start
// needs no packages of tests and checks, a third of all files: they come with the first command that needs them, beside
// what is there, because a service may run on it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../process/run.mjs';
import { requireSpace } from './disk-space.mjs';
import { withLock } from './lock.mjs';

/** `dev`: those of tests and checks are there too. Where they are not needed they may be there. */
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

/** `npm ci` begins with an empty folder. */
function stepFor(dev, hasOthers) {
  if (!dev) return ['Installing packages', 'ci', '--omit=dev'];
  if (!hasOthers) return ['Installing packages', 'ci', '--include=dev'];
  return ['Installing packages of tests and checks', 'install', '--include=dev', '--no-save'];
}

/** Packages at the top of `node_modules`, whole or begun. */
function foldersIn(folder) {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')) : [];
  return names.reduce((sum, name) => sum + (name.startsWith('@') ? foldersIn(join(folder, name)) : 1), 0);
}

/** As many as the lock has there for this platform. */
function foldersOf(root, dev) {
  const all = Object.entries(packagesIn(join(root, 'package-lock.json')) ?? {});
  return all.filter(
    ([path, { os, cpu, dev: isDev }]) => path.lastIndexOf('node_modules/') === 0 && suits(os, cpu) && (dev || !isDev),
  ).length;
}

const suits = (os, cpu) => (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true);

// Packages for other platforms are in the lock and rightly absent.
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
