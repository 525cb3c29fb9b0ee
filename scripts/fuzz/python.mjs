// The Python that fuzzing runs on, and schemathesis in it.
import { join } from 'node:path';
import { Problem } from '../command/problem.mjs';
import { ensurePythonPackages, findPython } from '../install/python-packages.mjs';

/** The exit code if there is no Python to run it. */
export const NO_PYTHON = 3;

const sentence =
  'There is no Python 3.11 or newer with venv here, and the fuzzing of the API runs on it: nothing was run. ' +
  'Install it (on Debian and Ubuntu: apt-get install python3 python3-venv), or put another one on PATH or in PYTHON.';

export function requirePython() {
  const python = findPython();
  if (python === null) throw new Problem(sentence, NO_PYTHON);
  return python;
}

export function ensureSchemathesis(root, python, ctx) {
  const requirements = join(root, 'scripts/fuzz/requirements.txt');
  return ensurePythonPackages('schemathesis', { python, requirements, megabytes: 200 }, ctx);
}
