// Packages from PyPI in their own Python environment in the per-user cache: installed once for all clones, and named by
// its contents.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onPath } from '../process/on-path.mjs';
import { outputOf, run } from '../process/run.mjs';
import { cacheRoot, installed } from './cache-folder.mjs';
import { requireSpace } from './disk-space.mjs';

const names = ['python3', 'python', 'python3.14', 'python3.13', 'python3.12', 'python3.11'];
const question = 'import ensurepip, sys, venv; print(*sys.version_info[:2], sep=".")';

// Python compiles the modules that a program imports; pip would compile all of them.
const pipInstall = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-compile'];

// Python 3.11 or newer with venv, or null.
export function findPython(env = process.env) {
  const candidates = env.PYTHON ? [env.PYTHON] : names.map((name) => onPath(name, env.PATH)).filter(Boolean);
  return candidates.find((python) => isEnough(versionOf(python))) ?? null;
}

const versionOf = (python) => spawnSync(python, ['-c', question], { encoding: 'utf8', timeout: 60_000 }).stdout;

// Null or empty if it does not start or has no venv.
export function isEnough(version) {
  const [major, minor] = (version || '0.0').split('.').map(Number);
  return major > 3 || (major === 3 && minor >= 11);
}

// The Python of the environment. Start modules with it, never with the environment's own scripts: they contain the path
// of the folder in which they were created, and the folder is renamed when it is complete.
// A network that is unavailable for a minute is no reason to give up, unless its caller can do without the packages.
export async function ensurePythonPackages(name, wanted, { progress, signal, logs }) {
  const { python, requirements, megabytes, retries = 10 } = wanted;
  const folder = join(cacheRoot(), `${name}-${await idOf(python, requirements)}`);
  const onWait = () => progress.note(`… another process is installing ${name}; waiting for it`);
  const build = (target) =>
    progress.step(`Installing ${name} (pip)`, async () => {
      requireSpace(cacheRoot(), megabytes, `installing ${name}`);
      await run(python, ['-m', 'venv', target], { signal, log: join(logs, 'venv.log'), what: 'python -m venv' });
      const args = [...pipInstall, `--retries=${retries}`, '-r', requirements];
      await run(join(target, 'bin/python'), args, { signal, log: join(logs, 'pip.log'), what: 'pip install' });
    });
  return join(await installed(folder, build, { signal, onWait }), 'bin/python');
}

// An environment belongs to the Python that created it.
async function idOf(python, requirements) {
  const base = await outputOf(python, ['-c', 'import sys; print(sys.base_prefix, sys.version)']);
  return createHash('sha256')
    .update(`${base}\n${readFileSync(requirements)}`)
    .digest('hex')
    .slice(0, 12);
}
