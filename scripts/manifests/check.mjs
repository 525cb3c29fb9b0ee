// Checks deploy/ with tools from PyPI, which bring their schemas along: nothing is downloaded while it checks.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProgress } from '../command/progress.mjs';
import { ensurePythonPackages, findPython } from '../install/python-packages.mjs';
import { run } from '../process/run.mjs';

/** The version of Kubernetes whose schemas hold. */
const KUBERNETES = '1.37.0';

/** Null where there is no Python; whether everything is in order otherwise. */
export async function checkManifests(root, { signal, deploy = join(root, 'deploy') }) {
  const python = findPython();
  if (python === null) return null;
  const logs = join(root, '.local/manifests');
  mkdirSync(logs, { recursive: true });
  const requirements = join(root, 'scripts/manifests/requirements.txt');
  const ctx = { progress: createProgress(), signal, logs };
  const environment = await ensurePythonPackages('manifest-tools', { python, requirements, megabytes: 200 }, ctx);
  const log = join(logs, 'check.log');
  const args = [join(root, 'scripts/manifests/check.py'), deploy, join(root, 'docs/runbook.md'), KUBERNETES];
  const passed = await run(environment, args, { signal, log, what: 'check.py' }).then(
    () => true,
    () => false,
  );
  process.stdout.write(readFileSync(log));
  return passed;
}
