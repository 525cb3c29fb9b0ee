// One stack of this checkout: a folder under .local with its logs, its data and a state file that names every process
// it started. One live process owns it at a time; the state file outlives a killed owner, so that its processes can be
// stopped.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { holderOf, tryLock, unlock } from '../install/lock.mjs';
import { isSame } from '../process/identity.mjs';

const empty = { processes: [], urls: {}, compose: null };

export function openInstance(root, name) {
  const folder = join(root, '.local', name);
  const file = join(folder, 'stack.json');
  const read = () => readState(file);
  const write = (change) => writeState(file, { ...read(), ...change });
  return {
    root,
    name,
    folder,
    logs: join(folder, 'logs'),
    ...ownership(join(folder, 'owner')),
    read,
    write,
    remember: (record) => write({ processes: withOne(read().processes, record) }),
    forgetProcesses: () => write({ processes: [], compose: null }),
  };
}

/** In the order of their first start: a restarted program keeps its place. */
function withOne(processes, record) {
  const isKnown = processes.some(({ name }) => name === record.name);
  return isKnown ? processes.map((one) => (one.name === record.name ? record : one)) : [...processes, record];
}

function ownership(file) {
  return {
    claim: () => tryLock(file),
    release: () => unlock(file),
    owner: () => {
      const holder = holderOf(file);
      return holder && isSame(holder) ? holder : null;
    },
  };
}

export function prepareFolders(instance) {
  mkdirSync(instance.logs, { recursive: true });
  return instance;
}

function readState(file) {
  try {
    return { ...empty, ...JSON.parse(readFileSync(file, 'utf8')) };
  } catch {
    return empty;
  }
}

// The file contains a password, and a reader must never see half of it.
function writeState(file, state) {
  writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
