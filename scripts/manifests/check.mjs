// Checks deploy/ with tools from PyPI, which include their schemas: the check downloads nothing.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../command/problem.mjs';
import { createProgress } from '../command/progress.mjs';
import { ensurePythonPackages, findPython } from '../install/python-packages.mjs';
import { run } from '../process/run.mjs';

/** The exit code if nothing was checked. */
export const NOT_RUN = 3;

/** The version of Kubernetes whose schemas apply. */
const KUBERNETES = '1.37.0';

/** Returns whether there are no faults. */
export async function checkManifests(root, { signal, logs }) {
  const python = findPython();
  if (python === null)
    throw new Problem('There is no Python 3.11 or newer with venv here: nothing was checked.', NOT_RUN);
  const requirements = join(root, 'scripts/manifests/requirements.txt');
  const ctx = { progress: createProgress(), signal, logs };
  const tools = { python, requirements, megabytes: 600 };
  const environment = await ensurePythonPackages('manifest-tools', tools, ctx).catch((error) => {
    signal.throwIfAborted();
    throw new Problem(`${error.message}\nThe tools could not be installed: nothing was checked.`, NOT_RUN);
  });
  const pass = async (what, ...args) => {
    const log = join(logs, `${what}.log`);
    const program = [join(root, 'scripts/manifests', what), ...args];
    const passed = await run(environment, program, { signal, log, what }).then(
      () => true,
      () => false,
    );
    process.stdout.write(readFileSync(log));
    return passed;
  };
  const isInOrder = await pass('check.py', join(root, 'deploy'), join(root, 'docs/runbook.md'), KUBERNETES);
  return (await pass('policy.py', root)) && isInOrder;
}
