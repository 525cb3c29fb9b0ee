// Schemathesis in a Python environment of its own, in the per-user cache: made once for all clones, named after its contents.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../command/problem.mjs';
import { cacheRoot, installed } from '../install/cache-folder.mjs';
import { requireSpace } from '../install/disk-space.mjs';
import { onPath } from '../process/on-path.mjs';
import { outputOf, run } from '../process/run.mjs';

/** The exit code when there is no Python to run it with. */
export const NO_PYTHON = 3;

const names = ['python3', 'python', 'python3.14', 'python3.13', 'python3.12', 'python3.11'];
const question = 'import ensurepip, sys, venv; print(*sys.version_info[:2], sep=".")';

// A short network failure is no reason to give up.
const pipInstall = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries=10'];

const sentence =
  'There is no Python 3.11 or newer with venv here, and the fuzzing of the API runs on it: nothing was run. ' +
  'Install it (on Debian and Ubuntu: apt-get install python3 python3-venv), or put another one on PATH or in PYTHON.';

export async function requirePython(env = process.env) {
  const candidates = env.PYTHON ? [env.PYTHON] : names.map((name) => onPath(name, env.PATH)).filter(Boolean);
  for (const python of candidates) if (isEnough(await outputOf(python, ['-c', question]))) return python;
  throw new Problem(sentence, NO_PYTHON);
}

// Null when it does not start or has no venv.
export function isEnough(version) {
  const [major, minor] = (version ?? '0.0').split('.').map(Number);
  return major > 3 || (major === 3 && minor >= 11);
}

// The Python of the environment. Schemathesis runs as a module, never by the environment's own scripts: they contain the path of
// the folder in which they were made, and that folder is renamed when it is complete.
export async function ensureSchemathesis(root, python, { progress, signal, logs }) {
  const requirements = join(root, 'scripts/fuzz/requirements.txt');
  const folder = join(cacheRoot(), `schemathesis-${await idOf(python, requirements)}`);
  const onWait = () => progress.note('… another process is installing schemathesis; waiting for it');
  const build = (target) =>
    progress.step('Installing schemathesis (pip)', async () => {
      requireSpace(cacheRoot(), 200, 'installing schemathesis');
      await run(python, ['-m', 'venv', target], { signal, log: join(logs, 'venv.log'), what: 'python -m venv' });
      const args = [...pipInstall, '-r', requirements];
      await run(join(target, 'bin/python'), args, { signal, log: join(logs, 'pip.log'), what: 'pip install' });
    });
  return join(await installed(folder, build, { signal, onWait }), 'bin/python');
}

// An environment belongs to the Python that made it.
async function idOf(python, requirements) {
  const base = await outputOf(python, ['-c', 'import sys; print(sys.base_prefix, sys.version)']);
  return createHash('sha256')
    .update(`${base}\n${readFileSync(requirements)}`)
    .digest('hex')
    .slice(0, 12);
}
