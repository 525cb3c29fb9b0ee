// Removes a folder, but first unmounts everything below it: debootstrap mounts the machine's own /proc while it works,
// and a removal must never reach into that.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { Problem } from '../command/problem.mjs';

export function removeTree(path) {
  if (!existsSync(path)) return;
  for (const mount of mountsBelow(realpathSync(path)).reverse()) execFileSync('umount', [mount], { stdio: 'ignore' });
  if (mountsBelow(realpathSync(path)).length > 0)
    throw new Problem(`Something is still mounted below ${path}: unmount it first.`);
  rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

export function mountsBelow(path, table = mountTable()) {
  const places = table.split('\n').map((line) => unescaped(line.split(' ')[1] ?? ''));
  return places.filter((place) => place.startsWith(`${path}/`));
}

const mountTable = () => (existsSync('/proc/self/mounts') ? readFileSync('/proc/self/mounts', 'utf8') : '');

// The table writes a space as \040.
const unescaped = (place) =>
  place.replace(/\\([0-7]{3})/g, (_all, code) => String.fromCharCode(Number.parseInt(code, 8)));
