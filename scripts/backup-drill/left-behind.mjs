// Processes of pgBackRest that outlive their server: PostgreSQL gives each archive command its own session, and a
// running one does not end with the server.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** `program`: the path with which the process was started, which no other instance has. Resolves when none is left. */
export async function endAll(program) {
  for (let signal = 'SIGTERM', tries = 0; ; tries += 1) {
    const pids = runningFrom(program);
    if (pids.length === 0) return;
    for (const pid of pids) end(pid, signal);
    if (tries === 50) signal = 'SIGKILL';
    await sleep(100);
  }
}

const runningFrom = (program) =>
  readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(program));

/** The arguments; empty for a process that has just ended. */
function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function end(pid, signal) {
  try {
    process.kill(Number(pid), signal);
  } catch {
    // It ended by itself just now.
  }
}
