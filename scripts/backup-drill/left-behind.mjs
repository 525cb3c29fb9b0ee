// Processes of pgBackRest that outlive their server: PostgreSQL gives each archive command a session of its own, and
// one under way is not ended with it.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** `program`: a path that no other instance has, as the process was started by it. Resolves when none is left. */
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

/** The words; none of a process that has just ended. */
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
