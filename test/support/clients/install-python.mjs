// node install-python.mjs NAME REQUIREMENTS MEGABYTES: installs Python packages on first use and prints {"python"}: the
// Python that has them, or {"lacks"}: why they cannot run here. A file that differs from its hash is a failure.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePythonPackages, findPython } from '../../../scripts/install/python-packages.mjs';

const [, , name, requirements, megabytes] = process.argv;
const logs = join(import.meta.dirname, '../../../.local/clients');
const quiet = { note: () => {}, step: (_, work) => work() };
/** What pip prints when it reaches no index, and when a file is another one than ours. */
const unreachable = /Retrying \(Retry\(|from versions: none\)/;
const changed = /DO NOT MATCH THE HASHES/;

async function install(python) {
  const context = { progress: quiet, signal: new AbortController().signal, logs };
  mkdirSync(logs, { recursive: true });
  const wanted = { python, requirements, megabytes: Number(megabytes), retries: 2 };
  try {
    return { python: await ensurePythonPackages(name, wanted, context) };
  } catch (error) {
    const output = readFileSync(join(logs, 'pip.log'), 'utf8');
    if (unreachable.test(output) && !changed.test(output)) return { lacks: 'PyPI cannot be reached' };
    throw error;
  }
}

const python = findPython();
const found = python ? await install(python) : { lacks: 'there is no Python 3.11 or newer with venv' };
console.log(JSON.stringify(found));
