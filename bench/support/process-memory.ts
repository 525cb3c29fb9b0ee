// Memory of a process with all its children, from /proc (Linux). Resident memory counts a page that several share in
// each of them: a backend of PostgreSQL has a part of the shared buffers, and Node itself is 50 MB of each program.
import { readFileSync } from 'node:fs';
import { familyOf } from './process-usage';

/** Megabytes. */
export interface Memory {
  readonly processes: number;
  readonly resident: number;
  /** Pages of no other process. */
  readonly own: number;
  /** Every page once: those that several share, also with processes outside the family, are divided among them. */
  readonly proportional: number;
}

export const memoryOf = (pid: number): Memory => sumOf(familyOf(pid).flatMap(readable));

/** Of a process without its children. */
export const memoryOfOne = (pid: number): Memory => sumOf(readable(pid));

const sumOf = (texts: readonly string[]): Memory => {
  const sum = (name: string): number => texts.reduce((all, text) => all + megabytes(text, name), 0);
  return {
    processes: texts.length,
    resident: sum('Rss'),
    own: sum('Private_Clean') + sum('Private_Dirty'),
    proportional: sum('Pss'),
  };
};

/** Empty for one that ended before we read it. */
function readable(pid: number): string[] {
  try {
    return [readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')];
  } catch {
    return [];
  }
}

function megabytes(text: string, name: string): number {
  const kilobytes = new RegExp(`^${name}: +(\\d+) kB$`, 'm').exec(text)?.[1];
  if (kilobytes === undefined) throw new Error(`no ${name} in smaps_rollup`);
  return Number(kilobytes) / 1024;
}

/** Of several moments the one with most memory of its own. */
export const largest = (moments: readonly Memory[]): Memory =>
  moments.reduce((most, one) => (one.own > most.own ? one : most));
