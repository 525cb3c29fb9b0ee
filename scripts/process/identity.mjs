// Checks whether a pid is still the process that was started: pids are reused, so a pid alone must never be signalled.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

// The start time of the process, as the system prints it; null if there is no such process (a zombie counts as none).
export function startMark(pid) {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

export function isSame({ pid, mark }) {
  return mark !== null && startMark(pid) === mark;
}

export const ownIdentity = () => ({ pid: process.pid, mark: startMark(process.pid) });

function fromProc(pid) {
  try {
    // The command name is in brackets and may contain anything, so fields are counted after it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ');
    return fields[0] === 'Z' ? null : fields[19];
  } catch {
    return null;
  }
}

function fromPs(pid) {
  try {
    const [state, ...started] = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/);
    return state.startsWith('Z') ? null : started.join(' ');
  } catch {
    return null;
  }
}
