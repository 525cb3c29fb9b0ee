// CPU of PostgreSQL's processes by what they work for, from their titles (Linux): a login, or the server itself. What a
// session used that has ended since counts for the rest, so a login's figure is never too high.
import { readFileSync } from 'node:fs';
import { processes } from './process-usage';

interface Session {
  readonly of: string;
  readonly cpuSeconds: number;
}

export type Sessions = ReadonlyMap<number, Session>;

const TICKS_PER_SECOND = 100;
/** A session's title has the login, the database and the client's address. */
const TITLE = /^postgres: (\S+) \S+ \S+\(\d+\)/;

export function sessionsOf(postmaster: number): Sessions {
  const children = processes().filter(({ parent }) => parent === postmaster);
  return new Map(children.map(({ pid, ticks }) => [pid, { of: workOf(pid), cpuSeconds: ticks / TICKS_PER_SECOND }]));
}

function workOf(pid: number): string {
  try {
    return TITLE.exec(readFileSync(`/proc/${pid}/cmdline`, 'latin1'))?.[1] ?? 'the server itself';
  } catch {
    return 'ended';
  }
}

/** CPU seconds since `before`, by what they were for. */
export function spentBy(before: Sessions, after: Sessions): ReadonlyMap<string, number> {
  const spent = new Map<string, number>();
  for (const [pid, { of, cpuSeconds }] of after)
    spent.set(of, (spent.get(of) ?? 0) + cpuSeconds - (before.get(pid)?.cpuSeconds ?? 0));
  return spent;
}
