// What the statements of a process rely on: the zone in which the server prints instants and counts days, the clock by
// which it judges what is ahead, and how long it goes on. A process asks for all of it when it connects. A pooler may
// drop that, so logins have it too (`login-settings.ts`), and a process serves only over sessions that have it.
import type { Pool } from 'pg';
import type { RaceClock } from '../../../domain/time/clock';

export interface SessionNeeds {
  /** Every write is refused, also by a replica that has become a primary. */
  readonly readOnly?: boolean;
  /** The database uses it to decide which of our times are ahead of its clock (`race_time`). Default: none is. */
  readonly clock?: RaceClock;
  /** Default: the login's. `queryMs` null: none for statements. */
  readonly timeouts?: { readonly queryMs: number | null };
}

/**
 * The server rolls back a transaction that was idle for this long (its host is gone), because an open one delays
 * `changes`.
 */
const ABANDONED_MS = 120_000;

/** At most so many milliseconds; 0: without a limit. */
const LIMITS: ReadonlySet<string> = new Set(['statement_timeout', 'idle_in_transaction_session_timeout']);

/**
 * By name. In UTC, whatever the server's zone, and without JIT: our statements are short, and the server would compile
 * the longer ones again at every call.
 */
export const sessionSettings = ({ readOnly, clock, timeouts }: SessionNeeds): Readonly<Record<string, string>> => ({
  timezone: 'UTC',
  jit: 'off',
  idle_in_transaction_session_timeout: String(ABANDONED_MS),
  ...(timeouts && { statement_timeout: String(timeouts.queryMs ?? 0) }),
  ...(readOnly && { default_transaction_read_only: 'on' }),
  ...(clock && { 'racing.clock_anchor': String(clock.anchorMs), 'racing.clock_speed': String(clock.speed) }),
});

/** Limits in milliseconds. */
const READ = `
  SELECT n.name, COALESCE((SELECT setting FROM pg_settings s WHERE lower(s.name) = n.name), current_setting(n.name, true), '') AS value
    FROM unnest($1::text[]) AS n (name)`;

/**
 * What a session of the pool lacks, a part of a sentence each, such as `timezone is Australia/Sydney, not UTC`. With
 * JIT it is slower, and right.
 */
export async function lackingSettings(pool: Pool, needs: SessionNeeds): Promise<readonly string[]> {
  const needed = sessionSettings(needs);
  const { rows } = await pool.query<{ name: string; value: string }>(READ, [Object.keys(needed)]);
  return rows
    .filter(({ name, value }) => name !== 'jit' && !suffices(name, value, needed[name]!))
    .map(({ name, value }) => `${name} is ${value || 'not set'}, not ${needed[name]}`);
}

/** Pure. A shorter limit than the needed one is one; none (0) is the longest. */
export function suffices(name: string, value: string, needed: string): boolean {
  if (value === '') return false;
  if (LIMITS.has(name)) return Number(needed) === 0 || (Number(value) > 0 && Number(value) <= Number(needed));
  return name.startsWith('racing.') ? Number(value) === Number(needed) : value === needed;
}
