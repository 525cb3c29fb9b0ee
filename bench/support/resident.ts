// The resident memory of a process at its peak, as Linux counts it: no sample can miss it.
import { readFileSync, writeFileSync } from 'node:fs';

const FORGET_PEAK = '5';

export interface Growth {
  /** Megabytes above those at the start. */
  megabytes(): number;
}

/** From now on. */
export function growthOf(pid: number): Growth {
  writeFileSync(`/proc/${pid}/clear_refs`, FORGET_PEAK);
  const began = field(pid, 'VmRSS');
  return { megabytes: () => field(pid, 'VmHWM') - began };
}

function field(pid: number, name: string): number {
  const kilobytes = new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kilobytes === undefined) throw new Error(`process ${pid} has no ${name}`);
  return Number(kilobytes) / 1024;
}
