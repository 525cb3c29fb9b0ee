// CPU of a process with all its children, from /proc (Linux), since its start; for a rate, take two figures.
import { readdirSync, readFileSync } from 'node:fs';

export interface Usage {
  readonly cpuSeconds: number;
}

const TICKS_PER_SECOND = 100;

export function usageOf(pid: number): Usage {
  const all = processes();
  const own = family(all, pid);
  const ticks = own.reduce((sum, one) => sum + one.ticks, 0);
  return { cpuSeconds: ticks / TICKS_PER_SECOND };
}

/** A process and its children, theirs too. */
export const familyOf = (all: readonly Process[], pid: number): number[] => family(all, pid).map((one) => one.pid);

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
}

export function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [read(Number(name))];
      } catch {
        // It ended before we read it.
        return [];
      }
    });
}

/**
 * proc(5): the command's name stands in brackets and may contain anything; counted after it, fields 4 and 14 to 17.
 * Children that ended are counted by their parent.
 */
function read(pid: number): Process {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const ticks = fields[11]! + fields[12]! + fields[13]! + fields[14]!;
  return { pid, parent: fields[1]!, ticks };
}

function family(all: readonly Process[], pid: number): Process[] {
  const own = all.filter((one) => one.pid === pid);
  for (let i = 0; i < own.length; i++) own.push(...all.filter((one) => one.parent === own[i]!.pid));
  return own;
}
