// Prints the ends of the log files, and with --follow the lines added to them. It only reads.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../command/problem.mjs';
import { tailOf } from '../process/log-reason.mjs';

const linesShown = 20;
const lookEveryMs = 500;

export async function showLogs(folder, args, signal) {
  const files = chosen(
    folder,
    args.find((arg) => !arg.startsWith('-')),
  );
  for (const file of files) print(file, tailOf(file).trimEnd().split('\n').slice(-linesShown));
  if (args.includes('--follow') || args.includes('-f')) await follow(files, signal);
}

function chosen(folder, name) {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.log')) : [];
  const wanted = name ? files.filter((file) => file === `${name}.log`) : files;
  if (wanted.length > 0) return wanted.map((file) => join(folder, file));
  const names = files.map((file) => basename(file, '.log')).join(', ');
  throw new Problem(files.length > 0 ? `There is no log of "${name}"; there are: ${names}.` : 'There are no logs yet.');
}

function print(file, lines) {
  for (const line of lines.filter(Boolean)) console.log(`${basename(file, '.log').padEnd(10)} | ${line}`);
}

async function follow(files, signal) {
  const seen = new Map(files.map((file) => [file, statSync(file).size]));
  while (!signal.aborted) {
    await sleep(lookEveryMs, undefined, { signal }).catch(() => {});
    for (const file of files) seen.set(file, printNew(file, seen.get(file)));
  }
}

// A file that became shorter was restarted by another start.
function printNew(file, from) {
  const { size } = statSync(file);
  if (size > from) print(file, tailOf(file, size - from).split('\n'));
  return size;
}
