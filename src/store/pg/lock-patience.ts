// A change of a table waits until every reader of it has ended, and new readers and writers queue behind the change. So
// a change waits one second for its lock, then rolls back and tries again later: the queue behind it is never longer
// than that, and the change is made between two readers.
import { setTimeout as delay } from 'node:timers/promises';
import type { ClientBase } from 'pg';

/** Wall. */
export interface LockPatience {
  /** Per lock. */
  readonly lockMs: number;
  readonly pauseMs: number;
  /** From the first try on. */
  readonly withinMs: number;
  /** After each try that did not get its locks. */
  readonly waits?: (reason: string) => void;
}

export const USUAL_PATIENCE: LockPatience = { lockMs: 1000, pauseMs: 2000, withinMs: 600_000 };

/** `lock_not_available`, and `deadlock_detected`. */
const BLOCKED: ReadonlySet<unknown> = new Set(['55P03', '40P01']);

/**
 * Runs `work`, in which a failed statement undoes everything, until it gets its locks. Rejects with the sessions that
 * hold them.
 */
export async function withoutBlocking(
  client: ClientBase,
  { lockMs, pauseMs, withinMs, waits }: LockPatience,
  work: () => Promise<unknown>,
): Promise<void> {
  const beganMs = performance.now();
  for (;;) {
    await client.query(`SET lock_timeout = ${lockMs}`);
    try {
      await work();
      return;
    } catch (error) {
      if (!BLOCKED.has(codeOf(error))) throw error;
      const reason = await readersOf(client);
      if (performance.now() - beganMs > withinMs) throw new Error(reason, { cause: error });
      waits?.(reason);
    } finally {
      await client.query('RESET lock_timeout').catch(() => undefined);
    }
    await delay(pauseMs);
  }
}

/** `naming` wraps what the database reports. */
function codeOf(error: unknown): unknown {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return code ?? (cause === undefined ? undefined : codeOf(cause));
}

const OLDEST = `
  SELECT pid, application_name AS program, state, round(extract(epoch FROM clock_timestamp() - xact_start)) AS seconds
    FROM pg_stat_activity
   WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND xact_start IS NOT NULL
   ORDER BY xact_start LIMIT 1`;

/** The oldest transactions: most likely the ones that block. */
async function readersOf(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ pid: number; program: string; state: string; seconds: string }>(OLDEST);
  const [oldest] = rows;
  if (!oldest) return 'others use what it changes; no long transaction is open';
  const { pid, program, state, seconds } = oldest;
  return `others use what it changes: process ${pid} (${program || 'without a name'}, ${state}) has a transaction of ${seconds} s`;
}
