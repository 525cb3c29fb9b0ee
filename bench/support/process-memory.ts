// Memory of a process with all its children, from /proc (Linux). Resident memory counts a page that several share in
// each of them: a backend of PostgreSQL has a part of the shared buffers, and Node itself is 50 MB of each program.
import { readFileSync } from 'node:fs';
import { familyOf, type Process } from './process-usage';

/** Megabytes. */
export interface Memory {
  readonly processes: number;
  /** Each process's resident memory at its most since its start, as Linux counts it: no sample can miss it. */
  readonly peak: number;
  readonly resident: number;
  /** Pages of no other process. */
  readonly own: number;
  /** Every page once: those that several share, also with processes outside the family, are divided among them. */
  readonly proportional: number;
}

export const memoryOf = (all: readonly Process[], pid: number): Memory =>
  sumOf(pid, familyOf(all, pid).flatMap(readable));

/** Of a process without its children. */
export const memoryOfOne = (pid: number): Memory => sumOf(pid, readable(pid));

/** An ended process has no memory, which is no memory within a target. */
function sumOf(pid: number, texts: readonly string[]): Memory {
  if (texts.length === 0) throw new Error(`process ${pid} has ended`);
  const sum = (name: string): number => texts.reduce((all, text) => all + megabytes(text, name), 0);
  return {
    processes: texts.length,
    peak: sum('VmHWM'),
    resident: sum('Rss'),
    own: sum('Private_Clean') + sum('Private_Dirty'),
    proportional: sum('Pss'),
  };
}

const ENDED: ReadonlySet<unknown> = new Set(['ENOENT', 'ESRCH']);

/** Empty for one that ended before we read it. */
function readable(pid: number): string[] {
  try {
    // In this order: a process that ended, and that its parent has yet to notice, has a status.
    return [['smaps_rollup', 'status'].map((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8')).join('')];
  } catch (error) {
    if (ENDED.has((error as NodeJS.ErrnoException).code)) return [];
    throw error;
  }
}

function megabytes(text: string, name: string): number {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1];
  if (kilobytes === undefined) throw new Error(`no ${name} in /proc`);
  return Number(kilobytes) / 1024;
}

/** Of several moments the one with most memory, every page once. Peaks last. */
export const largest = (moments: readonly Memory[]): Memory => ({
  ...moments.reduce((most, one) => (one.proportional > most.proportional ? one : most)),
  peak: Math.max(...moments.map(({ peak }) => peak)),
});
