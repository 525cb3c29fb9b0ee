// npm packages: installed when node_modules differs from package-lock.json. npm writes its own record of
// a finished installation; that is compared, so an installation by hand counts and an interrupted one does not.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../process/run.mjs';
import { requireSpace } from './disk-space.mjs';
import { withLock } from './lock.mjs';

export function packagesAreFresh(root) {
  const wanted = packagesIn(join(root, 'package-lock.json'));
  const present = packagesIn(join(root, 'node_modules/.package-lock.json'));
  return present !== null && matches(wanted, present);
}

export async function ensurePackages(root, { progress, signal, log }) {
  if (packagesAreFresh(root)) return;
  await withLock(join(root, '.local/npm-ci.lock'), () => install(root, { progress, signal, log }), { signal });
}

async function install(root, { progress, signal, log }) {
  if (packagesAreFresh(root)) return;
  requireSpace(root, 800, 'installing packages');
  await progress.step('Installing packages (npm ci)', (measured) => {
    measured(() => ({ done: foldersIn(join(root, 'node_modules')), total: foldersOf(root), unit: 'packages' }));
    return run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root, log, signal, what: 'npm ci' });
  });
}

/** Packages at the top of `node_modules`, whole or begun. */
function foldersIn(folder) {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')) : [];
  return names.reduce((sum, name) => sum + (name.startsWith('@') ? foldersIn(join(folder, name)) : 1), 0);
}

/** As many as the lock has there for this platform. */
function foldersOf(root) {
  const all = Object.entries(packagesIn(join(root, 'package-lock.json')) ?? {});
  return all.filter(([path, { os, cpu }]) => path.lastIndexOf('node_modules/') === 0 && suits(os, cpu)).length;
}

const suits = (os, cpu) => (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true);

// Packages for other platforms are in the lock and rightly absent.
function matches(wanted, present) {
  const names = new Set([...Object.keys(wanted), ...Object.keys(present)]);
  names.delete('');
  return [...names].every((name) => same(wanted[name], present[name]));
}

function same(wanted, present) {
  if (!wanted) return false;
  if (!present) return Boolean(wanted.optional || wanted.devOptional);
  return wanted.version === present.version && wanted.integrity === present.integrity;
}

function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return null;
  }
}
