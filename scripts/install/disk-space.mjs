// Refuses to start an installation for which the disk has too little space, because a half-written one fails without a
// clear reason.
import { mkdirSync, statfsSync } from 'node:fs';
import { Problem } from '../command/problem.mjs';

export function freeMegabytes(folder) {
  const { bavail, bsize } = statfsSync(folder);
  return Math.floor((bavail * bsize) / 1024 / 1024);
}

export function requireSpace(folder, megabytes, what) {
  mkdirSync(folder, { recursive: true });
  const free = freeMegabytes(folder);
  if (free >= megabytes) return;
  throw new Problem(`The disk is full: ${what} needs ${megabytes} MB in ${folder}, and ${free} MB are free.`);
}
