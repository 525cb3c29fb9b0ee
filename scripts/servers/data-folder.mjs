// The data folder of a local PostgreSQL and Redis: in the checkout or, for servers that run in the Debian root, inside
// that root under a name derived from the checkout. Data whose checkout is gone from the disk is removed.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
  for (const folder of [checkoutData(instance), dataInRoot(instance)]) {
    if (isMounted(folder)) execFileSync('umount', ['-l', folder]);
    removeTree(folder);
  }
}

/** A disk of its own (scripts/gameday/disk.mjs). */
const isMounted = (folder) => existsSync(folder) && statSync(folder).dev !== statSync(dirname(folder)).dev;

export function removeAbandonedData(folder = rootData()) {
  if (!existsSync(folder)) return;
  const all = readdirSync(folder).map((name) => join(folder, name));
  for (const data of all.filter(isAbandoned)) removeTree(data);
}

function isAbandoned(data) {
  const checkout = contents(join(data, 'checkout'));
  const pid = Number(contents(join(data, 'postgres/postmaster.pid'))?.split('\n')[0]);
  return checkout !== null && !existsSync(checkout) && !(pid && startMark(pid));
}

function contents(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
