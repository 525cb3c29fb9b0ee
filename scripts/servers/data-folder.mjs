// The data folder of a local PostgreSQL and Redis: in the checkout or, for servers that run in the Debian root, inside
// that root under a name derived from the checkout. Data whose checkout is gone from the disk is removed.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { debianRoot } from '../install/debian-root.mjs';
import { removeTree } from '../install/remove-tree.mjs';
import { startMark } from '../process/identity.mjs';

export const instanceKey = ({ root, name }) =>
  `${createHash('sha256').update(root).digest('hex').slice(0, 10)}-${name}`;

export const checkoutData = (instance) => join(instance.folder, 'data');
const rootData = () => join(debianRoot(), 'data');
const dataInRoot = (instance) => join(rootData(), instanceKey(instance));

export function claimDataInRoot(instance) {
  const folder = dataInRoot(instance);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'checkout'), instance.root);
  return folder;
}

export function wipeData(instance) {
  removeTree(checkoutData(instance));
  removeMounted(dataInRoot(instance));
}

/** A game day mounts a file there (scripts/gameday/causes/disk.mjs), and a killed one left it behind. */
function removeMounted(folder) {
  const mounts = existsSync('/proc/self/mounts') ? readFileSync('/proc/self/mounts', 'utf8').split('\n') : [];
  const isMounted = mounts.some((line) => line.startsWith('/dev/loop') && line.split(' ')[1] === folder);
  if (isMounted) execFileSync('umount', ['-l', folder]);
  removeTree(folder);
}

export function removeAbandonedData(folder = rootData()) {
  if (!existsSync(folder)) return;
  const all = readdirSync(folder).map((name) => join(folder, name));
  for (const data of all.filter(isAbandoned)) removeMounted(data);
}

function isAbandoned(data) {
  const checkout = contents(join(data, 'checkout'));
  const pid = Number(contents(join(data, 'postgres/postmaster.pid'))?.split('\n')[0]);
  return checkout !== null && !existsSync(checkout) && !(pid && startMark(pid));
}

function contents(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
